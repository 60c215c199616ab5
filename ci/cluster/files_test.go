package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"pushdown/harness/suite"
)

// TestFiles runs the tests of module _check, which read the Kubernetes objects and the
// workflows.
func TestFiles(t *testing.T) {
	suite.SkipUnlessLong(t, "building the types of Kubernetes takes half a minute")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	download := exec.CommandContext(ctx, "go", "mod", "download")
	download.Dir = "_check"
	if out, err := download.CombinedOutput(); err != nil {
		suite.Skip(t, "network", fmt.Sprintf("the modules of _check cannot be downloaded (%v: %s)", err, bytes.TrimSpace(out)),
			"cd ci/cluster/_check && go mod download, with a network")
	}
	tests := exec.Command("go", "test", "-count=1", ".") // -count=1: the cache ignores files of other modules
	tests.Dir = "_check"
	if out, err := tests.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", tests.Args, err, out)
	}
}

// TestSlurmRefuses checks that the Slurm script names what it lacks.
func TestSlurmRefuses(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("have no bash, want it for the script")
	}
	for _, c := range []struct {
		env  []string
		args []string
		want string
	}{
		{nil, []string{"dyck"}, "have no task of a job array"},
		{[]string{"SLURM_ARRAY_TASK_ID=3"}, nil, "have no suite"},
		{[]string{"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_COUNT=2", "SLURM_ARRAY_TASK_MIN=3", "SLURM_ARRAY_TASK_MAX=4"}, []string{"dyck"}, "want PARTS"},
		{[]string{"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_COUNT=4", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=4"}, []string{"dyck"}, "PUSHDOWN_STATE: have nothing"},
		{[]string{"SLURM_ARRAY_TASK_ID=3", "PARTS=8", "PUSHDOWN_STATE=/"}, []string{"duck"}, "duck.test: have no such program, want the tests: go test -buildvcs=true -c ./suites/duck"},
	} {
		cmd := exec.Command(bash, "slurm")
		cmd.Args, cmd.Env = append(cmd.Args, c.args...), append([]string{"LC_ALL=C"}, c.env...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%v %v: %v: %s, want status 2 and %q", c.env, c.args, err, out, c.want)
		}
	}
}
