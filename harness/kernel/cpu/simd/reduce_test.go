package simd

import (
	"math"
	"testing"
	"unsafe"
)

// sumAlongRow returns the sum along a row as the contract states it. It stores the sums
// of the blocks in a list, unlike the code under test.
func sumAlongRow(n int, x func(i int) float32) float32 { return sumAlongRowBy(4096, n, x) }

func sumAlongRowBy(block, n int, x func(i int) float32) float32 {
	if n > block {
		var sums []float32
		for o := 0; o < n; o += block {
			sums = append(sums, sumAlongRowBy(block, min(block, n-o), func(i int) float32 { return x(o + i) }))
		}
		return sumAlongRowBy(block, len(sums), func(i int) float32 { return sums[i] })
	}
	var p [64]float32
	for i := range n {
		p[i%64] += x(i)
	}
	for h := 32; h > 0; h /= 2 {
		for i := range h {
			p[i] += p[i+h]
		}
	}
	return p[0]
}

func TestSumsFollowContract(t *testing.T) {
	for kind := range testDraws {
		for _, n := range testLengths(127, 128, 129, 640, 4095, 4096, 4097, 8192, 64*4096+5) {
			x := newVector(n, testDraws[kind].make(newRand(n, kind)))
			squares := sumAlongRow(n, func(i int) float32 { return x.at(0, i) * x.at(0, i) })
			for _, isa := range Available() {
				k := reduceFor(isa)
				if have := k.SumSquares(x.ptr(), n); !sameBits(have, squares) {
					t.Fatalf("%v: sum of %d squares (%s) is %v, want %v", isa, n, testDraws[kind].name, have, squares)
				}
			}
		}
	}
}

// TestSumsOfSumsFollowContract tests rows with more blocks than a block has elements, so
// that the sums of the blocks are summed in blocks too. With blocks of 4,096 that takes
// 16 million numbers, so the test uses shorter blocks.
func TestSumsOfSumsFollowContract(t *testing.T) {
	for _, block := range []int{3, 70} {
		for _, n := range []int{block + 1, block * block, block*block + 1, 2*block*block + block, block*block*block + 5} {
			x := newVector(n, drawAny(newRand(n)))
			have := sumBlocks(func(x, _ *float32, n int) float32 { return sumAlongRow(n, func(i int) float32 { return *At(x, i) }) }, x.ptr(), x.ptr(), n, block)
			want := sumAlongRowBy(block, n, func(i int) float32 { return x.at(0, i) })
			if !sameBits(have, want) {
				t.Fatalf("sum of %d numbers in blocks of %d is %v, want %v", n, block, have, want)
			}
		}
	}
}

func TestColSumIsAProductWithOnes(t *testing.T) {
	shapes := [][2]int{{9000, 1}, {2500, 2}, {2049, 17}, {793, 130}, {300, 300}, {256, 16}, {257, 33}, {2048, 1}, {512, 129}}
	for _, n := range testLengths() {
		for _, rows := range []int{0, 1, 3, 300} {
			shapes = append(shapes, [2]int{rows, n})
		}
	}
	for rows := 1; rows < 4000; rows += 301 {
		shapes = append(shapes, [2]int{rows, 1 + rows%5})
	}
	for kind := range testDraws {
		for _, s := range shapes {
			rows, n := s[0], s[1]
			r := newRand(rows, n, kind)
			x := newGuarded(rows, n, n+r.IntN(2)*r.IntN(9), testDraws[kind].make(r))
			want := once(1, n, func(_, c int) float32 {
				var sum float32
				for r0 := 0; r0 < rows; r0 += 256 {
					part := float32(0)
					for r := r0; r < min(r0+256, rows); r++ {
						part += x.at(r, c)
					}
					if r0 == 0 {
						sum = part
					} else {
						sum += part
					}
				}
				return sum
			})
			for _, isa := range Available() {
				dst := newVector(n, nil)
				reduceFor(isa).ColSum(dst.ptr(), x.ptr(), rows, n, x.ld, false)
				dst.want(t, labelFor(isa, "colSum of", rows, n), want)
				// Compute the sums in two calls. The first call gets only whole chunks.
				dst = newVector(n, nil)
				whole := rows / 512 * 256
				reduceFor(isa).ColSum(dst.ptr(), x.ptr(), whole, n, x.ld, false)
				reduceFor(isa).ColSum(dst.ptr(), At(x.ptr(), whole*x.ld), rows-whole, n, x.ld, true)
				dst.want(t, labelFor(isa, "colSum in two calls of", rows, n), want)
			}
		}
	}
}

