package simd

import (
	"fmt"
	"testing"

	"pushdown/harness/numeric"
)

// listShapes returns depths, cell widths, heads and numbers of columns.
func listShapes() [][4]int {
	var list [][4]int
	for _, c := range testLengths(128, 131, 200) {
		for _, dp := range [][3]int{{3, 1, 1}, {4, 1, 2}, {9, 1, 4}, {6, 2, 1}, {15, 3, 3}} {
			list = append(list, [4]int{dp[0], dp[1], dp[2], c})
		}
	}
	return append(list, [4]int{401, 1, 200, 5}, [4]int{256, 1, 255 - 1, 17}, [4]int{257, 1, 1, 33}, [4]int{300, 100, 1, 9}, [4]int{514, 1, 256, 10},
		[4]int{520, 130, 2, 18}, [4]int{768, 256, 1, 3}, [4]int{770, 1, 511, 1})
}

// listCase is the input of one step of a list and of its gradient.
type listCase struct {
	ListArgs
	dyAt, sAt, vAt            *guarded
	wLeft, wRight, wIns, wNop *guarded
}

func newListCase(shape [4]int, kind int) *listCase {
	D, p, head, C := shape[0], shape[1], shape[2], shape[3]
	r := newRand(D, p, head, C, kind)
	f := testDraws[kind].make(r)
	k := &listCase{sAt: newGuarded(D, C, C+r.IntN(9), f), dyAt: newGuarded(D, C, C+r.IntN(9), f), vAt: newGuarded(p, C, C+r.IntN(9), f),
		wLeft: newVector(C, f), wRight: newVector(C, f), wIns: newVector(C, f), wNop: newVector(C, f)}
	k.ListArgs = ListArgs{D: D, P: p, Head: head, C: C, S: k.sAt.ptr(), V: k.vAt.ptr(), Lds: k.sAt.ld, Ldv: k.vAt.ld,
		Left: k.wLeft.ptr(), Right: k.wRight.ptr(), Insert: k.wIns.ptr(), Empty: f()}
	if r.IntN(2) == 0 {
		k.Noop = k.wNop.ptr()
	}
	return k
}

// of returns element (r, c) of m. If row r is beyond an end of the tape, it returns the
// value of the parameter beyond.
func (k *listCase) of(m *guarded, r, c int, beyond float32) float32 {
	if r < 0 || r >= k.D {
		return beyond
	}
	return m.at(r, c)
}

func (k *listCase) before(r, c int) float32 { return k.of(k.sAt, r-k.P, c, k.Empty) }
func (k *listCase) after(r, c int) float32  { return k.of(k.sAt, r+k.P, c, k.Empty) }

func (k *listCase) inserted(r, c int) float32 {
	switch cell := r / k.P; {
	case cell < k.Head:
		return k.after(r, c)
	case cell == k.Head:
		return k.vAt.at(r%k.P, c)
	}
	return k.sAt.at(r, c)
}

func (k *listCase) sum(c int, right, left, insert, noop float32) float32 {
	t := k.wRight.at(0, c) * right
	t = numeric.FMA(k.wLeft.at(0, c), left, t)
	t = numeric.FMA(k.wIns.at(0, c), insert, t)
	if k.Noop != nil {
		t = numeric.FMA(k.wNop.at(0, c), noop, t)
	}
	return t
}

func (k *listCase) moved(r, c int) float32 {
	return k.sum(c, k.after(r, c), k.before(r, c), k.inserted(r, c), k.sAt.at(r, c))
}

func (k *listCase) ds(r, c int) float32 {
	before, here := k.of(k.dyAt, r-k.P, c, 0), k.dyAt.at(r, c)
	x := before
	if r/k.P > k.Head {
		x = here
	}
	return k.sum(c, before, k.of(k.dyAt, r+k.P, c, 0), x, here)
}

// chunked returns a function that computes the inner product of column c of dy and column c
// of x, summed in chunks.
func (k *listCase) chunked(x func(r, c int) float32) func(_, c int) float32 {
	s := stackCase{D: k.D, dy: k.dyAt}
	return s.chunked(x)
}

func TestListStepMatchesFormula(t *testing.T) {
	for kind := range testDraws {
		for _, shape := range listShapes() {
			in := newListCase(shape, kind)
			want := once(in.D, in.C, in.moved)
			for _, isa := range Available() {
				dst := newGuarded(in.D, in.C, in.C+shape[3]%4, nil)
				listFor(isa).Step(in.ListArgs, dst.ptr(), dst.ld)
				dst.want(t, labelFor(isa, "step of D, p, head, C", in.D, in.P, in.Head, in.C), want)
			}
		}
	}
}

