package scan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// everyRow returns a problem like p in which every row has a prediction, in the order of the
// rows.
func (p *problem) everyRow() *problem {
	all := *p
	all.ints = map[string][]int32{}
	for name, x := range p.ints { // the order does not matter
		all.ints[name] = x
	}
	all.examples = len(p.ints[stepgraph.InputToken])
	r := rand.New(rand.NewPCG(3, 3))
	var rows, targets []int32
	for i := range all.examples {
		rows, targets = append(rows, int32(i)), append(targets, int32(r.IntN(classes)))
	}
	all.ints[stepgraph.InputExampleRows], all.ints[stepgraph.InputTarget] = rows, targets
	return &all
}

// TestHeadInOrder checks that batches whose rows all have predictions, in order, give the same
// bits with and without the copies that the code for such batches leaves out. For the cells
// whose read-out reads a whole value, it checks that there is such code.
func TestHeadInOrder(t *testing.T) {
	dev := device(t, testISA(), 2)
	for _, c := range append([]testCell{{"widelstm", 40, wideLSTM}}, allCells...) {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			some := newProblem(g, manyRows(), 7)
			p := some.everyRow()
			opts := bounds(p, 0)
			for _, headRows := range []int{0, kernel.Chunk} { // one block, and two
				opts.HeadRows = headRows
				with, without := compiled(t, g, dev, opts), compiled(t, g, dev, opts)
				if with.codeInOrder == nil {
					if c.name == "widelstm" || c.name == "lstm" || c.name == "gatedrnn" || c.name == "mixture" {
						t.Fatal("there is no code for batches in order")
					}
					continue
				}
				without.codeInOrder = nil
				want := outcome(t, without, p)
				if !slices.Equal(outcome(t, with, p), want) || !with.isInOrder {
					t.Errorf("blocks of %d predictions: leaving out copies changes results", headRows)
				}
				// Another batch, and then the same one again.
				if have, want := outcome(t, with, some), outcome(t, without, some); with.isInOrder || !slices.Equal(have, want) {
					t.Error("the batch after a batch in order has other results")
				}
				if !slices.Equal(outcome(t, with, p), want) {
					t.Error("a batch in order after one that is not has other results")
				}
				for _, at := range [][2]int{{0, 1}, {p.examples - 2, p.examples - 1}} { // not in order
					swapped := *p
					swapped.ints = map[string][]int32{}
					for name, x := range p.ints { // the order does not matter
						swapped.ints[name] = slices.Clone(x)
					}
					rows := swapped.ints[stepgraph.InputExampleRows]
					rows[at[0]], rows[at[1]] = rows[at[1]], rows[at[0]]
					if have, want := outcome(t, with, &swapped), outcome(t, without, &swapped); with.isInOrder || !slices.Equal(have, want) {
						t.Errorf("a batch with rows %v exchanged has other results", at)
					}
				}
			}
		})
	}
}

// TestHeadInOrderAgainstOracle compares batches in order with the unrolled graph in float64.
func TestHeadInOrderAgainstOracle(t *testing.T) {
	for _, c := range testCells {
		t.Run(c.name, func(t *testing.T) {
			plain := build(t, stepgraph.Config{Training: true, Seed: 3}, c.width, c.step)
			p := newProblem(plain, ragged, 5).everyRow()
			want := oracle(t, plain, p)
			g := training(t, c)
			vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
			outcome(t, vm, p)
			compare(t, "loss", losses(vm, p), want.Loss)
			for _, q := range g.Params {
				got, err := vm.Grad(q.Name)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, q.Name, got, want.Grads[q.Name])
			}
		})
	}
}
