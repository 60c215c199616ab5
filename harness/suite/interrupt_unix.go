//go:build unix

package suite

import (
	"os"
	"os/signal"
	"syscall"
)

// terminationSignals are the signals that ask a process to end.
var terminationSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// terminal is the file name of the controlling terminal.
const terminal = "/dev/tty"

// ignoreClosedPipes makes a write to a closed pipe return an error instead of ending
// the process.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
