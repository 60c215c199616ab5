package simd

import (
	"math"
	"testing"
)

// TestLookup compares Numbers with Gather, for tables of every size and results of every
// length up to a few vectors, at unaligned addresses. Guards surround the result. The
// words after the table must not be used.
func TestLookup(t *testing.T) {
	for _, isa := range Available() {
		k := KernelsFor(isa)
		for size := 1; size <= k.Lookup.Most; size++ {
			table := make([]float32, size+3)
			for i := range table {
				table[i] = float32(i) - 0.5
			}
			table[0] = float32(math.Copysign(0, -1))
			table[size-1] = math.Float32frombits(0xffc12345) // a NaN, whose payload must be kept
			for n := range 150 {
				const guard = 5
				ids, dst := make([]int32, n), make([]float32, n+2*guard)
				want := make([]float32, n)
				for i := range ids {
					ids[i] = int32((i*7 + n) % size)
					want[i] = table[ids[i]]
				}
				for i := range dst {
					dst[i] = 77
				}
				k.Lookup.Numbers(&dst[guard], &table[0], size, unsafeInts(ids), n)
				for i, v := range dst {
					if i < guard || i >= guard+n {
						if v != 77 {
							t.Fatalf("isa=%v: %d of %d: wrote %v at %d", isa, n, size, v, i-guard)
						}
					} else if w := want[i-guard]; math.Float32bits(v) != math.Float32bits(w) {
						t.Fatalf("isa=%v: %d of %d: number %d is %v, want %v", isa, n, size, i-guard, v, w)
					}
				}
			}
		}
	}
}

// unsafeInts returns the address of the first number of x. If x is empty, it returns
// some other valid address.
func unsafeInts(x []int32) *int32 {
	if len(x) == 0 {
		return new(int32)
	}
	return &x[0]
}
