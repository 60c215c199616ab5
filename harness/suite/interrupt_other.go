//go:build !unix

package suite

import "os"

// terminationSignals are the signals that ask a process to end.
var terminationSignals = []os.Signal{os.Interrupt}

// terminal is the file name of the console on Windows.
const terminal = "CONOUT$"

func ignoreClosedPipes() {}
