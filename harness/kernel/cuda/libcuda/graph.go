//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"errors"
	"fmt"
	"unsafe"

	"pushdown/harness/kernel/cuda"
)

var _ cuda.Recorder = (*Driver)(nil)

// node holds the parameters of a kernel node, CUDA_KERNEL_NODE_PARAMS, and the node
// that was added before it.
type node struct {
	fn     uintptr
	grid   [3]uint32
	block  [3]uint32
	shared uint32
	_      uint32
	params uintptr
	extra  uintptr
	last   uint64 // the previous node, on which this one depends
}

// BeginRecord begins a graph.
func (d *Driver) BeginRecord() error {
	if d.lib.fn[cuGraphInstantiate] == 0 {
		return fmt.Errorf("%s has no function %s: %w", d.lib.path, symbols[cuGraphInstantiate], errors.ErrUnsupported)
	}
	if d.graph != 0 {
		return errors.New("a graph is being recorded, want EndRecord to be called first")
	}
	if err := d.inside(cuGraphCreate, d.at(&d.b.out[0]), 0); err != nil {
		return err
	}
	d.graph, d.nodes = uintptr(d.b.out[0]), 0
	return nil
}

// addNode adds a launch to the graph as a node that depends on the previous node. The
// caller has stored the parameters of the launch in d.b.
func (d *Driver) addNode(fn cuda.Function, grid, block [3]uint32) error {
	b := d.b
	before, n := uintptr(0), uintptr(0)
	if d.nodes > 0 {
		before, n = d.at(&b.node.last), 1
	}
	last := b.node.last
	b.node = node{fn: uintptr(fn), grid: grid, block: block, extra: uintptr(unsafe.Pointer(&b.extra)), last: last}
	if err := d.inside(cuGraphAddKernelNode, d.at(&b.out[0]), d.graph, before, n, uintptr(unsafe.Pointer(&b.node))); err != nil {
		return err
	}
	b.node.last = b.out[0]
	d.nodes++
	return nil
}

// EndRecord ends the graph and instantiates it.
func (d *Driver) EndRecord() (cuda.Graph, error) {
	graph := d.graph
	d.graph = 0
	err := d.inside(cuGraphInstantiate, d.at(&d.b.out[0]), graph, 0)
	ready := cuda.Graph(d.b.out[0])
	return ready, errors.Join(err, d.inside(cuGraphDestroy, graph))
}

// LaunchGraph launches a graph.
func (d *Driver) LaunchGraph(g cuda.Graph) error { return d.inside(cuGraphLaunch, uintptr(g), 0) }

// DestroyGraph destroys a graph.
func (d *Driver) DestroyGraph(g cuda.Graph) error { return d.inside(cuGraphExecDestroy, uintptr(g)) }
