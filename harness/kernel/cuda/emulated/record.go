package emulated

import (
	"errors"

	"pushdown/harness/kernel/cuda"
)

var _ cuda.Recorder = (*Driver)(nil)

// launch is one that is kept.
type launch struct {
	fn          cuda.Function
	grid, block [3]uint32
	params      []byte
}

var (
	errUnderWay = errors.New("emulated: a graph is under way, want it ended first")
	errNoGraph  = errors.New("emulated: no such graph")
)

// Record begins a graph.
func (d *Driver) Record() error {
	if d.records {
		return errUnderWay
	}
	d.records, d.row = true, nil
	return nil
}

// Recorded ends it.
func (d *Driver) Recorded() (cuda.Graph, error) {
	if d.graphs == nil {
		d.graphs = map[cuda.Graph][]launch{}
	}
	d.records = false
	d.last++
	d.graphs[d.last] = d.row
	return d.last, nil
}

// Repeat runs the kernels of a graph to their end, one after the other.
func (d *Driver) Repeat(g cuda.Graph) error {
	row, ok := d.graphs[g]
	if !ok {
		return errNoGraph
	}
	if d.records {
		return errUnderWay
	}
	d.Repeats++
	for i := range row {
		l := &row[i]
		if err := d.Launch(l.fn, l.grid, l.block, l.params); err != nil {
			return err
		}
	}
	return nil
}

// Forget gives a graph back.
func (d *Driver) Forget(g cuda.Graph) error {
	if _, ok := d.graphs[g]; !ok {
		return errNoGraph
	}
	delete(d.graphs, g)
	return nil
}

// Graphs is the number of graphs that are kept.
func (d *Driver) Graphs() int { return len(d.graphs) }