func TestGatherFetchesRows(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		for _, n := range append(testLengths(64, 128, 200), 1, 1, 1, 64) {
			for _, rows := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 70} {
				r := newRand(rows, n)
				vocab := 1 + r.IntN(40)
				table := newGuarded(vocab, n, n+r.IntN(2)*r.IntN(9), drawEdge(r))
				dst := newGuarded(rows, n, n+r.IntN(2)*r.IntN(9), nil)
				ids := newIDs(rows, vocab, r.IntN)
				reduceFor(isa).Gather(dst.ptr(), table.ptr(), unsafe.SliceData(ids), rows, n, dst.ld, table.ld)
				dst.want(t, labelFor(isa, "gather of", rows, n), func(i, j int) float32 { return table.at(int(ids[i]), j) })
			}
		}
	})
}

func TestScatterRowsPlacesRows(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		for _, n := range append(testLengths(64, 128, 200), 1, 64) {
			for _, rows := range []int{0, 1, 2, 7, 33} {
				r := newRand(rows, n)
				vocab := rows + r.IntN(9)
				x, dst := newGuarded(rows, n, n+r.IntN(2)*r.IntN(9), drawEdge(r)), newGuarded(vocab, n, n+r.IntN(2)*r.IntN(9), drawEdge(r))
				before := dst.clone()
				ids, order := newIDs(rows, 1, r.IntN), r.Perm(vocab)
				for i := range ids {
					ids[i] = int32(order[i])
				}
				reduceFor(isa).ScatterRows(dst.ptr(), x.ptr(), unsafe.SliceData(ids), rows, n, dst.ld, x.ld)
				dst.want(t, labelFor(isa, "scatterRows of", rows, n), func(i, j int) float32 {
					for k, id := range ids {
						if int(id) == i {
							return x.at(k, j)
						}
					}
					return before.at(i, j)
				})
			}
		}
	})
}

// newIDs draws indices below vocab. They are stored in a vector from newVector, so guards
// surround them.
func newIDs(rows, vocab int, intN func(int) int) []int32 {
	p := newVector(rows, func() float32 { return math.Float32frombits(uint32(intN(vocab))) })
	return unsafe.Slice((*int32)(unsafe.Pointer(p.ptr())), rows)
}

func TestRowMoves(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := reduceFor(isa)
		for kind := range testDraws {
			for _, n := range testLengths(127, 128, 300) {
				rows := n * 7 % 11
				if n%2 == 1 && n < 16 {
					rows = 1111 / n // large enough for tileable
				}
				r := newRand(n, kind)
				f := testDraws[kind].make(r)
				x, row := newGuarded(rows, n, n+r.IntN(2)*r.IntN(5), f), newVector(n, f)
				ld := n + r.IntN(2)*r.IntN(5)
				for _, m := range []struct {
					name string
					run  func(dst, src *guarded)
					want func(i, j int) float32
				}{
					{"copyRows", func(dst, src *guarded) { k.CopyRows(dst.ptr(), src.ptr(), rows, n, dst.ld, src.ld) }, x.at},
					{"addRow", func(dst, src *guarded) { k.AddRow(dst.ptr(), src.ptr(), row.ptr(), rows, n, dst.ld, src.ld) },
						func(i, j int) float32 { return x.at(i, j) + row.at(0, j) }},
					{"mulRow", func(dst, src *guarded) { k.MulRow(dst.ptr(), src.ptr(), row.ptr(), rows, n, dst.ld, src.ld) },
						func(i, j int) float32 { return x.at(i, j) * row.at(0, j) }},
					{"scaleCols", func(dst, src *guarded) {
						stackFor(isa).ScaleCols(dst.ptr(), src.ptr(), row.ptr(), rows, n, dst.ld, src.ld)
					}, func(i, j int) float32 { return x.at(i, j) * row.at(0, j) }},
				} {
					dst, in := newGuarded(rows, n, ld, nil), x.clone()
					m.run(dst, x)
					dst.want(t, labelFor(isa, m.name+" of", rows, n), m.want)
					m.run(in, in)
					in.want(t, labelFor(isa, m.name+" in place of", rows, n), m.want)
				}
			}
		}
	})
}
