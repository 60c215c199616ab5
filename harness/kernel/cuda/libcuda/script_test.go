package libcuda

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheTableOfTraining runs the part of ci/gpu that prints a table of training speeds. The
// table compares our devices, cuda and cuda-graphs, with peers such as eager, a model written
// in PyTorch. It shows the median speed of each device and peer over the rounds. Beside each
// peer it also shows a median of ratios: in each round, the speed of our faster device is
// divided by that of the peer.
func TestTheTableOfTraining(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash, which ci/gpu is written for; to run it: install bash")
	}
	samples := filepath.Join(t.TempDir(), "samples")
	text := `a cuda 0 100
a cuda-graphs 0 120
a eager 0 60
a graph 0 200
a cuda 1 300
a cuda-graphs 1 90
a eager 1 100
a graph 1 200
case g, graph: CUDA error
a cuda 2 110
a cuda-graphs 2 130
a eager 2 130
e cuda 0 100
e eager 0 80
e eager-tf32 0 90
g cuda 0 1e4
g eager 0 2000
g eager-tf32 0 5000
`
	if err := os.WriteFile(samples, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "-c", `source "$1" && compared "cuda cuda-graphs eager graph eager-tf32" "$2"`, "bash", "../../../../ci/gpu", samples)
	cmd.Env = append(os.Environ(), "LC_ALL=de_DE.UTF-8") // has a decimal comma
	var errs bytes.Buffer                                // bash warns here if it does not have the locale
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &errs)
	}
	const want = `case           cuda  cuda-graphs        eager  ratio        graph  ratio   eager-tf32  ratio
a               110          120          100   2.00          200   1.05            -      -
e               100            -           80   1.25            -      -           90   1.11
g             10000            -         2000   5.00            -      -         5000   2.00
aim missed: case e is 1.25 times as fast as eager, want 3
`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("the table differs (-want +got):\n%s", diff)
	}
}

// TestTheScriptRefuses checks that ci/gpu refuses wrong arguments before it builds anything.
func TestTheScriptRefuses(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash, which ci/gpu is written for; to run it: install bash")
	}
	for _, c := range []struct{ args, want string }{
		{"conformance faster", "have the step faster, want -emulated, some of: machine"},
		{"-emulated registers", "have the step registers, want -emulated, some of: machine"},
		{"conformance rows", "have the step rows, want -emulated, some of: machine"},
		{"rows dyck", "have arguments rows dyck, want rows, a suite and a pattern"},
		{"build", "have arguments build, want build and a file or folder"},
		{"pack a b", "have arguments pack a b, want pack and a file or folder"},
	} {
		cmd := exec.Command(bash, append([]string{"../../../../ci/gpu"}, strings.Fields(c.args)...)...)
		cmd.Env = append(os.Environ(), "TESTS=", "PUSHDOWN_DEVICE=")
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), c.want) {
			t.Errorf("%s: %v: %s, want status 2 and %q", c.args, err, out, c.want)
		}
	}
}
