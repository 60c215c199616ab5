package suite

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// ending is the end of the process, once a signal has asked for it. A nil ending
// never comes.
type ending struct {
	mu     sync.Mutex
	signal string   // that asked for it; empty: none has
	runs   int      // under way
	halted []string // tests whose runs it stopped
}

// process is the ending of this process.
var process ending

// grace is the time that tests have to report and to end by themselves, after the
// last run has stopped.
const grace = time.Second

// watch has the signals that ask a process to end stop its runs first. A second
// one ends it at once.
var watch = sync.OnceFunc(func() {
	told := make(chan os.Signal, 1)
	for _, s := range endings {
		if !signal.Ignored(s) { // as nohup does
			signal.Notify(told, s)
		}
	}
	go func() {
		s := <-told
		signal.Stop(told)
		ignoreClosedPipes() // go test may have ended already
		process.tell(s.String())
		say(fmt.Sprintf("pushdown: %v: runs under way save their state and stop; a second signal ends the process at once\n", s))
		const step = 20 * time.Millisecond
		for quiet := time.Duration(0); quiet < grace; quiet += step {
			time.Sleep(step)
			if process.busy() {
				quiet = 0
			}
		}
		os.Exit(1)
	}()
})

// say prints on the terminal, and without one to the error output: go test shows
// nothing of a package's output after an interrupt, unless it streams it.
func say(text string) {
	if tty, err := os.OpenFile(terminal, os.O_WRONLY, 0); err == nil {
		defer tty.Close()
		if _, err := tty.WriteString(text); err == nil {
			return
		}
	}
	os.Stderr.WriteString(text)
}

func (e *ending) tell(signal string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.signal = signal
}

// by names the signal that asked for the end, or nothing if none has.
func (e *ending) by() string {
	if e == nil {
		return ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.signal
}

// begin notes that a run is under way, until the function that it returns is
// called. That of the last run which was stopped says how to go on with all.
func (e *ending) begin() (end func()) {
	if e == nil {
		return func() {}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.runs--; e.runs == 0 && len(e.halted) > 0 {
			say(fmt.Sprintf("pushdown: runs that were stopped: %d; to go on:\n\t%s\n", len(e.halted), resumeCommandOf(e.halted...)))
			e.halted = nil
		}
	}
}

// halt notes that the run of a test was stopped.
func (e *ending) halt(test string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.halted = append(e.halted, test)
}

func (e *ending) busy() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runs > 0
}
