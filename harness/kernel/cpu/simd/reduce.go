package simd

// reduceTable is the sums and the moves by rows of one instruction set. A
// matrix has rows by n elements, its rows ld apart, ld >= n. rows = 0 and
// n = 0 are allowed. An output may be the very matrix it is computed from
// where the entry says so; otherwise no output overlaps an input. Nothing
// outside the rows by n elements is read or written.
type reduceTable struct {
	// ColSum is the sum of each column as rule 4 has it: the bits of a GEMM
	// with a row of ones. If again is set the chunks are added to what dst
	// holds.
	//
	//	part[k][j] = +0 + x[256*k][j] + x[256*k+1][j] + ... // up to 256 rows
	//	dst[j] = part[0][j] + part[1][j] + ... // +0 without rows
	ColSum func(dst, x *float32, rows, n, ldx int, again bool)

	// SumSquares is the sum, as rule 5 has it (see reduceSum), of the rounded
	// squares.
	SumSquares func(x *float32, n int) float32

	// Gather fetches table rows by number. An id out of range is the caller's
	// mistake and is not noticed.
	//
	//	dst[i] = table[ids[i]] // n elements each
	Gather func(dst, table *float32, ids *int32, rows, n, ldd, ldt int)

	// ScatterRows is gather turned round; no id occurs twice.
	//
	//	dst[ids[i]] = x[i] // n elements each
	ScatterRows func(dst, x *float32, ids *int32, rows, n, ldd, ldx int)

	// ScatterAdd is the gradient of gather: in each of the vocab rows of dst
	// the sum of the rows of x that carry its number, in chunks of 256 rows of
	// x. Rows that do not occur become +0. It gives the bits of rule 2 for the
	// product of the one-hot matrix of ids with a finite x. dst does not
	// overlap x. scratch has scatterScratch(rows, n, vocab) elements and holds
	// nothing before or after.
	//
	//	part[k][w] = +0 + x[i] + ... // the i of 256*k <= i < 256*(k+1) with ids[i] = w, rising
	//	dst[w] = part[0][w] + part[1][w] + ...
	ScatterAdd func(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32)

	// SumRows adds the rows of one id, which have been sorted: see there.
	SumRows sumRows

	// CopyRows copies a matrix between two row distances.
	//
	//	dst[r][j] = x[r][j]
	CopyRows func(dst, x *float32, rows, n, ldd, ldx int)

	// AddRow adds a vector to each row. dst may be x.
	//
	//	dst[r][j] = x[r][j] + row[j]
	AddRow func(dst, x, row *float32, rows, n, ldd, ldx int)

	// MulRow multiplies each row by a vector. dst may be x.
	//
	//	dst[r][j] = x[r][j] * row[j]
	MulRow func(dst, x, row *float32, rows, n, ldd, ldx int)

	// Mix is the sum of the blocks of a row, each of n elements, by its weights.
	//
	//	t := w[r][0] * x[r][j]
	//	for b := 1; b < blocks; b++ { t = FMA(w[r][b], x[r][b*n+j], t) }
	//	dst[r][j] = t
	Mix func(dst, w, x *float32, rows, blocks, n, ldd, ldw, ldx int)

	// MixGrad is the gradient of its blocks.
	//
	//	dst[r][b*n+j] = dy[r][j] * w[r][b]
	MixGrad func(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int)
}

// SumBlock is the longest vector that rule 5 sums directly.
const SumBlock = 4096

// leaf sums n <= SumBlock products into 64 strided partial sums and folds them.
//
//	for i := range x { part[i%64] += float32(x[i] * y[i]) } // from +0
//	for h := 32; h > 0; h /= 2 { for i := range h { part[i] += part[i+h] } }
//	return part[0]
type leaf func(x, y *float32, n int) float32

// reduceSum is rule 5 for any length.
func reduceSum(f leaf, x, y *float32, n int) float32 { return sumBlocks(f, x, y, n, SumBlock) }

// sumBlocks is the sum of at most block elements by f; beyond, that of the sums
// of blocks of so many elements, summed by the same rule. It keeps only the
// partial sums of the upper level, and so does the level above it: the i-th
// sum is added as it comes. A sum is never -0, so a last block that is one sum
// alone needs no level of its own. block is SumBlock but in tests.
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

// Fold64 adds halves until one number is left; part is spent.
func Fold64(part *[64]float32) float32 {
	for h := 32; h > 0; h /= 2 {
		for i := range h {
			part[i] += part[i+h]
		}
	}
	return part[0]
}

// scatterScratch is the number of 4-byte elements that scatterAdd needs: the
// rows sorted by id, and where each id's rows begin. It is never 0.
func scatterScratch(rows, n, vocab int) int { return rows + vocab + 1 }
