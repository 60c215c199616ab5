//go:build unix

package suite

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pushdown/harness/golden"
	"pushdown/harness/train"
)

// slowSource is a source that makes batches slowly. It prints a line at update 3 and
// at every thousandth update after that.
type slowSource struct{ train.Source }

func (l slowSource) Fill(update int, b *train.Batch) {
	l.Source.Fill(update, b)
	if update%1000 == 3 {
		fmt.Println("training")
	}
	time.Sleep(100 * time.Microsecond)
}

// TestUnending is run by TestSignals and TestSecondSignal in other processes. It has
// two endless runs, one after the other.
func TestUnending(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	watch()
	long := func(stream bool) func(t *testing.T) {
		return func(t *testing.T) {
			exp := spelling(stream)
			exp.Train, exp.MaxUpdates, exp.CheckEvery = slowSource{exp.Train}, 1<<30, 1<<29
			trainRun(t, Open(t), exp, nil)
		}
	}
	runAll(t, []job{
		{golden.Name("paper=a/table=1/row=b/seed=1"), long(true)},
		{golden.Name("paper=a/table=1/row=b/seed=2"), long(false)},
	})
}

// TestUnendingAlso runs after TestUnending. It does not end either, but it trains
// nothing.
func TestUnendingAlso(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	time.Sleep(time.Hour)
}

// interrupted runs the tests that match a -run pattern in another process, and sends
// the signals once training has begun. If state is empty, the process has no folder for its
// state. interrupted returns the output of the process, the
// time from the first signal to the end of the process, and the status of the
// process.
func interrupted(t *testing.T, state string, resume bool, tests string, signals ...os.Signal) (output string, took time.Duration, status *os.ProcessState) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run="+tests, "-test.parallel=1", "-test.v")
	cmd.Env = append(foreign(), childVariable+"=1", "PUSHDOWN_SCALE=ci", "PUSHDOWN_RESUME=0", "PUSHDOWN_STATE="+state)
	if resume {
		cmd.Env = append(cmd.Env, "PUSHDOWN_RESUME=1")
	}
	if state == "" {
		cmd.Env = append(cmd.Env, "HOME=", "XDG_CACHE_HOME=")
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the process has no terminal
	out := must(cmd.StdoutPipe())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	var text strings.Builder
	var sent time.Time
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if lines.Text() != "training" || !sent.IsZero() {
			continue
		}
		sent = time.Now()
		for i, s := range signals {
			if i > 0 {
				time.Sleep(50 * time.Millisecond)
			}
			cmd.Process.Signal(s)
		}
	}
	cmd.Wait()
	return text.String() + errs.String(), time.Since(sent), cmd.ProcessState
}

// TestSignals checks what happens after SIGINT and SIGTERM: the current run saves
// its state, no other run begins, and the process ends soon, even if other tests do
// not end. It also checks that the printed command resumes the run.
func TestSignals(t *testing.T) {
	stopped := regexp.MustCompile(`stopped after update (\d+), by signal: (\w+): state is in .*; to go on:\n\s*PUSHDOWN_RESUME=1 .*PUSHDOWN_SCALE=ci .*-run '\^TestUnending\$/\^paper=a\$/\^table=1\$/\^row=b\$/\^seed=1\$'`)
	state, last := t.TempDir(), "0"
	for _, c := range []struct {
		signal os.Signal
		name   string
		tests  string
		says   []string
	}{
		{os.Interrupt, "interrupt", "^TestUnending", nil}, // the pattern also matches TestUnendingAlso, which sleeps for an hour
		{syscall.SIGTERM, "terminated", "^TestUnending$", []string{"FAIL\n"}},
	} {
		output, took, status := interrupted(t, state, last != "0", c.tests, c.signal)
		m := stopped.FindStringSubmatch(output)
		if m == nil || m[2] != c.name || status.ExitCode() != 75 || took > 10*time.Second {
			t.Fatalf("%v: %v after %v:\n%s", c.signal, status, took, output)
		}
		says := append(c.says, "pushdown: runs that were stopped: 1; to go on:\n\tPUSHDOWN_RESUME=1 ", "pushdown: "+c.name+": runs under way save their state", "not begun: the process ends by signal: "+c.name)
		if last != "0" {
			says = append(says, "going on from update "+last+"\n")
		}
		for _, want := range says {
			if !strings.Contains(output, want) {
				t.Errorf("%v: output without %q:\n%s", c.signal, want, output)
			}
		}
		last = m[1]
	}
}

// TestSignalWithoutState checks that a process without a folder for its state does not
// promise that stopped runs go on.
func TestSignalWithoutState(t *testing.T) {
	output, _, status := interrupted(t, "", false, "^TestUnending", syscall.SIGTERM)
	if status.ExitCode() != 75 || strings.Contains(output, "go on") || strings.Contains(output, "PUSHDOWN_RESUME=1") ||
		!strings.Contains(output, "there is no folder for its state: use a longer -timeout, or set PUSHDOWN_STATE; to run it again:\n") ||
		!strings.Contains(output, "pushdown: runs that were stopped and not saved: 1; to run them again:\n\t") || !strings.Contains(output, "PUSHDOWN_RESUME=0 PUSHDOWN_SCALE=ci go test ") {
		t.Errorf("%v, want status 75 and the command that runs it again:\n%s", status, output)
	}
}

// TestRepeatedSignal checks that a signal that comes twice in a short time counts as one.
func TestRepeatedSignal(t *testing.T) {
	output, _, status := interrupted(t, t.TempDir(), false, "^TestUnending", syscall.SIGTERM, syscall.SIGTERM)
	if status.ExitCode() != 75 || !strings.Contains(output, "by signal: terminated: state is in ") {
		t.Errorf("%v, want status 75 and the state saved:\n%s", status, output)
	}
}

// TestSecondSignal checks that a second signal ends the process at once. It sends
// many signals, because signals that arrive before the process has received the
// first one are lost.
func TestSecondSignal(t *testing.T) {
	_, _, status := interrupted(t, t.TempDir(), false, "^TestUnending", slices.Repeat([]os.Signal{os.Interrupt}, 20)...)
	if ws := status.Sys().(syscall.WaitStatus); !ws.Signaled() || ws.Signal() != syscall.SIGINT {
		t.Errorf("%v, want that the second signal ended it", status)
	}
}
