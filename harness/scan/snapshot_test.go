package scan

import (
	"fmt"
	"slices"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// drifted returns p with slightly smaller parameters, to simulate updates: each is
// multiplied by 1 - at/256.
func (p *problem) drifted(at int) *problem {
	q := *p
	q.params = map[string][]float32{}
	for name, x := range p.params {
		x = slices.Clone(x)
		for i := range x {
			x[i] *= 1 - float32(at)/256
		}
		q.params[name] = x
	}
	return &q
}

// TestRestoreContinues checks that a VM that restores the state of another continues with
// the same bits. It runs a batch in four pieces, once in training, once in training with
// segments (which recomputes states to save memory), and once in evaluation.
func TestRestoreContinues(t *testing.T) {
	for _, c := range allCells {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			p := newProblem(g, []int{17, 17, 5, 5, 5, 2, 2, 2}, 5)
			opts := bounds(p, 0)
			dev, other := device(t, testISA(), 1), device(t, cpu.Generic, 1)
			plain := build(t, stepgraph.Config{Seed: 3}, c.width, c.step)
			for what, vm := range map[string]func() *VM{
				"training":   func() *VM { return compiled(t, g, other, opts) },
				"segmented":  func() *VM { return segmented(t, g, dev, opts, 2) },
				"evaluation": func() *VM { return compiled(t, plain, dev, opts) },
			} {
				runs := []*VM{vm(), nil}
				for i, q := range p.pieces(1, 4, 6) {
					var have [2][]uint32
					for k, vm := range runs {
						begin := vm.Begin
						if i > 0 {
							begin = vm.Continue
						}
						if k == 1 && i == 0 {
							break
						}
						if err := begin(q.active, q.examples); err != nil {
							t.Fatal(err)
						}
						q.drifted(i).load(t, vm)
						if err := vm.RunAll(); err != nil {
							t.Fatal(err)
						}
						have[k] = results(t, vm, q.problem)
					}
					if i > 0 && !slices.Equal(have[0], have[1]) {
						t.Errorf("%s: piece %d has other bits in a VM that restores the states of the previous piece", what, i)
					}
					left := runs[min(i, 1)].Snapshot()
					runs[1] = vm()
					if err := runs[1].Restore(left); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// TestRestoreContinuesWindow is TestRestoreContinues for streams, where Restore restores
// the window too. The streams are long enough to fill the memory.
func TestRestoreContinuesWindow(t *testing.T) {
	const symbols = 50
	for _, c := range append(deepCells, allCells...) {
		for _, size := range streamSizes {
			t.Run(fmt.Sprintf("%s/columns=%d/window=%d/steps=%d", c.name, size.columns, size.window, size.steps), func(t *testing.T) {
				g := training(t, c)
				p := newProblem(g, columns(size.columns, symbols), 6)
				dev := device(t, testISA(), 1)
				opts := columnBounds(size.columns, size.window, size.steps)
				whole, resumed := compiled(t, g, dev, opts), compiled(t, g, dev, opts)
				for at := 0; at < symbols; {
					to := min(at+1+at%size.steps, symbols)
					q := p.steps(at, to, to-at).drifted(at)
					if at == 30 || at == 31 {
						q.examples, q.ints[stepgraph.InputExampleRows], q.ints[stepgraph.InputTarget] = 0, nil, nil
					}
					want := feed(t, whole, q, at == 0)
					if have := feed(t, resumed, q, at == 0); !slices.Equal(want, have) {
						t.Fatalf("steps %d to %d have other bits in a VM that restores the previous steps", at, to)
					}
					left := resumed.Snapshot()
					if at%2 == 0 {
						resumed = compiled(t, g, dev, opts)
					}
					if err := resumed.Restore(left); err != nil {
						t.Fatal(err)
					}
					at = to
				}
			})
		}
	}
}

// TestRestoreMistakes checks that Restore rejects snapshots that do not fit the VM, and
// that Snapshot panics if there is no batch.
func TestRestoreMistakes(t *testing.T) {
	g := training(t, allCells[0])
	p := newProblem(g, []int{3, 3}, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	outcome(t, vm, p)
	good := vm.Snapshot()
	for want, change := range map[string]func(c *Snapshot){
		"restoring: have 0 strings after 0 steps, want 1 to 3": func(c *Snapshot) { c.Strings = 0 },
		"have 4 strings": func(c *Snapshot) { c.Strings = 4 },
		"have 3 strings after 1 steps, want 1 to 3 strings and at most 0 steps": func(c *Snapshot) { c.Steps = 1 },
		"restoring: have 0 values, want ":                                       func(c *Snapshot) { c.Words = nil },
		"restoring: have 1 words of value 0, want ":                             func(c *Snapshot) { c.Words = append([][]int32{{1}}, c.Words[1:]...) },
	} {
		c := good
		change(&c)
		refused(t, want, vm.Restore(c), want)
	}
	vm.Reset()
	defer func() {
		if recover() == nil {
			t.Error("Snapshot of a VM without a batch does not panic")
		}
	}()
	vm.Snapshot()
}
