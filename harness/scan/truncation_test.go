package scan

import (
	"fmt"
	"math"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
)

// piece is a part of a problem: some consecutive steps, with the rows and examples of
// these steps.
type piece struct {
	*problem
	examplesFrom []int // for each example of the piece, its index in the whole problem
}

// pieces divides a problem into pieces. A new piece starts at each step in cuts.
func (p *problem) pieces(cuts ...int) (list []piece) {
	row, from := 0, 0
	for _, to := range append(cuts, len(p.active)) {
		q := piece{problem: &problem{active: p.active[from:to], params: p.params, ints: map[string][]int32{}, scalar: p.scalar}}
		rows := 0
		for _, n := range q.active {
			rows += n
		}
		q.ints[stepgraph.InputToken] = p.ints[stepgraph.InputToken][row : row+rows]
		q.ints[stepgraph.InputCoord] = p.ints[stepgraph.InputCoord][3*row : 3*(row+rows)]
		for i, at := range p.ints[stepgraph.InputExampleRows] {
			if at := int(at) - row; at >= 0 && at < rows {
				q.ints[stepgraph.InputExampleRows] = append(q.ints[stepgraph.InputExampleRows], int32(at))
				q.ints[stepgraph.InputTarget] = append(q.ints[stepgraph.InputTarget], p.ints[stepgraph.InputTarget][i])
				q.examplesFrom = append(q.examplesFrom, i)
				q.examples++
			}
		}
		list = append(list, q)
		row, from = row+rows, to
	}
	return list
}

// piecewise computes the unrolled graph of each piece on Gorgonia in float64, starting from
// the final states of the previous piece, and the gradients. The loss of a piece is the sum
// of its losses, divided by the number that the function over returns for the piece.
func piecewise(t *testing.T, g *stepgraph.Graph, pieces []piece, over func(piece) int) []*stepgraph.Result {
	t.Helper()
	return piecewiseIn(t, g, pieces, over, tensor.Float64)[0]
}

// piecewiseIn does what piecewise does, in each of several types. It unrolls the graph once
// for all of them, because that takes most of the time.
func piecewiseIn(t *testing.T, g *stepgraph.Graph, pieces []piece, over func(piece) int, types ...tensor.Dtype) [][]*stepgraph.Result {
	t.Helper()
	list := make([][]*stepgraph.Result, len(types))
	for n, q := range pieces {
		o, err := stepgraph.Unroll(g, q.active, q.examples, tensor.Float64)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Differentiate(); err != nil {
			t.Fatal(err)
		}
		v := q.values()
		for i := range v.Inputs[stepgraph.InputSeed].Data {
			v.Inputs[stepgraph.InputSeed].Data[i] = float64(float32(1 / float64(over(q))))
		}
		for _, w := range g.Params {
			v.Params[w.Name] = stepgraph.Mat{Rows: w.Rows, Cols: w.Cols, Data: v.Params[w.Name].Data}
		}
		for i, dt := range types {
			if n > 0 {
				v.Initial = handOver(g, list[i][n-1].Final, q.active[0])
			}
			res, err := o.Eval(v, dt)
			if err != nil {
				t.Fatal(err)
			}
			list[i] = append(list[i], res)
		}
	}
	return list
}

// gradOf returns the gradient of a parameter, zeros if it has none.
func gradOf(res *stepgraph.Result, q *stepgraph.Param) stepgraph.Mat {
	if d, ok := res.Grads[q.Name]; ok {
		return d
	}
	return stepgraph.NewMat(q.Rows, q.Cols)
}

// handOver returns the final states of the first strings of a piece, from which the next
// piece continues. The parameter strings is the number of strings in the next piece.
func handOver(g *stepgraph.Graph, final map[string]stepgraph.Mat, strings int) map[string]stepgraph.Mat {
	cut := map[string]stepgraph.Mat{}
	for _, s := range g.States {
		m := final[s.Name]
		rows, cols := strings, m.Cols
		if s.Stacks > 0 {
			rows, cols = m.Rows, strings*s.Stacks
		}
		c := stepgraph.NewMat(rows, cols)
		for r := range rows {
			copy(c.Data[r*cols:(r+1)*cols], m.Data[r*m.Cols:])
		}
		cut[s.Name] = c
	}
	return cut
}

