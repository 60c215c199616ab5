package simd

import (
	"math"
	"testing"
	"unsafe"

	"pushdown/harness/numeric"
)

// oneHot returns the element in row w and column j of the product of a one-hot matrix and
// x, which ScatterAdd computes as sums of rows. oneHot adds the elements of column j of all
// rows of x, in chunks. The factor of an element is 1 if its row has the index w, and 0
// otherwise.
func oneHot(x *guarded, ids []int32, w, j int) float32 {
	var sum float32
	for r0 := 0; r0 < x.rows; r0 += 256 {
		part := float32(0)
		for r := r0; r < min(r0+256, x.rows); r++ {
			hot := float32(0)
			if int(ids[r]) == w {
				hot = 1
			}
			part = numeric.FMA(hot, x.at(r, j), part)
		}
		if r0 == 0 {
			sum = part
		} else {
			sum += part
		}
	}
	return sum
}

// occurrences returns the same element as oneHot, but adds only the rows with index w.
// It is the expected result if some inputs are not finite.
func occurrences(x *guarded, ids []int32, w, j int) float32 {
	var sum float32
	for r0 := 0; r0 < x.rows; r0 += 256 {
		part := float32(0)
		for r := r0; r < min(r0+256, x.rows); r++ {
			if int(ids[r]) == w {
				part += x.at(r, j)
			}
		}
		sum += part
	}
	return sum
}

// scatterShapes lists numbers of rows, widths n and sizes of the vocabulary.
var scatterShapes = [][3]int{
	{0, 1, 1}, {0, 3, 4}, {1, 1, 1}, {3, 1, 2}, {255, 1, 4}, {256, 1, 4}, {257, 1, 6}, {1024, 1, 5}, {1025, 1, 9}, {3000, 1, 6}, {700, 1, 64}, {700, 1, 65},
	{600, 1, 300}, {40, 2, 3}, {300, 5, 4}, {520, 8, 3}, {530, 16, 7}, {515, 17, 2}, {600, 31, 3}, {600, 32, 70}, {1100, 33, 4}, {900, 64, 5},
	{777, 65, 3}, {520, 100, 4}, {30, 128, 90}, {300, 200, 3},
}

func TestScatterAddIsAOneHotProduct(t *testing.T) {
	for kind := range testDraws {
		for _, s := range scatterShapes {
			rows, n, vocab := s[0], s[1], s[2]
			r := newRand(rows, n, vocab, kind)
			x := newGuarded(rows, n, n+r.IntN(2)*r.IntN(6), testDraws[kind].make(r))
			ids := newIDs(rows, max(1, vocab-r.IntN(2)), r.IntN)
			meaning := oneHot
			if testDraws[kind].name == "hard" {
				meaning = occurrences
			}
			want := once(vocab, n, func(w, j int) float32 { return meaning(x, ids, w, j) })
			for _, isa := range Available() {
				dst := newGuarded(vocab, n, n+r.IntN(2)*r.IntN(6), nil)
				scratch := make([]int32, rows+vocab+2)
				scratch[len(scratch)-1] = math.MinInt32
				reduceFor(isa).ScatterAdd(dst.ptr(), x.ptr(), unsafe.SliceData(ids), rows, n, vocab, dst.ld, x.ld, &scratch[0])
				dst.want(t, labelFor(isa, "scatterAdd of rows, n, vocab", rows, n, vocab), want)
				if scratch[len(scratch)-1] != math.MinInt32 {
					t.Fatalf("%v: scatterAdd of %v wrote beyond its scratch", isa, s)
				}
			}
		}
	}
}

// TestScatterAddOfMinusZero checks that the sum of rows of -0 is +0, as it is in the
// product with the one-hot matrix.
func TestScatterAddOfMinusZero(t *testing.T) {
	minus := func() float32 { return float32(math.Copysign(0, -1)) }
	eachISA(t, func(t *testing.T, isa ISA) {
		for _, n := range []int{1, 2, 64} {
			x, ids := newGuarded(600, n, n, minus), make([]int32, 600)
			ids[599] = 2
			dst, scratch := newGuarded(4, n, n, nil), make([]int32, 600+4+1)
			reduceFor(isa).ScatterAdd(dst.ptr(), x.ptr(), unsafe.SliceData(ids), 600, n, 4, n, n, &scratch[0])
			dst.want(t, "scatterAdd", func(_, _ int) float32 { return 0 })
		}
	})
}
