package ptxemu

import (
	"os"
	"testing"
)

// BenchmarkSum measures how many instructions per second the interpreter runs, summed over
// the threads. The kernel, compiled by clang, computes row sums. It uses loads, loops,
// shared memory and barriers.
func BenchmarkSum(b *testing.B) {
	text, err := os.ReadFile("testdata/sum.ptx")
	if err != nil {
		b.Fatal(err)
	}
	k := parsed(b, string(text))
	m := NewMachine()
	const rows, n = 16, 4096
	x, y := m.Alloc(rows*n), m.Alloc(rows)
	if err := m.Fill(x, 0x3f800000, rows*n); err != nil {
		b.Fatal(err)
	}
	params := append(pack(x, y), 0, n>>8, 0, 0)
	for b.Loop() {
		if err := m.Launch(k, [3]uint32{rows, 1, 1}, [3]uint32{64, 1, 1}, params); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(m.Steps)/b.Elapsed().Seconds()/1e6, "Minstr/s")
}

// BenchmarkFMA measures how many instructions per second the interpreter runs, summed over
// the threads. The kernel is a loop of dependent FMAs in registers.
func BenchmarkFMA(b *testing.B) {
	body := "mov.u32 %r5, 0; mov.f32 %f1, 0f3F000000;\nA:\n"
	for range 16 {
		body += "fma.rn.f32 %f1, %f1, 0f3F7FFF58, 0f3A83126F;\n"
	}
	k := parsed(b, wrap(body+"add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 100; @%p1 bra A;"))
	m := NewMachine()
	for b.Loop() {
		if err := m.Launch(k, [3]uint32{1, 1, 1}, [3]uint32{256, 1, 1}, pack(0, 0)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(m.Steps)/b.Elapsed().Seconds()/1e6, "Minstr/s")
}
