package simd

// reduceTable holds the routines of one instruction set that sum, move or combine rows. A
// matrix has rows by n elements; its rows are ld apart, ld >= n. It can be empty. An output
// may be the same matrix as an input where the comment of a routine says so; otherwise no
// output overlaps an input. Nothing outside the rows by n elements is read or written.
type reduceTable struct {
	// ColSum sums each column as the contract states for sums over rows. The result
	// has the bits of a product with a row of ones. If again is set, ColSum adds
	// the sums of the chunks to the contents of dst instead of overwriting them.
	//
	//	part[k][j] = +0 + x[256*k][j] + x[256*k+1][j] + ... // up to 256 rows
	//	dst[j] = part[0][j] + part[1][j] + ... // +0 without rows
	ColSum func(dst, x *float32, rows, n, ldx int, again bool)

	// SumSquares returns the sum of the rounded squares, added as the contract states
	// for sums along a row (see reduceSum).
	SumSquares func(x *float32, n int) float32

	// Gather copies table rows by index. The caller must ensure that no index is out
	// of range.
	//
	//	dst[i] = table[ids[i]] // n elements each
	Gather func(dst, table *float32, ids *int32, rows, n, ldd, ldt int)

	// ScatterRows is the inverse of Gather. No index may occur twice.
	//
	//	dst[ids[i]] = x[i] // n elements each
	ScatterRows func(dst, x *float32, ids *int32, rows, n, ldd, ldx int)

	// ScatterAdd is the gradient of Gather. dst has vocab rows, and row w becomes the
	// sum of the rows x[i] with ids[i] = w, in chunks of 256 rows of x. If no index is
	// w, row w becomes +0. For finite x, the result has the bits of the product with
	// the one-hot matrix of ids. dst must not overlap x. scratch has at least
	// rows + vocab + 1 elements, for the row numbers, sorted by index, and for the place at which
	// those of each index end. Its contents do not matter before or after.
	//
	//	part[k][w] = +0 + x[i] + ... // the i of 256*k <= i < 256*(k+1) with ids[i] = w, increasing
	//	dst[w] = part[0][w] + part[1][w] + ...
	ScatterAdd func(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32)

	// SumRows computes one row of dst in ScatterAdd; see the type sumRows.
	SumRows sumRows

	// CopyRows copies a matrix. The row distances of dst and x may differ.
	//
	//	dst[r][j] = x[r][j]
	CopyRows func(dst, x *float32, rows, n, ldd, ldx int)

	// AddRow adds a vector to each row. dst may be x.
	//
	//	dst[r][j] = x[r][j] + row[j]
	AddRow func(dst, x, row *float32, rows, n, ldd, ldx int)

	// MulRow multiplies each row by a vector, element by element. dst may be x.
	//
	//	dst[r][j] = x[r][j] * row[j]
	MulRow func(dst, x, row *float32, rows, n, ldd, ldx int)

	// Mix is the sum of the blocks of a row, each of n elements, weighted by w.
	//
	//	t := w[r][0] * x[r][j]
	//	for b := 1; b < blocks; b++ { t = FMA(w[r][b], x[r][b*n+j], t) }
	//	dst[r][j] = t
	Mix func(dst, w, x *float32, rows, blocks, n, ldd, ldw, ldx int)

	// MixGrad is the gradient of Mix with respect to the blocks.
	//
	//	dst[r][b*n+j] = dy[r][j] * w[r][b]
	MixGrad func(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int)
}

// SumBlock is the greatest number of elements that are summed without dividing them into
// blocks.
const SumBlock = 4096

// leaf sums n <= SumBlock products into 64 strided partial sums and folds them.
//
//	for i := range x { part[i%64] += float32(x[i] * y[i]) } // from +0
//	for h := 32; h > 0; h /= 2 { for i := range h { part[i] += part[i+h] } }
//	return part[0]
type leaf func(x, y *float32, n int) float32

// reduceSum returns the sum along a row of any length, as the numeric contract defines it.
func reduceSum(f leaf, x, y *float32, n int) float32 { return sumBlocks(f, x, y, n, SumBlock) }

// sumBlocks returns f(x, y, n) if n is at most the parameter block. Otherwise it divides x
// and y into blocks of that length, computes a sum for each block, and adds up these sums
// by the same rule. It adds each sum to one of 64 partial sums as soon as it has it, and
// keeps no list of the sums. If the last block of sums is a single sum, sumBlocks does not
// add this sum to +0 first, which would not change it: a sum is never -0. The parameter
// block is SumBlock except in tests.
func sumBlocks(f leaf, x, y *float32, n, block int) float32 {
	if n <= block {
		return f(x, y, n)
	}
	size := block
	for (n+size-1)/size > block {
		size *= block
	}
	var part [64]float32
	for i, o := 0, 0; o < n; i, o = i+1, o+size {
		part[i%64] += sumBlocks(f, At(x, o), At(y, o), min(size, n-o), block)
	}
	return Fold64(&part)
}

// Fold64 adds the upper half of part to the lower half until one number is left, which
// it returns. It overwrites part.
func Fold64(part *[64]float32) float32 {
	for h := 32; h > 0; h /= 2 {
		for i := range h {
			part[i] += part[i+h]
		}
	}
	return part[0]
}
