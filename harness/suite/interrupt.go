package suite

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// process is the state of an orderly end of this process after a termination signal.
var process struct {
	sync.Mutex
	signal string   // the signal that asked the process to end; empty if there was none
	runs   int      // the number of runs under way
	halted []string // the tests whose runs were stopped and can go on
	lost   []string // the tests whose runs were stopped and have to begin again
}

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
		process.Lock()
		process.signal = s.String()
		process.Unlock()
		notify("pushdown: %v: runs under way save their state, if they keep one, and stop; a second signal ends the process at once\n", s)
		const step = 20 * time.Millisecond
		for quiet := time.Duration(0); quiet < grace; quiet += step {
			time.Sleep(step)
			process.Lock()
			if process.runs > 0 {
				quiet = 0
			}
			process.Unlock()
		}
		os.Exit(interruptedStatus)
	}()
})

// notify prints a text on the terminal or, if there is none, to standard error. It prefers
// the terminal, because after an interrupt go test shows no more output of a package, unless
// it streams that output.
func notify(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if tty, err := os.OpenFile(terminal, os.O_WRONLY, 0); err == nil {
		defer tty.Close()
		if _, err := tty.WriteString(text); err == nil {
			return
		}
	}
	os.Stderr.WriteString(text)
}

// signalled returns the name of the signal that asked the process to end, or "" if none has.
func signalled() string {
	process.Lock()
	defer process.Unlock()
	return process.signal
}

// beginRun records that a run is under way. The caller must call the function end when the run
// has ended. When no run is under way any more, this function prints the commands that
// resume, or begin again, the runs that were stopped.
func beginRun() (end func()) {
	process.Lock()
	defer process.Unlock()
	process.runs++
	return func() {
		process.Lock()
		defer process.Unlock()
		if process.runs--; process.runs > 0 {
			return
		}
		if n := len(process.halted); n > 0 {
			notify("pushdown: runs that were stopped: %d; to go on:\n\t%s\n", n, command(true, process.halted...))
		}
		if n := len(process.lost); n > 0 {
			notify("pushdown: runs that were stopped and not saved: %d; to run them again:\n\t%s\n", n, command(false, process.lost...))
		}
		process.halted, process.lost = nil, nil
	}
}

// halt records that the run of a test was stopped. The argument resume says whether it can go on.
func halt(test string, resume bool) {
	process.Lock()
	defer process.Unlock()
	if resume {
		process.halted = append(process.halted, test)
	} else {
		process.lost = append(process.lost, test)
	}
}