// TestTruncationCutsGradients checks that truncation cuts gradients every BPTT steps
// from the start of the batch, and does not change states.
func TestTruncationCutsGradients(t *testing.T) {
	for _, c := range allCells {
		for _, active := range [][]int{{3, 3, 3, 3, 3, 3, 3, 3}, ragged} {
			t.Run(fmt.Sprintf("%s/%v", c.name, active), func(t *testing.T) {
				g := training(t, c)
				p := newProblem(g, active, 5)
				plain := build(t, stepgraph.Config{Training: true, Seed: 3}, c.width, c.step)
				pieces := p.pieces(3, 6)
				want := piecewise(t, plain, pieces, func(piece) int { return p.examples })
				loss := stepgraph.NewMat(p.examples, 1)
				for i, q := range pieces {
					for j, at := range q.examplesFrom {
						loss.Data[at] = want[i].Loss.Data[j]
					}
				}
				opts := bounds(p, 0)
				opts.BPTT = 3
				vm := compiled(t, g, device(t, testISA(), 1), opts)
				outcome(t, vm, p)
				compare(t, "loss", losses(vm, p), loss)
				for _, q := range g.Params {
					got, err := vm.Grad(q.Name)
					if err != nil {
						t.Fatal(err)
					}
					sum := stepgraph.NewMat(q.Rows, q.Cols)
					for _, res := range want {
						for i, x := range gradOf(res, q).Data {
							sum.Data[i] += x
						}
					}
					compare(t, q.Name, got, sum)
				}
			})
		}
	}
}

// TestLongTruncationHasNoEffect checks that truncation has no effect if BPTT is the
// length of the longest string.
func TestLongTruncationHasNoEffect(t *testing.T) {
	for _, c := range allCells {
		g := training(t, c)
		p := newProblem(g, ragged, 5)
		opts := bounds(p, 0)
		want := outcome(t, compiled(t, g, device(t, testISA(), 1), opts), p)
		opts.BPTT = len(ragged)
		got := outcome(t, compiled(t, g, device(t, testISA(), 1), opts), p)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: word %d is %#x, want %#x", c.name, i, got[i], want[i])
			}
		}
	}
}

// TestChunksContinue runs a batch in chunks, each of which continues the previous one. It
// checks that the losses have the same bits as in the whole batch. It compares the gradient
// of each chunk with that of the unrolled graph on Gorgonia, which starts from the final
// states of the previous chunk.
func TestChunksContinue(t *testing.T) {
	for _, c := range allCells {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			p := newProblem(g, []int{3, 3, 3, 3, 3, 3, 3, 3, 3}, 5)
			opts := bounds(p, 0)
			dev := device(t, testISA(), 1)
			whole := compiled(t, g, dev, opts)
			outcome(t, whole, p)
			want := losses(whole, p)

			pieces := p.pieces(4, 5)
			plain := build(t, stepgraph.Config{Training: true, Seed: 3}, c.width, c.step)
			apart := piecewise(t, plain, pieces, func(q piece) int { return q.examples })
			vm := compiled(t, g, dev, opts)
			for i, q := range pieces {
				begin := vm.Continue
				if i == 0 {
					begin = vm.Begin
				}
				if err := begin(q.active, q.examples); err != nil {
					t.Fatal(err)
				}
				q.load(t, vm)
				if err := vm.RunAll(); err != nil {
					t.Fatal(err)
				}
				for j, loss := range losses(vm, q.problem) {
					if w := want[q.examplesFrom[j]]; math.Float32bits(loss) != math.Float32bits(w) {
						t.Errorf("chunk %d, example %d: loss %v, want %v", i, j, loss, w)
					}
				}
				for _, w := range g.Params {
					d, err := vm.Grad(w.Name)
					if err != nil {
						t.Fatal(err)
					}
					compare(t, w.Name, d, gradOf(apart[i], w))
				}
			}
		})
	}
}

// TestChunksContinueTheLongest checks that a chunk continues only the first strings
// of a ragged batch, those that have not ended.
func TestChunksContinueTheLongest(t *testing.T) {
	for _, c := range allCells {
		g := training(t, c)
		p := newProblem(g, []int{4, 4, 2, 2, 2}, 5)
		opts := bounds(p, 0)
		dev := device(t, testISA(), 1)
		whole := compiled(t, g, dev, opts)
		outcome(t, whole, p)
		want := losses(whole, p)
		vm := compiled(t, g, dev, opts)
		pieces := p.pieces(3)
		outcomeOf := func(q piece) {
			q.load(t, vm)
			vm.Forward()
			for j, loss := range losses(vm, q.problem) {
				if w := want[q.examplesFrom[j]]; math.Float32bits(loss) != math.Float32bits(w) {
					t.Errorf("%s: example %d: loss %v, want %v", c.name, q.examplesFrom[j], loss, w)
				}
			}
		}
		if err := vm.Begin(pieces[0].active, pieces[0].examples); err != nil {
			t.Fatal(err)
		}
		outcomeOf(pieces[0])
		if err := vm.Continue([]int{4, 4}, 0); err == nil {
			t.Error("Continue accepts strings that have ended")
		}
		if err := vm.Continue([]int{2, 2, 2, 2, 2, 2}, 0); err == nil {
			t.Error("Continue accepts more steps than the bound")
		}
		if err := vm.Continue(pieces[1].active, pieces[1].examples); err != nil {
			t.Fatal(err)
		}
		outcomeOf(pieces[1])
	}
}
