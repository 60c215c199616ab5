// Command reduce writes reduce_arm64.s: kernels that move numbers and short rows.
//
//	go run ./arm64/reduce -out ../reduce_arm64.s
package main

import . "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"

func main() {
	gatherNumbers()
	copyNarrow()
	Finish()
}

// gatherNumbers writes dst[i] = table[ids[i]].
func gatherNumbers() {
	const dst, table, ids, rows, id = R(0), R(1), R(2), R(3), R(4)
	Text("gatherNumbersNEON", 32)
	for i, name := range []string{"dst", "table", "ids", "rows"} {
		I("MOVD %s+%d(FP), %v", name, 8*i, R(i))
	}
	Label("next")
	I("SUBS $1, %v", rows)
	I("BLT done")
	I("MOVW.P 4(%v), %v", ids, id)
	I("FMOVS (%v)(%v<<2), F0", table, id)
	I("FMOVS.P F0, 4(%v)", dst)
	I("B next")
	Label("done")
	I("RET")
}

// copyNarrow writes a kernel that copies rows of 1 to 16 elements. It copies each row as two
// pieces of 1, 2, 4 or 8 elements, which may overlap.
func copyNarrow() {
	const dst, x, rows, n, ldd, ldx, end = R(0), R(1), R(2), R(3), R(4), R(5), R(6)
	Text("copyNarrowNEON", 48)
	for i, name := range []string{"dst", "x", "rows", "n", "ldd", "ldx"} {
		I("MOVD %s+%d(FP), %v", name, 8*i, R(i))
	}
	I("LSL $2, %v", ldd)
	I("LSL $2, %v", ldx)
	sizes := []struct {
		n    int // elements in a piece
		name string
		move string // of a piece; empty: of two registers
	}{{8, "eight", ""}, {4, "four", "FMOVQ"}, {2, "two", "FMOVD"}, {1, "one", "FMOVS"}}
	for _, s := range sizes {
		I("CMP $%d, %v", s.n, n)
		I("BGE %s", s.name)
	}
	I("RET")
	for _, s := range sizes {
		Label(s.name)
		I("SUB $%d, %v, %v", s.n, n, end) // bytes to the second piece
		I("LSL $2, %v", end)
		Label(s.name + "Next")
		I("SUBS $1, %v", rows)
		I("BLT done")
		I("ADD %v, %v, %v", end, x, R(7))
		I("ADD %v, %v, %v", end, dst, R(8))
		if s.n == 8 {
			LoadAll(Vs(0, 2), x, 4, Scratch)
			LoadAll(Vs(2, 2), R(7), 4, Scratch)
			StoreAll(Vs(0, 2), dst, 4, Scratch)
			StoreAll(Vs(2, 2), R(8), 4, Scratch)
		} else {
			I("%s (%v), F0", s.move, x)
			I("%s (%v), F1", s.move, R(7))
			I("%s F0, (%v)", s.move, dst)
			I("%s F1, (%v)", s.move, R(8))
		}
		I("ADD %v, %v", ldx, x)
		I("ADD %v, %v", ldd, dst)
		I("B %sNext", s.name)
	}
	Label("done")
	I("RET")
}
