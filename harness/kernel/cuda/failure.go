package cuda

import (
	"fmt"

	"pushdown/harness/kernel"
)

// point is where a program is.
type point struct {
	in    *kernel.Instr
	at    int // of the program
	frame int
}

func (p point) String() string {
	s := fmt.Sprintf("launching instruction %d (%v", p.at, p.in.Op)
	if p.in.Note != "" {
		s += ": " + p.in.Note
	}
	return fmt.Sprintf("%s) in frame %d", s, p.frame)
}

// failed ends the work with a device that did.
func (d *Device) failed(doing string, err error) {
	panic(&kernel.Failure{Device: d.String(), Doing: doing, Err: err})
}

// must ends it at an instruction that could not be launched.
func (d *Device) must(err error) {
	if err != nil {
		d.failed(d.now.String(), err)
	}
}
