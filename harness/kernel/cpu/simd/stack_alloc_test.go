package simd

import (
	"testing"
	"unsafe"
)

// TestStacksAndReductionsAllocateNothing checks that the kernels of stacks, reductions
// and updates do not allocate. Package scan runs them at every time step, and must not
// allocate once its buffers have grown.
func TestStacksAndReductionsAllocateNothing(t *testing.T) {
	in := newStackCase([3]int{300, 1, 20}, 1)
	ds, dv, sums := newGuarded(300, 20, 20, nil), newGuarded(1, 20, 20, nil), newVector(300, nil)
	x, y := newGuarded(300, 5, 5, drawAny(newRand())), newGuarded(300, 5, 5, nil)
	ids := newIDs(300, 4, newRand().IntN)
	scratch := make([]int32, 300+4+1)
	long := newVector(10000, drawAny(newRand()))
	w, h := [4]*guarded{}, new(AdamScalars)
	for i := range w {
		w[i] = newVector(5, drawAny(newRand(i)))
	}
	for _, isa := range Available() {
		s, r, o := stackFor(isa), reduceFor(isa), optimFor(isa)
		for name, f := range map[string]func(){
			"step": func() {
				s.Step(ds.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noop.ptr(), in.v.ptr(), 300, 1, 20, ds.ld, in.s.ld, in.v.ld, 0)
			},
			"grad": func() {
				s.Grad(nil, sums.ptr(), nil, nil, dv.ptr(), in.dy.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), nil, in.v.ptr(),
					300, 300, 1, 20, 0, dv.ld, in.dy.ld, in.s.ld, in.v.ld, 0)
			},
			"transpose":  func() { s.Transpose(y.ptr(), x.ptr(), 300, 5, 300, 5) },
			"rowsBy":     func() { s.RowsBy(y.ptr(), x.ptr(), sums.ptr(), 300, 5, 5, 5) },
			"rowDot":     func() { s.RowDot(sums.ptr(), long.ptr(), long.ptr(), 2, 5000, 5000, 5000) },
			"colSum":     func() { r.ColSum(sums.ptr(), x.ptr(), 300, 5, 5, false) },
			"sumSquares": func() { r.SumSquares(long.ptr(), 10000) },
			"gather":     func() { r.Gather(y.ptr(), x.ptr(), unsafe.SliceData(ids), 300, 5, 5, 5) },
			"scatterAdd": func() { r.ScatterAdd(y.ptr(), x.ptr(), unsafe.SliceData(ids), 300, 5, 4, 5, 5, &scratch[0]) },
			"addRow":     func() { r.AddRow(y.ptr(), x.ptr(), long.ptr(), 300, 5, 5, 5) },
			"adam":       func() { o.Adam(w[0].ptr(), w[1].ptr(), w[2].ptr(), w[3].ptr(), 5, h) },
		} {
			if n := testing.AllocsPerRun(10, f); n != 0 {
				t.Errorf("%v: %s allocates %v times, want 0", isa, name, n)
			}
		}
	}
}
