package recognition

import (
	"math"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// reference is a DiffStk-MRNN of [diffstk] in float64, on a tape that records the
// operations for the gradient.
type reference struct {
	*tape
	at    map[string]int // tape index of the first number of each parameter
	e     Experiment
	seed  uint64
	kept  int      // steps at which carry-forward kept the state
	steps [][4]int // tape indices of push, pop, no-op and the topmost cell after them
}

func (s *reference) row(name string, n int) (list []int) {
	for i := range n {
		list = append(list, s.at[name]+i)
	}
	return list
}

// loss computes the loss of a string and returns its index on the tape. y is 1 if the
// string is in the language, else 0. After every e.BPTT steps, no gradient goes back
// through the state.
func (s *reference) loss(text []uint8, y float64, string, update int) int {
	const m, k, cells, d = hidden, 3, 58, 5 // strings of up to 56 symbols
	z, stack, noops, total := make([]int, m), make([]int, cells), 0, s.Number(0)
	for i := range z {
		z[i] = s.Number(0)
	}
	for i := range stack {
		stack[i] = s.Number(-1)
	}
	noise := rng.New(s.seed, "noise.state")
	for t, symbol := range text {
		if t > 0 && t%s.e.BPTT == 0 {
			for _, list := range [][]int{z, stack} {
				for i, a := range list {
					list[i] = s.Number(s.Value[a])
				}
			}
		}
		zhat := s.Affine(stack[:k], s.at["P"], m, 0, m, z)
		for i, a := range zhat {
			block := noise.Block(rng.At{Unit: uint32(i / 4), Row: uint32(string), T: uint32(t), Update: uint32(update)})
			zhat[i] = s.Plus(a, s.Number(s.e.Noise*float64(rng.StandardNormal(block[i%4]))))
		}
		u := s.at["U"] + int(symbol)*2*m
		next := s.Affine(zhat, s.at["W_mz"], m, 0, m, nil)
		for i, a := range next {
			next[i] = s.Times(a, u+i)
		}
		next = s.Affine(next, s.at["W_zm"], m, 0, m, s.row("b", m))
		for i, a := range next {
			next[i] = s.F1(s.Plus(a, u+m+i))
		}
		said := func(z []int) []int { return s.Affine(z, s.at["A"], 4, 0, 4, s.row("b_A", 4)) }
		if a := said(next); s.Value[a[2]] > s.Value[a[0]] && s.Value[a[2]] > s.Value[a[1]] {
			if noops++; noops > 1 && s.e.Carry {
				next = zhat
				s.kept++
			}
		} else {
			noops = 0
		}
		z = next
		a := said(z)
		push, act := s.Sigmoid(a[3]), s.Softmax(a[:3])
		moved := make([]int, cells)
		for i := range moved {
			above, below := push, s.Number(-1)
			if i > 0 {
				above = stack[i-1]
			}
			if i+1 < cells {
				below = stack[i+1]
			}
			moved[i] = s.Plus(s.Plus(s.Times(act[0], above), s.Times(act[1], below)), s.Times(act[2], stack[i]))
		}
		stack = moved
		s.steps = append(s.steps, [4]int{act[0], act[1], act[2], stack[0]})
		head := s.Affine(z, s.at["V"], d+1, 0, d+1, s.row("b_V", d+1))
		off := s.Plus(s.Sigmoid(head[d]), s.Number(-y))
		total = s.Plus(total, s.Scale(s.Times(off, off), 0.5))
		if y == 1 && t+1 < len(text) {
			total = s.Plus(total, s.Scale(s.Log(s.Softmax(head[:d])[text[t+1]]), -1))
		}
	}
	return total
}

// TestTrainingInFloat64 compares some updates of a DiffStk-MRNN with an independent
// float64 implementation that starts from the strings. The updates have noise,
// carry-forward, truncated back-propagation within strings, and clipped gradients.
func TestTrainingInFloat64(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains on the tape machine: go test ./suites/recognition -run TrainingInFloat64")
	}
	e := printed("1", "D2", DiffStkMRNN).batched()
	e.Noise, e.Carry, e.BPTT, e.Rule.Clip = noise, true, 7, 0.3
	const seed, updates = 3, 60
	x := suitetest.Must(e.Build(seed))(t)
	at := func(n int) *train.Params {
		res := suitetest.Must(train.Run(x, train.Options{Device: suite.Open(t), Updates: n}))(t)
		return res.Params
	}
	want := at(updates)
	_, parts := suitetest.Must2(e.strings())(t)
	corpus, perm := parts[0], make([]int32, parts[0].Len())
	rng.New(seed, "order").Perm(perm, 0)

	var weights, first, second []float64
	start := map[string]int{}
	for i, name := range want.Names {
		start[name] = len(weights)
		cols, s := want.Shapes[i][1], rng.New(seed, "init/"+name)
		for j := range want.Data[i] {
			w := 0.0
			if name[0] != 'b' {
				w = 0.05 * float64(s.Normal(rng.At{Unit: uint32(j % cols), Row: uint32(j / cols)}))
			}
			weights = append(weights, w)
		}
	}
	first, second = make([]float64, len(weights)), make([]float64, len(weights))
	clipped, kept := 0, 0
	for n := range updates {
		s := &reference{tape: &tape{}, at: start, e: e, seed: seed}
		for _, w := range weights {
			s.Number(w)
		}
		sum := s.Number(0)
		for _, i := range perm[n*e.Batch : (n+1)*e.Batch] {
			y := 0.0
			if corpus.Kind(int(i)) == formal.Positive {
				y = 1
			}
			sum = s.Plus(sum, s.loss(corpus.String(int(i)), y, int(i), n))
		}
		s.Backward(s.Scale(sum, 1/float64(e.Batch)))
		kept += s.kept
		for i := range weights {
			g := max(-e.Rule.Clip, min(e.Rule.Clip, s.Grad[i]))
			if g != s.Grad[i] {
				clipped++
			}
			first[i] = 0.9*first[i] + 0.1*g
			second[i] = 0.999*second[i] + 0.001*g*g
			mean, square := first[i]/(1-math.Pow(0.9, float64(n+1))), second[i]/(1-math.Pow(0.999, float64(n+1)))
			weights[i] -= e.Rule.LR * mean / (math.Sqrt(square) + 1e-8)
		}
	}
	if clipped == 0 || kept == 0 {
		t.Errorf("%d elements clipped and %d states kept, which leaves one of them unchecked", clipped, kept)
	}
	moved, worst := 0.0, 0.0
	for i, name := range want.Names {
		for j, v := range want.Data[i] {
			off := math.Abs(weights[start[name]+j] - float64(v))
			worst, moved = max(worst, off), max(moved, math.Abs(float64(v)))
			// Parameters may differ by more than rounding errors: if a gradient is near
			// zero, it is mostly rounding error, and Adam turns it into a step of up to
			// the learning rate. The largest difference seen is 6e-7.
			if off > 1e-5 {
				t.Errorf("%s[%d] is %v after %d updates, in float64 %v", name, j, v, updates, weights[start[name]+j])
			}
		}
	}
	t.Logf("largest parameter %.3f, largest difference %.2g, %d elements clipped, %d states kept", moved, worst, clipped, kept)
}
