package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// sharedProduct returns a function that computes a product on two threads.
func sharedProduct(tb testing.TB, isa ISA, m, k, n int) func() {
	team := newTeam(2)
	tb.Cleanup(team.close)
	g := simd.NewGemmTeam(isa, 2, team.do)
	matrix := func(size int) *float32 {
		r := rand.New(rand.NewPCG(1, 1))
		x := make([]float32, size)
		for i := range x {
			x[i] = float32(r.Float64() - 0.5)
		}
		return &x[0]
	}
	a := simd.GemmArgs{M: m, N: n, K: k, A: matrix(m * k), B: matrix(k * n), C: matrix(m * n), Lda: k, Ldb: n, Ldc: n}
	return func() { g.Run(&a) }
}

func TestGemmTeamAllocatesNothing(t *testing.T) {
	run := sharedProduct(t, Best(), 128, 128, 128)
	for range 20 { // until both workers have taken part
		run()
	}
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// BenchmarkGemmTeam measures products on two threads.
func BenchmarkGemmTeam(b *testing.B) {
	for _, isa := range Available() {
		if isa == Generic {
			continue
		}
		for _, s := range [][3]int{{128, 991, 3964}, {4480, 125, 1000}, {64, 600, 2400}, {10, 12, 48}} {
			b.Run(fmt.Sprintf("isa=%v/M=%d/K=%d/N=%d/threads=2", isa, s[0], s[1], s[2]), func(b *testing.B) {
				run := sharedProduct(b, isa, s[0], s[1], s[2])
				for b.Loop() {
					run()
				}
				rate := 2 * float64(s[0]) * float64(s[1]) * float64(s[2]) * float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rate/1e9, "GFLOP/s")
				b.ReportMetric(100*rate/Peak(), "peak-%")
			})
		}
	}
}

// TestMatMulContinues checks that a sum over rows has the same bits in several frames as in
// one.
func TestMatMulContinues(t *testing.T) {
	const rows, m, n = 700, 5, 37
	for _, isa := range Available() {
		for _, cut := range []int{256, 512} {
			t.Run(fmt.Sprintf("isa=%v/cut=%d", isa, cut), func(t *testing.T) {
				d, err := New(Options{ISA: isa})
				if err != nil {
					t.Fatal(err)
				}
				defer d.Close()
				const x, y, c = 0, rows * m, rows * (m + n)
				a, err := d.NewArena(c + m*n)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				rng := rand.New(rand.NewPCG(1, 3))
				values := make([]float32, c+m*n)
				for i := range values {
					values[i] = float32(rng.NormFloat64())
				}
				a.Write(0, values)
				in := kernel.Instr{Op: kernel.MatMul, M: m, W: n, Reduce: true, I: [3]int{1}, Args: []kernel.Arg{
					{Slot: kernel.FixedSlot, Off: c, LD: n},
					{Slot: kernel.Current, Off: x, Row: m, LD: m},
					{Slot: kernel.Current, Off: y, Row: n, LD: n}}}
				program, err := a.Compile([]kernel.Instr{in})
				if err != nil {
					t.Fatal(err)
				}
				result := func(frames ...kernel.Frame) []float32 {
					a.Run(program, frames)
					out := make([]float32, m*n)
					a.Read(c, out)
					return out
				}
				start := [kernel.NumSlots]int{kernel.Current: cut}
				got := result(kernel.Frame{N: cut}, kernel.Frame{N: rows - cut, Start: start, Continues: true})
				for i, want := range result(kernel.Frame{N: rows}) {
					if !equalBits(got[i], want) {
						t.Fatalf("element %d is %g, want the %g of one frame", i, got[i], want)
					}
				}
			})
		}
	}
}
