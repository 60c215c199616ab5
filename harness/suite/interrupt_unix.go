//go:build unix

package suite

import (
	"os"
	"os/signal"
	"syscall"
)

// endings are the signals that ask a process to end.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// terminal is the file of the terminal that the process was started from.
const terminal = "/dev/tty"

// ignoreClosedPipes makes writing to a pipe that nobody reads an error, and not
// the end of the process.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