func TestListGradMatchesFormula(t *testing.T) {
	for kind := range testDraws {
		for i, shape := range listShapes() {
			in := newListCase(shape, kind)
			wants := []func(r, c int) float32{
				once(in.D, in.C, in.ds), once(1, in.C, in.chunked(in.before)), once(1, in.C, in.chunked(in.after)), once(1, in.C, in.chunked(in.inserted)),
			}
			for _, isa := range Available() {
				// Compute all outputs, then a subset that differs from case to case.
				for _, ask := range []int{15, (i + kind) % 15} {
					checkListGrad(t, isa, in, ask, wants)
				}
			}
		}
	}
}

// checkListGrad computes some outputs, which the bits of the parameter ask select, and
// compares them with the expected ones in the parameter wants.
func checkListGrad(t *testing.T, isa ISA, in *listCase, ask int, wants []func(r, c int) float32) {
	t.Helper()
	ds := newGuarded(in.D, in.C, in.C+in.D%3, nil)
	outs := []*guarded{ds, newVector(in.C, nil), newVector(in.C, nil), newVector(in.C, nil)}
	ptr := make([]*float32, len(outs))
	for i, o := range outs {
		if ask>>i&1 == 1 {
			ptr[i] = o.ptr()
		}
	}
	listFor(isa).Grad(in.ListArgs, ListGradArgs{Hi: in.D, Dy: in.dyAt.ptr(), Lddy: in.dyAt.ld, Ds: ptr[0], Ldds: ds.ld, Left: ptr[1], Right: ptr[2], Insert: ptr[3]})
	for i, name := range []string{"ds", "dleft", "dright", "dinsert"} {
		if ptr[i] == nil {
			outs[i].rows = 0 // nothing may be written
		}
		outs[i].want(t, labelFor(isa, name+" of D, p, head, C, asked", in.D, in.P, in.Head, in.C, ask), wants[i])
	}
}

func TestListsAllocateNothing(t *testing.T) {
	in := newListCase([4]int{401, 1, 200, 70}, 1)
	dst, sums := newGuarded(in.D, in.C, in.C, nil), newVector(in.C, nil)
	g := ListGradArgs{Hi: in.D, Dy: in.dyAt.ptr(), Lddy: in.dyAt.ld, Ds: dst.ptr(), Ldds: dst.ld, Left: sums.ptr()}
	for _, isa := range Available() {
		k := listFor(isa)
		if n := testing.AllocsPerRun(10, func() { k.Step(in.ListArgs, dst.ptr(), dst.ld); k.Grad(in.ListArgs, g) }); n != 0 {
			t.Errorf("%v: a step and its gradient take %v allocations, want 0", isa, n)
		}
	}
}

var listBenchShapes = [][4]int{{401, 1, 200, 5}, {401, 1, 200, 10}, {401, 1, 200, 160}}

func BenchmarkListStep(b *testing.B) {
	benchList(b, func(k listTable, in *listCase, dst *guarded) { k.Step(in.ListArgs, dst.ptr(), dst.ld) })
}

func BenchmarkListGrad(b *testing.B) {
	sums := [3]*guarded{newVector(512, nil), newVector(512, nil), newVector(512, nil)}
	benchList(b, func(k listTable, in *listCase, ds *guarded) {
		k.Grad(in.ListArgs, ListGradArgs{Hi: in.D, Dy: in.dyAt.ptr(), Lddy: in.dyAt.ld, Ds: ds.ptr(), Ldds: ds.ld, Left: sums[0].ptr(), Right: sums[1].ptr(), Insert: sums[2].ptr()})
	})
}

func benchList(b *testing.B, run func(listTable, *listCase, *guarded)) {
	for _, isa := range Available() {
		k := listFor(isa)
		for _, s := range listBenchShapes {
			in := newListCase(s, 1)
			in.Noop = nil
			dst := newGuarded(s[0], s[3], s[3], nil)
			b.Run(fmt.Sprintf("isa=%v/D=%d/p=%d/C=%d", isa, s[0], s[1], s[3]), func(b *testing.B) {
				for b.Loop() {
					run(k, in, dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s[0]*s[3]), "ns/element")
			})
		}
	}
}
