package scan

import (
	"slices"
	"testing"

	"pushdown/harness/stepgraph"
)

// TestReuseDead checks that the gradients of the gates of an LSTM are stored in the place of
// the gates in a large batch, but not in a small one, in which that saves next to nothing,
// and never in a stream, whose next window reads the gates again.
func TestReuseDead(t *testing.T) {
	g := training(t, testCell{"lstm", 6, lstm})
	for _, c := range []struct {
		rows, window int
		want         bool
	}{{1 << 17, 0, true}, {16, 0, false}, {1 << 17, 8, false}} {
		opts := Options{MaxStrings: 1, MaxRows: c.rows, MaxSteps: c.rows, MaxExamples: c.rows, Window: c.window}
		p, err := planned(g, opts)
		if err != nil {
			t.Fatal(err)
		}
		have := slices.ContainsFunc(p.values, func(v *value) bool {
			return v.live && v.is(stepgraph.ConcatCols) && v.backward && v.inPlaceOf != nil && !v.inPlaceOf.backward
		})
		if have != c.want {
			t.Errorf("%d rows, window %d: gradients in the place of gates: have %v, want %v", c.rows, c.window, have, c.want)
		}
	}
}

// biasedGates has gates that take the place of the sum of a product and a bias, which one instruction computes.
func biasedGates(b *stepgraph.Builder, x *node) *node {
	const h = 4
	hid, c := b.State(stepgraph.StateSpec{Name: "h", Width: h}), b.State(stepgraph.StateSpec{Name: "c", Width: h, Init: 0.25})
	u, w, bias := b.Param(param("U", h, 3*h)), b.Param(param("W", h, 3*h)), b.Param(param("b", 1, 3*h))
	gate := b.Split(b.Add(b.AddRow(b.MatMul(c, u), bias), b.MatMul(hid, w)), 3)
	next := b.Add(b.Mul(b.Sigmoid(gate[1]), c), b.Mul(b.Sigmoid(gate[0]), b.Tanh(b.Add(gate[2], x))))
	b.SetNext(hid, b.Tanh(next))
	b.SetNext(c, next)
	return next
}

// TestReuseDeadBiased checks that gradients take the place of gates that are themselves in the place of a sum
// with a bias, and that this changes no bit.
func TestReuseDeadBiased(t *testing.T) {
	g := training(t, testCell{"biasedgates", 4, biasedGates})
	p := newProblem(g, manyRows(), 7)
	opts := bounds(p, 0)
	dev := device(t, testISA(), 1)
	plain, near := compiled(t, g, dev, opts), movedIntoLoops(t, g, dev, opts)
	inPlace := func(vm *VM) bool {
		return slices.ContainsFunc(vm.plan.values, func(v *value) bool {
			return v.live && v.is(stepgraph.ConcatCols) && v.backward && v.inPlaceOf != nil && v.inPlaceOf.biasProduct != nil
		})
	}
	if inPlace(plain) || !inPlace(near) {
		t.Errorf("gradients in the place of gates: have %v, and %v with all dead values reused, want false and true", inPlace(plain), inPlace(near))
	}
	if !slices.Equal(outcome(t, plain, p), outcome(t, near, p)) {
		t.Error("gradients in the place of gates have other bits")
	}
}
