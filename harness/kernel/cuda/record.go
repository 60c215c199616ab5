package cuda

import (
	"errors"
	"fmt"

	"pushdown/harness/kernel"
)

// Recorder is a driver that can keep launches and make them again by one call.
type Recorder interface {
	Driver
	// Record begins a graph: until Recorded, launches are kept and not made. A
	// driver that cannot says so by an error that is [errors.ErrUnsupported].
	Record() error
	// Recorded ends the graph, which holds the launches in their order.
	Recorded() (Graph, error)
	// Repeat makes the launches of a graph.
	Repeat(g Graph) error
	// Forget gives a graph back.
	Forget(g Graph) error
}

// Graph is launches that a driver has kept, never 0.
type Graph uint64

const (
	pieceFrames   = 8       // of a piece at most
	leastLaunches = 2       // of a piece that is worth a graph
	mostPieces    = 1 << 10 // of a program that are remembered without one
	mostLaunches  = 1 << 18 // in all graphs of a device, or little more
)

// piece is successive frames of a run. The same frames launch the same, whatever
// batch they belong to; batches of different lengths have pieces in common.
type piece struct {
	n      int
	frames [pieceFrames]kernel.Frame
}

// kept is what is known of a piece.
type kept struct {
	seen     bool
	graph    Graph // 0: none
	launches int   // in it
	grown    int   // of the device, when it was recorded
}

// Graphs tells the device to keep the launches of frames that come again, and to
// make them by one call, in programs that are compiled from now on. Without
// Graphs it launches one by one, and so it does on a driver that has none.
func (d *Device) Graphs() { d.recorder, _ = d.drv.(Recorder) }

// repeat runs a piece by its graph, which it records if the piece comes again. The
// piece begins at a frame of its run.
func (a *arena) repeat(c *code, frames []kernel.Frame, at int) bool {
	d := a.dev
	if c.pieces == nil || d.recorder == nil || len(frames)*len(c.steps) < leastLaunches {
		return false
	}
	key := &c.key
	*key = piece{n: len(frames)}
	copy(key.frames[:], frames)
	for i := range frames {
		key.frames[i].Back = 0 // which nothing here looks at
	}
	k := c.pieces[*key]
	if k == nil {
		if len(c.pieces) >= mostPieces+c.graphs {
			c.forgetSeen()
		}
		k = &kept{seen: d.hasty}
		c.pieces[*key] = k
	}
	if !k.seen || k.graph == 0 && d.kept > mostLaunches {
		k.seen = true
		return false
	}
	for k.graph == 0 || k.grown != d.grown { // memory that recording let grow lies elsewhere
		if !a.record(c, k, frames, at) {
			return false
		}
	}
	if err := d.recorder.Repeat(k.graph); err != nil {
		d.failed(fmt.Sprintf("repeating the launches of frames %d to %d", at, at+len(frames)-1), err)
	}
	return true
}

// record makes the graph of a piece, unless the driver has none.
func (a *arena) record(c *code, k *kept, frames []kernel.Frame, at int) bool {
	d := a.dev
	err := c.forget(d, k)
	if err == nil {
		err = d.recorder.Record()
	}
	if errors.Is(err, errors.ErrUnsupported) {
		d.recorder = nil
		return false
	}
	if err == nil {
		k.grown, k.launches = d.grown, d.launches
		a.launchKept(c, frames, at)
		k.launches = d.launches - k.launches
		k.graph, err = d.recorder.Recorded()
	}
	if err != nil {
		d.failed(fmt.Sprintf("recording the launches of frames %d to %d", at, at+len(frames)-1), err)
	}
	c.graphs++
	d.kept += k.launches
	return true
}

// launchKept is launchAll while launches are kept. One that fails ends that, so
// that what other arenas launch later is launched.
func (a *arena) launchKept(c *code, frames []kernel.Frame, at int) {
	whole := false
	defer func() {
		if whole {
			return
		}
		if g, err := a.dev.recorder.Recorded(); err == nil {
			_ = a.dev.recorder.Forget(g) // the first error says more
		}
	}()
	a.launchAll(c, frames, at)
	whole = true
}

// forget gives the graph of a piece back.
func (c *code) forget(d *Device, k *kept) error {
	if k.graph == 0 {
		return nil
	}
	g := k.graph
	k.graph = 0
	c.graphs--
	d.kept -= k.launches
	return d.recorder.Forget(g)
}

// forgetSeen makes room among the pieces that came once.
func (c *code) forgetSeen() {
	for key, k := range c.pieces { // each by itself
		if k.graph == 0 {
			delete(c.pieces, key)
		}
	}
}

// forgetAll gives back the graphs of all programs.
func (a *arena) forgetAll() (err error) {
	for _, c := range a.codes {
		for _, k := range c.pieces { // in any order
			err = errors.Join(err, c.forget(a.dev, k))
		}
	}
	return err
}
