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
	errRecording = errors.New("emulated: a graph is being recorded, want EndRecord to be called first")
	errNoGraph   = errors.New("emulated: no such graph")
)

// BeginRecord begins a graph.
func (d *Driver) BeginRecord() error {
	if d.recording {
		return errRecording
	}
	d.recording, d.launches = true, nil
	return nil
}

// EndRecord ends the graph.
func (d *Driver) EndRecord() (cuda.Graph, error) {
	if d.graphs == nil {
		d.graphs = map[cuda.Graph][]launch{}
	}
	d.recording = false
	d.last++
	d.graphs[d.last] = d.launches
	return d.last, nil
}

// LaunchGraph runs the kernels of a graph in order.
func (d *Driver) LaunchGraph(g cuda.Graph) error {
	launches, ok := d.graphs[g]
	if !ok {
		return errNoGraph
	}
	if d.recording {
		return errRecording
	}
	d.GraphLaunches++
	for i := range launches {
		l := &launches[i]
		if err := d.Launch(l.fn, l.grid, l.block, l.params); err != nil {
			return err
		}
	}
	return nil
}

// DestroyGraph removes a graph.
func (d *Driver) DestroyGraph(g cuda.Graph) error {
	if _, ok := d.graphs[g]; !ok {
		return errNoGraph
	}
	delete(d.graphs, g)
	return nil
}

// NumGraphs returns the number of graphs that exist.
func (d *Driver) NumGraphs() int { return len(d.graphs) }
