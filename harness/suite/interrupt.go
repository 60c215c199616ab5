package suite

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// shutdown is the state of an orderly end of the process after a termination signal. A nil
// *shutdown stands for a process that has received no signal.
type shutdown struct {
	mu     sync.Mutex
	signal string   // the signal that requested the shutdown; empty if there was none
	runs   int      // the number of runs under way
	halted []string // the tests whose runs were stopped and can go on
	lost   []string // the tests whose runs were stopped and have to begin again
}

// process is the shutdown that all runs of this process share.
var process shutdown

// interruptedStatus is the exit status of a process that a signal ended before its tests
// passed. Running it again goes on with the work. It is EX_TEMPFAIL of sysexits.h, which a
// scheduler can tell from the status 1 of a failed test.
const interruptedStatus = 75

// grace is how long the process goes on after its last run has ended. In that time,
// tests can report their results.
const grace = time.Second

// repeatedSignal is how long after a signal another one counts as the same. Programs such as
// timeout and batch systems signal both a process and the group that it is in.
const repeatedSignal = 250 * time.Millisecond

// watch installs a handler for termination signals, which lets runs save their
// state before the process exits. A second signal ends the process at once.
var watch = sync.OnceFunc(func() {
	received := make(chan os.Signal, 1)
	for _, s := range terminationSignals {
		if !signal.Ignored(s) { // nohup ignores SIGHUP
			signal.Notify(received, s)
		}
	}
	go func() {
		s := <-received
		time.AfterFunc(repeatedSignal, func() { signal.Stop(received) })
		ignoreClosedPipes() // go test may have ended already and closed the pipe
		process.request(s.String())
		notify(fmt.Sprintf("pushdown: %v: runs under way save their state, if they keep one, and stop; a second signal ends the process at once\n", s))
		const step = 20 * time.Millisecond
		for quiet := time.Duration(0); quiet < grace; quiet += step {
			time.Sleep(step)
			if process.busy() {
				quiet = 0
			}
		}
		os.Exit(interruptedStatus)
	}()
})

// notify prints a text on the terminal or, if there is none, to standard error. It prefers
// the terminal, because after an interrupt go test shows no more output of a package, unless
// it streams that output.
func notify(text string) {
	if tty, err := os.OpenFile(terminal, os.O_WRONLY, 0); err == nil {
		defer tty.Close()
		if _, err := tty.WriteString(text); err == nil {
			return
		}
	}
	os.Stderr.WriteString(text)
}

// request records the signal that asks the process to end.
func (e *shutdown) request(signal string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.signal = signal
}

// by returns the name of the signal that requested the shutdown, or "" if none has.
func (e *shutdown) by() string {
	if e == nil {
		return ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.signal
}

// status returns the exit status of the process, given that of its tests. It is
// interruptedStatus if tests failed after a signal.
func (e *shutdown) status(tests int) int {
	if tests != 0 && e.by() != "" {
		return interruptedStatus
	}
	return tests
}

// begin records that a run is under way. The caller must call the function end when the run
// has ended. When no run is under way any more, this function prints the commands that
// resume, or begin again, the runs that were stopped.
func (e *shutdown) begin() (end func()) {
	if e == nil {
		return func() {}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.runs--; e.runs > 0 {
			return
		}
		if len(e.halted) > 0 {
			notify(fmt.Sprintf("pushdown: runs that were stopped: %d; to go on:\n\t%s\n", len(e.halted), resumeCommandOf(e.halted...)))
		}
		if len(e.lost) > 0 {
			notify(fmt.Sprintf("pushdown: runs that were stopped and not saved: %d; to run them again:\n\t%s\n", len(e.lost), runCommand(e.lost...)))
		}
		e.halted, e.lost = nil, nil
	}
}

// halt records that the run of a test was stopped. The argument resume says whether it can go on.
func (e *shutdown) halt(test string, resume bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if resume {
		e.halted = append(e.halted, test)
	} else {
		e.lost = append(e.lost, test)
	}
}

// busy reports whether a run is under way.
func (e *shutdown) busy() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runs > 0
}
