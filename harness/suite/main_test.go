package suite

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

func TestMain(m *testing.M) {
	Main(m, golden.Unit{Name: "steps", Exact: true}, golden.Unit{Name: "rows/s", Better: "higher"})
}

// childVariable is an environment variable that tests set in the processes that they
// start.
const childVariable = "BENCH_TEST_CHILD"

// child reports whether again started this process.
func child() bool { return os.Getenv(childVariable) != "" }

// contains reports whether s contains all of the parts.
func contains(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// foreign returns the environment without the PUSHDOWN_ variables.
func foreign() (env []string) {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, prefix) {
			env = append(env, v)
		}
	}
	return env
}

// again runs this test binary with the given arguments in another process. The
// variables in env replace the PUSHDOWN_ variables of this process.
func again(t *testing.T, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(append(foreign(), childVariable+"=1"), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestMainRefusesAWrongEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  []string
		args []string
		want string
	}{
		{[]string{"PUSHDOWN_SCALE=big", "PUSHDOWN_THREADS=0"}, nil,
			"pushdown: PUSHDOWN_SCALE: have \"big\", want smoke, ci or paper\n" +
				"pushdown: PUSHDOWN_THREADS: have \"0\", want a number from 1 to 256\n"},
		{[]string{"PUSHDOWN_DEVICE=rocm"}, nil,
			"pushdown: PUSHDOWN_DEVICE: have \"rocm\", want cpu or cuda or cuda-graphs or emulated or emulated-graphs\n"},
		{[]string{"PUSHDOWN_SCALE=paper"}, []string{"-test.short"},
			"pushdown: PUSHDOWN_SCALE: have paper together with -short, want smoke or no -short\n"},
		{[]string{"PUSHDOWN_SCALE=paper", "PUSHDOWN_SHRAD=1/2"}, nil,
			"pushdown: PUSHDOWN_SHRAD: have an unknown variable, want PUSHDOWN_SHARD or another of PUSHDOWN_CORPORA, _DEVICE, _ISA, _REQUIRE, _RESUME, _SCALE, _SHARD, _STATE, _THREADS\n"},
	} {
		stdout, stderr, status := again(t, c.env, append(c.args, "-test.run=^TestNothing$")...)
		if status != 2 || stdout != "" {
			t.Errorf("%v: exit status %d with output %q, want 2 and none", c.env, status, stdout)
		}
		if diff := cmp.Diff(c.want, stderr); diff != "" {
			t.Errorf("%v: error output (-want +got):\n%s", c.env, diff)
		}
	}
}

// TestMainRefuses checks that the process ends with a message, and not with a panic, if -timeout is too
// short for a run to save its state, and that a value without quotes does not lose the flags after it.
func TestMainRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"pushdown: -timeout: have 50ms, want at least 1s, or 0 for no limit: a run needs that long to save its state\n": {"-test.timeout=50ms"},
		`pushdown: have the arguments ["LSTM" "changed" "-test.run" "WCPA"] after the flags, want none; flags come first; a value of several words has quotes: -test.skip "the LSTM changed"` + "\n": {
			"-test.skip", "the", "LSTM", "changed", "-test.run", "WCPA"},
	} {
		stdout, stderr, status := again(t, nil, args...)
		if status != 2 || stdout != "" || stderr != want {
			t.Errorf("have exit status %d, output %q and error output %q, want 2, no output and %q", status, stdout, stderr, want)
		}
	}
}

func TestMainPrintsUnitsIfBenchmarksRun(t *testing.T) {
	const units = "Unit rows/s better=higher\nUnit steps assume=exact\n"
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"-test.run=^$"}, 0},
		{[]string{"-test.run=^$", "-test.bench=^BenchmarkReport$", "-test.benchtime=1x"}, 1},
		{[]string{"-test.run=^$", "-test.bench=^BenchmarkReport$", "-test.benchtime=1x", "-test.count=3"}, 1},
		{[]string{"-test.list=.", "-test.bench=."}, 0},
	} {
		stdout, stderr, status := again(t, nil, c.args...)
		if status != 0 {
			t.Fatalf("%v: exit status %d: %s", c.args, status, stderr)
		}
		if n := strings.Count(stdout, "Unit "); n != 2*c.want || c.want == 1 && !strings.HasPrefix(stdout, units) {
			t.Errorf("%v: output is\n%s\nwant the units %d times", c.args, stdout, c.want)
		}
	}
}

// BenchmarkReport reports the two units of TestMain.
func BenchmarkReport(b *testing.B) {
	for b.Loop() {
		ReportMetric(b, 5, "steps")
	}
	ReportMetric(b, 1e6, "rows/s")
}

func TestPrintUnits(t *testing.T) {
	for _, c := range []struct {
		units []golden.Unit
		want  string // the output or the error
	}{
		{nil, ""},
		{[]golden.Unit{{Name: "b", Better: "lower", Exact: true}, {Name: "a-%", Better: "higher"}},
			"Unit a-% better=higher\nUnit b better=lower assume=exact\n"},
		{[]golden.Unit{{Name: "a", Exact: true}, {Name: "a", Better: "lower"}}, "unit a: have it twice, want it once"},
	} {
		var b bytes.Buffer
		got := ""
		if err := printUnits(&b, c.units); err != nil {
			got = err.Error()
		} else {
			got = b.String()
		}
		if got != c.want {
			t.Errorf("%v: have %q, want %q", c.units, got, c.want)
		}
	}
}
