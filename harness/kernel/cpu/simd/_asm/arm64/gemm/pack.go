package main

import (
	"fmt"

	. "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"
)

// copyRows writes a kernel that copies t.K rows of some vectors, the last of which has
// t.Last columns, to a panel, with zeros for missing columns.
func copyRows(name string, vectors int) {
	begin(name)
	load(regA, offA)
	load(regC, offC)
	load(regK, offK)
	load(aRow, offARow)
	load(cRow, offCRow)
	load(last, offLast)
	for n := 1; n < lanes; n++ {
		I("CMP $%d, %v", n, last)
		I("BEQ next%d", n)
	}
	for _, n := range []int{4, 1, 2, 3} {
		x := Vs(0, vectors)
		Label(fmt.Sprintf("next%d", n))
		LoadAll(x, regA, n, free)
		I("ADD %v, %v", aRow, regA)
		StoreAll(x, regC, lanes, free)
		I("ADD %v, %v", cRow, regC)
		I("SUBS $1, %v", regK)
		I("BNE next%d", n)
		I("RET")
	}
}

// transpose writes a kernel that copies up to four rows of a matrix to columns. There are
// t.Tiles rows of t.K elements. Each column gets four elements, with zeros for missing rows.
func transpose(name string) {
	begin(name)
	load(regA, offA)
	load(regC, offC)
	load(regK, offK)
	load(aRow, offARow)
	load(cRow, offCRow)
	load(tiles, offTiles)
	p := Without(t, regA, regC, regK, aRow, cRow, tiles, free)[:lanes]
	x, half, y := Vs(0, 4), Vs(4, 4), Vs(16, 4)
	I("MOVD %v, %v", regA, p[0])
	for i := 1; i < lanes; i++ {
		I("ADD %v, %v, %v", aRow, p[i-1], p[i])
	}
	Zero(x...)
	for n := 1; n < lanes; n++ {
		I("CMP $%d, %v", n, tiles)
		I("BEQ rows%d", n)
	}
	for _, n := range []int{4, 1, 2, 3} {
		Label(fmt.Sprintf("rows%d", n))
		I("SUBS $4, %v", regK)
		I("BLT rest%d", n)
		Label(fmt.Sprintf("four%d", n))
		for i := range n {
			I("FMOVQ.P 16(%v), %v", p[i], x[i])
		}
		Zip1(half[0], x[0], x[2])
		Zip2(half[1], x[0], x[2])
		Zip1(half[2], x[1], x[3])
		Zip2(half[3], x[1], x[3])
		Zip1(y[0], half[0], half[2])
		Zip2(y[1], half[0], half[2])
		Zip1(y[2], half[1], half[3])
		Zip2(y[3], half[1], half[3])
		for _, v := range y {
			I("FMOVQ %v, (%v)", v, regC)
			I("ADD %v, %v", cRow, regC)
		}
		I("SUBS $4, %v", regK)
		I("BGE four%d", n)
		Label(fmt.Sprintf("rest%d", n))
		I("ADDS $4, %v", regK)
		I("BEQ done")
		Label(fmt.Sprintf("one%d", n))
		Zero(y[0])
		for i := range n {
			I("VLD1.P 4(%v), %s", p[i], y[0].Lane(i))
		}
		I("FMOVQ %v, (%v)", y[0], regC)
		I("ADD %v, %v", cRow, regC)
		I("SUBS $1, %v", regK)
		I("BNE one%d", n)
		I("RET")
	}
	Label("done")
	I("RET")
}
