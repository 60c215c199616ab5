package cuda

import (
	"errors"
	"fmt"

	"pushdown/harness/kernel"
)

// Recorder is a driver that can record launches in a graph and launch the graph by
// one call.
type Recorder interface {
	Driver
	// BeginRecord begins a graph. Until EndRecord is called, Launch adds kernels to the
	// graph and does not run them. A driver without graphs returns an error that
	// wraps [errors.ErrUnsupported].
	BeginRecord() error
	// EndRecord ends the graph, which holds the launches in their order.
	EndRecord() (Graph, error)
	// LaunchGraph launches a graph.
	LaunchGraph(g Graph) error
	// DestroyGraph destroys a graph.
	DestroyGraph(g Graph) error
}

// Graph identifies launches that a driver has recorded. It is never 0.
type Graph uint64

const (
	pieceFrames = 8       // largest number of frames of a piece
	minLaunches = 2       // a piece is recorded if its frames times its instructions reach this number
	maxPieces   = 1 << 10 // largest number of pieces without a graph that a program remembers
	maxLaunches = 1 << 18 // a device whose graphs hold more launches than this records no more graphs
)

// piece is a sequence of up to pieceFrames successive frames of a run, and the key under
// which a program finds the graph of this sequence. Batches of different lengths can share
// graphs, because equal frames need equal launches.
type piece struct {
	n      int
	frames [pieceFrames]kernel.Frame
}

// pieceState is what a program remembers about a piece.
type pieceState struct {
	seen       bool  // the piece has run before
	graph      Graph // 0: none
	launches   int   // launches in graph
	generation int   // value of Device.generation when the graph was recorded
}

// EnableGraphs makes the device faster: when a sequence of frames is run again, the
// device records its launches in a graph, and from then on launches the graph by one
// call. It affects programs that are compiled later. Without EnableGraphs, or on a
// driver that is not a [Recorder], the device launches kernels one by one.
func (d *Device) EnableGraphs() { d.recorder, _ = d.drv.(Recorder) }

// RecordFirst is EnableGraphs for tests: the device records a graph when a sequence of frames
// first occurs, and launches it. So even a program that runs once uses graphs.
func (d *Device) RecordFirst() *Device {
	d.EnableGraphs()
	d.recordFirst = true
	return d
}

// Recorded returns the number of launches in all graphs.
func (d *Device) Recorded() int { return d.recorded }

// repeat runs a piece by launching its graph, which it records when the piece occurs for
// the second time. It returns false if it did not run the piece, for example because the
// piece is new. The caller must then run it. at is the index of the piece's first frame
// in the run.
func (a *arena) repeat(c *code, frames []kernel.Frame, at int) bool {
	d := a.dev
	if c.pieces == nil || d.recorder == nil || len(frames)*len(c.steps) < minLaunches {
		return false
	}
	key := &c.key
	*key = piece{n: len(frames)}
	copy(key.frames[:], frames)
	for i := range frames {
		key.frames[i].StepsBefore = 0 // no launch depends on this field
	}
	k := c.pieces[*key]
	if k == nil {
		if len(c.pieces) >= maxPieces+c.graphs {
			c.forgetSeen()
		}
		k = &pieceState{seen: d.recordFirst}
		c.pieces[*key] = k
	}
	if !k.seen || k.graph == 0 && d.recorded > maxLaunches {
		k.seen = true
		return false
	}
	for k.graph == 0 || k.generation != d.generation { // recording can itself reallocate the memory for chunk sums
		if !a.record(c, k, frames, at) {
			return false
		}
	}
	if err := d.recorder.LaunchGraph(k.graph); err != nil {
		d.failed(fmt.Sprintf("repeating the launches of frames %d to %d", at, at+len(frames)-1), err)
	}
	return true
}

// record records the graph of a piece. It returns false if the driver does not
// support graphs.
func (a *arena) record(c *code, k *pieceState, frames []kernel.Frame, at int) bool {
	d := a.dev
	err := c.forget(d, k)
	if err == nil {
		err = d.recorder.BeginRecord()
	}
	if errors.Is(err, errors.ErrUnsupported) {
		d.recorder = nil
		return false
	}
	if err == nil {
		k.generation, k.launches = d.generation, d.launches
		a.recordAll(c, frames, at)
		k.launches = d.launches - k.launches
		k.graph, err = d.recorder.EndRecord()
	}
	if err != nil {
		d.failed(fmt.Sprintf("recording the launches of frames %d to %d", at, at+len(frames)-1), err)
	}
	c.graphs++
	d.recorded += k.launches
	return true
}

// recordAll calls launchAll while the driver records. If a launch panics, recordAll
// ends the recording, so that later launches of other arenas run instead of being
// recorded.
func (a *arena) recordAll(c *code, frames []kernel.Frame, at int) {
	done := false
	defer func() {
		if done {
			return
		}
		if g, err := a.dev.recorder.EndRecord(); err == nil {
			_ = a.dev.recorder.DestroyGraph(g) // the panic reports the first error
		}
	}()
	a.launchAll(c, frames, at)
	done = true
}

// forget destroys the graph of a piece.
func (c *code) forget(d *Device, k *pieceState) error {
	if k.graph == 0 {
		return nil
	}
	g := k.graph
	k.graph = 0
	c.graphs--
	d.recorded -= k.launches
	return d.recorder.DestroyGraph(g)
}

// forgetSeen removes the pieces without a graph from c.pieces, which bounds its size.
func (c *code) forgetSeen() {
	for key, k := range c.pieces { // the order does not matter
		if k.graph == 0 {
			delete(c.pieces, key)
		}
	}
}

// forgetAll destroys the graphs of all programs.
func (a *arena) forgetAll() (err error) {
	for _, c := range a.codes {
		for _, k := range c.pieces { // the order does not matter
			err = errors.Join(err, c.forget(a.dev, k))
		}
	}
	return err
}
