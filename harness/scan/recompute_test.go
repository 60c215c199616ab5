package scan

import (
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// segmented compiles g with a plan that drops states wherever it can and computes them again
// in the backward pass, segment by segment, even if that is slower. The segments have the
// given number of steps.
func segmented(t *testing.T, g *stepgraph.Graph, dev kernel.Device, opts Options, steps int) *VM {
	t.Helper()
	opts.MaxRows += 10 * lines(opts.MaxStrings) * (opts.MaxSteps + 1)
	return changed(t, g, dev, opts, func(p *plan) { p.forceSegment, p.minSaved = steps, math.MinInt })
}

// inChunks cuts a batch into chunks and runs them, each as the continuation of the
// previous one. A chunk begins at each step whose index is in cuts. inChunks returns
// the bits of all results.
func inChunks(t *testing.T, vm *VM, p *problem, cuts ...int) (all []uint32) {
	t.Helper()
	begin := vm.Begin
	for _, q := range p.pieces(cuts...) {
		if err := begin(q.active, q.examples); err != nil {
			t.Fatal(err)
		}
		q.load(t, vm)
		if err := vm.RunAll(); err != nil {
			t.Fatal(err)
		}
		all, begin = append(all, results(t, vm, q.problem)...), vm.Continue
	}
	return all
}

// TestSegments checks that segments of any length give the same bits as a plan that
// keeps all states, for whole batches and for chunks that continue one another.
func TestSegments(t *testing.T) {
	dev, team := device(t, testISA(), 1), device(t, testISA(), 3)
	for _, c := range allCells {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			for _, active := range [][]int{{3}, {17, 16, 2}, ragged, manyRows()} {
				p := newProblem(g, active, 7)
				opts := bounds(p, 0)
				plain := compiled(t, g, dev, opts)
				want := outcome(t, plain, p)
				for steps := 1; steps <= 5; steps++ {
					if testing.Short() && steps%2 == 1 {
						continue
					}
					vm := segmented(t, g, []kernel.Device{dev, team}[steps/2%2], opts, steps)
					for range 2 { // the second run finds the memory as the first left it
						if !slices.Equal(outcome(t, vm, p), want) {
							t.Errorf("%v in segments of %d steps has other bits", active, steps)
						}
					}
					if vm.plan.dropStates && (vm.segmentLen != steps || len(vm.recomputed) != (len(active)-1)/steps*steps) {
						t.Errorf("%v in segments of %d steps, %d of them twice, want %d", active, vm.segmentLen, len(vm.recomputed), steps)
					}
				}
			}
			p := newProblem(g, []int{9, 9, 9, 9, 9, 9, 9, 9, 9}, 5)
			opts := bounds(p, 0)
			for _, cuts := range [][]int{{4, 5}, {3, 5, 6}} {
				if !slices.Equal(inChunks(t, segmented(t, g, dev, opts, 2), p, cuts...), inChunks(t, compiled(t, g, dev, opts), p, cuts...)) {
					t.Errorf("chunks %v in segments have other bits", cuts)
				}
			}
		})
	}
}

// TestStatesThatAreKept checks which states are dropped, that is, overwritten before the
// batch ends. In training, states are dropped and computed twice if there are many of them,
// if they are cheap to compute, and if only the loops read them. In evaluation they are
// dropped if only the loops read them.
func TestStatesThatAreKept(t *testing.T) {
	dev := device(t, testISA(), 1)
	small := manyRows()
	large := make([]int, 120) // 32 bytes of states per row
	for i := range large {
		large[i] = 400 - i
	}
	read := func(b *stepgraph.Builder, x *node) *node {
		s := b.State(stepgraph.StateSpec{Name: "s", Width: 8})
		next := b.Add(s, b.Concat(x, x))
		b.SetNext(s, next)
		b.SetOutput("s", next)
		return x
	}
	for _, c := range []struct {
		name                 string
		step                 func(b *stepgraph.Builder, x *node) *node
		width                int
		active               []int
		training, evaluating bool // whether states are dropped
	}{
		{"dyck", dyck, 4, small, false, true}, {"dyck", dyck, 4, large, true, true},
		{"lstm", lstm, 6, small, false, false}, {"lstm", lstm, 6, large, false, false}, // the read-out reads a state
		{"stackrnn", stackRNN, 6, large, false, true}, {"read", read, 4, large, false, false}, // in evaluation, stackrnn reads out a copy of the state
	} {
		for _, train := range []bool{true, false} {
			want := c.evaluating
			g := build(t, stepgraph.Config{Training: train, Seed: 3}, c.width, c.step)
			if train {
				want = c.training
				if err := g.Differentiate(); err != nil {
					t.Fatal(err)
				}
			}
			p := newProblem(g, c.active, 3)
			vm := compiled(t, g, dev, bounds(p, 0))
			have := outcome(t, vm, p)
			if vm.segmentLen > 0 != want {
				t.Errorf("%s, training %v, %d steps: segments of %d steps, want some: %v", c.name, train, len(c.active), vm.segmentLen, want)
			}
			if kept := unshared(t, g, dev, bounds(p, 0)); !slices.Equal(outcome(t, kept, p), have) || kept.segmentLen > 0 {
				t.Errorf("%s, training %v, %d steps: other bits than with kept states (segments of %d)", c.name, train, len(c.active), kept.segmentLen)
			}
		}
	}
}
