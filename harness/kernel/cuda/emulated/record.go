package emulated

import (
	"errors"

	"pushdown/harness/kernel/cuda"
)

var _ cuda.Recorder = (*Driver)(nil)

// launch is a recorded launch.
type launch struct {
	fn          cuda.Function
	grid, block [3]uint32
	params      []byte
}

var (
	errRecording = errors.New("emulated: a graph is being recorded, want Recorded to be called first")
	errNoGraph   = errors.New("emulated: no such graph")
)

// Record begins a graph.
func (d *Driver) Record() error {
	if d.recording {
		return errRecording
	}
	d.recording, d.launches = true, nil
	return nil
}

// Recorded ends the graph.
func (d *Driver) Recorded() (cuda.Graph, error) {
	if d.graphs == nil {
		d.graphs = map[cuda.Graph][]launch{}
	}
	d.recording = false
	d.last++
	d.graphs[d.last] = d.launches
	return d.last, nil
}

// Repeat runs the kernels of a graph in order.
func (d *Driver) Repeat(g cuda.Graph) error {
	launches, ok := d.graphs[g]
	if !ok {
		return errNoGraph
	}
	if d.recording {
		return errRecording
	}
	d.Repeats++
	for i := range launches {
		l := &launches[i]
		if err := d.Launch(l.fn, l.grid, l.block, l.params); err != nil {
			return err
		}
	}
	return nil
}

// Forget removes a graph.
func (d *Driver) Forget(g cuda.Graph) error {
	if _, ok := d.graphs[g]; !ok {
		return errNoGraph
	}
	delete(d.graphs, g)
	return nil
}

// Graphs returns the number of graphs that exist.
func (d *Driver) Graphs() int { return len(d.graphs) }
