package cuda

import (
	"fmt"

	"pushdown/harness/kernel"
)

// point says which instruction is being launched, and in which frame.
type point struct {
	in    *kernel.Instr
	at    int // index of the instruction in the program
	frame int // index of the frame in the run
}

func (p point) String() string {
	s := fmt.Sprintf("launching instruction %d (%v", p.at, p.in.Op)
	if p.in.Note != "" {
		s += ": " + p.in.Note
	}
	return fmt.Sprintf("%s) in frame %d", s, p.frame)
}

// failed panics with a [kernel.Failure]. The parameter doing says what the device was
// doing when err occurred.
func (d *Device) failed(doing string, err error) {
	panic(&kernel.Failure{Device: d.String(), Doing: doing, Err: err})
}

// must does nothing if err is nil. Otherwise it panics with a [kernel.Failure] that
// names the current instruction and frame.
func (d *Device) must(err error) {
	if err != nil {
		d.failed(d.now.String(), err)
	}
}
