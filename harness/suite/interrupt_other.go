//go:build !unix

package suite

import "os"

// endings are the signals that ask a process to end.
var endings = []os.Signal{os.Interrupt}

// terminal is the file of the console, on Windows.
const terminal = "CONOUT$"

func ignoreClosedPipes() {}
