package simd

import (
	"sort"
	"unsafe"
)

// sumRows computes one row of the table in ScatterAdd, the sum of count rows of x.
// order lists their numbers in increasing order. Rows 256*k to 256*k+255 of x belong to
// chunk k.
//
//	part[order[i]/256][j] += x[order[i]][j] // each part from +0
//	dst[j] = part[0][j] + part[1][j] + ...
type sumRows func(dst, x *float32, order *int32, count, n, ldx int)

// scatterAdd implements ScatterAdd. It sorts the rows by index and adds the rows of each
// index in their order. If a row is a single number and there are few indices, it calls
// scatterNumbers instead. If no row of a chunk has an index, the chunk's sum for this index
// is +0. It need not be added: +0 would change only a sum of -0, and a sum that starts from
// +0 is never -0.
func scatterAdd(f sumRows, dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
	if n == 0 || vocab == 0 {
		return
	}
	if n == 1 && vocab <= scatterFew && scatterLanes*vocab <= rows {
		part := unsafe.Slice((*float32)(unsafe.Pointer(scratch)), scatterLanes*vocab)
		scatterNumbers(dst, x, unsafe.Slice(ids, rows), vocab, ldd, ldx, part)
		return
	}
	sorted := unsafe.Slice(scratch, vocab+rows)
	SortByID(unsafe.Slice(ids, rows), sorted, vocab)
	ScatterSorted(f, dst, x, sorted, 0, vocab, n, vocab, ldd, ldx)
}

// SortByID sorts the row numbers 0 to len(ids)-1 by their index in ids. It stores them in
// the slice sorted, after the first vocab elements. Each of the first elements belongs to an
// index and receives the position at which the row numbers of this index end.
func SortByID(ids, sorted []int32, vocab int) {
	next, order := sorted[:vocab], sorted[vocab:]
	clear(next)
	for _, w := range ids {
		next[w]++
	}
	end := int32(0)
	for w, count := range next {
		next[w] = end
		end += count
	}
	for i, w := range ids {
		order[next[w]] = int32(i)
		next[w]++ // ends up as the end of the rows of w
	}
}

// ScatterSorted computes the rows [from, to) of dst, given the slice that SortByID fills.
func ScatterSorted(f sumRows, dst, x *float32, sorted []int32, from, to, n, vocab, ldd, ldx int) {
	end, order := sorted[:vocab], sorted[vocab:]
	begin := scatterBegin(end, from)
	for w := from; w < to; w++ {
		if begin == end[w] {
			first := w
			for w+1 < to && end[w+1] == begin {
				w++
			}
			scatterClear(dst, first, w+1, n, ldd)
			continue
		}
		f(At(dst, w*ldd), x, &order[begin], int(end[w]-begin), n, ldx)
		begin = end[w]
	}
}

// scatterClear sets the rows [from, to) to zero, in one call if the rows have no gaps.
func scatterClear(dst *float32, from, to, n, ldd int) {
	if n == ldd {
		clear(Line(dst, from, ldd, (to-from)*n))
		return
	}
	for w := from; w < to; w++ {
		clear(Line(dst, w, ldd, n))
	}
}

// scatterBegin returns the position of the first row of index w among the rows that are
// sorted by index.
func scatterBegin(end []int32, w int) int32 {
	if w == 0 {
		return 0
	}
	return end[w-1]
}

// ScatterRow helps to split the work of ScatterSorted into equal parts. Imagine a list of
// all indices, each followed by its rows. ScatterRow returns the first index at or after
// the given position in this list.
func ScatterRow(end []int32, place int) int {
	return sort.Search(len(end), func(w int) bool { return w+int(scatterBegin(end, w)) >= place })
}

// scatterNumbers implements scatterAdd for n = 1 and a small vocabulary. It sums
// scatterLanes chunks at the same time, so that an addition need not wait for the previous
// one. The parameter part is memory for the sums of these chunks for each index.
func scatterNumbers(dst, x *float32, id []int32, vocab, ldd, ldx int, part []float32) {
	for w := range vocab {
		*At(dst, w*ldd) = 0
	}
	for r := 0; r < len(id); r += scatterLanes * GemmChunk {
		clear(part)
		if rest := id[r:]; len(rest) >= scatterLanes*GemmChunk {
			a, b := rest[:GemmChunk], rest[GemmChunk:2*GemmChunk]
			c, d := rest[2*GemmChunk:3*GemmChunk], rest[3*GemmChunk:4*GemmChunk]
			for i := range GemmChunk {
				part[a[i]*scatterLanes] += *At(x, (r+i)*ldx)
				part[b[i]*scatterLanes+1] += *At(x, (r+i+GemmChunk)*ldx)
				part[c[i]*scatterLanes+2] += *At(x, (r+i+2*GemmChunk)*ldx)
				part[d[i]*scatterLanes+3] += *At(x, (r+i+3*GemmChunk)*ldx)
			}
		} else {
			for i, w := range rest {
				part[int(w)*scatterLanes+i/GemmChunk] += *At(x, (r+i)*ldx)
			}
		}
		for w := range vocab {
			t := At(dst, w*ldd)
			for _, p := range part[w*scatterLanes : (w+1)*scatterLanes] {
				*t += p
			}
		}
	}
}

const (
	scatterLanes = 4  // chunks that scatterNumbers sums at the same time
	scatterFew   = 64 // largest vocabulary for which clearing the partial sums is cheap
)

func sumRowsGeneric(dst, x *float32, order *int32, count, n, ldx int) {
	rows := unsafe.Slice(order, count)
	var sum, part [64]float32
	for j := 0; j < n; j += len(sum) {
		w := min(n-j, len(sum))
		clear(sum[:])
		clear(part[:])
		chunk := rows[0] / GemmChunk
		for _, r := range rows {
			if r/GemmChunk != chunk {
				chunk = r / GemmChunk
				for i := range part[:w] {
					sum[i] += part[i]
					part[i] = 0
				}
			}
			for i, v := range Line(At(x, j), int(r), ldx, w) {
				part[i] += v
			}
		}
		for i, p := range part[:w] {
			sum[i] += p
		}
		copy(Line(At(dst, j), 0, 0, w), sum[:])
	}
}

func scatterAddGeneric(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
	scatterAdd(sumRowsGeneric, dst, x, ids, rows, n, vocab, ldd, ldx, scratch)
}
