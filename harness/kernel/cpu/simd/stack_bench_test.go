package simd

import (
	"fmt"
	"testing"
	"unsafe"
)

var stackBenchShapes = [][3]int{{8, 1, 256}, {8, 1, 10}, {16, 2, 512}, {200, 1, 10}}

func BenchmarkStackStep(b *testing.B) {
	benchStack(b, func(k stackTable, in *stackCase, dst *guarded) {
		k.Step(dst.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noopPtr(), in.v.ptr(),
			in.D, in.p, in.C, dst.ld, in.s.ld, in.v.ld, in.empty)
	})
}

func BenchmarkStackGrad(b *testing.B) {
	dv := newGuarded(16, 512, 512, nil)
	sums := [3]*guarded{newVector(512, nil), newVector(512, nil), newVector(512, nil)}
	benchStack(b, func(k stackTable, in *stackCase, ds *guarded) {
		k.Grad(ds.ptr(), sums[0].ptr(), sums[1].ptr(), nil, dv.ptr(),
			in.dy.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noopPtr(), in.v.ptr(),
			in.D, in.D, in.p, in.C, ds.ld, dv.ld, in.dy.ld, in.s.ld, in.v.ld, in.empty)
	})
}

func BenchmarkStackGradFrozen(b *testing.B) {
	dv := newGuarded(16, 512, 512, nil)
	benchStack(b, func(k stackTable, in *stackCase, ds *guarded) {
		k.Grad(ds.ptr(), nil, nil, nil, dv.ptr(),
			in.dy.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noopPtr(), in.v.ptr(),
			in.D, in.D, in.p, in.C, ds.ld, dv.ld, in.dy.ld, in.s.ld, in.v.ld, in.empty)
	})
}

func benchStack(b *testing.B, run func(stackTable, *stackCase, *guarded)) {
	for _, isa := range Available() {
		k := stackFor(isa)
		for _, s := range stackBenchShapes {
			in := newStackCase(s, 1)
			in.hasNoop = false
			dst := newGuarded(s[0], s[2], s[2], nil)
			for _, p := range []*guarded{in.s, in.dy, in.v, in.push, in.pop, dst} {
				p.align()
			}
			b.Run(fmt.Sprintf("isa=%v/D=%d/p=%d/C=%d", isa, s[0], s[1], s[2]), func(b *testing.B) {
				for b.Loop() {
					run(k, in, dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s[0]*s[2]), "ns/element")
			})
		}
	}
}

// align moves a matrix to the start of a cache line and removes the gaps between its
// rows. The buffers of a scan are stored in this way.
func (p *guarded) align() {
	q := newGuarded(p.rows, p.n, p.n, nil)
	q.buf = make([]float32, p.rows*p.n+16)
	for q.off = 0; uintptr(unsafe.Pointer(q.ptr()))%64 != 0; q.off++ {
	}
	for r := range p.rows {
		copy(Line(q.ptr(), r, q.ld, q.n), Line(p.ptr(), r, p.ld, p.n))
	}
	*p = *q
}

func BenchmarkTranspose(b *testing.B) {
	for _, isa := range Available() {
		for _, s := range [][2]int{{256, 1}, {256, 2}, {256, 3}, {3, 256}, {10, 40}, {256, 64}} {
			x, dst := newGuarded(s[0], s[1], s[1], drawAny(newRand())), newGuarded(s[1], s[0], s[0], nil)
			b.Run(fmt.Sprintf("isa=%v/rows=%d/cols=%d", isa, s[0], s[1]), func(b *testing.B) {
				for b.Loop() {
					stackFor(isa).Transpose(dst.ptr(), x.ptr(), s[0], s[1], dst.ld, x.ld)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s[0]*s[1]), "ns/element")
			})
		}
	}
}
