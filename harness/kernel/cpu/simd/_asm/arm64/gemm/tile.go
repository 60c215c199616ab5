package main

import (
	"fmt"

	. "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"
)

// Offsets in GemmTile of package simd.
const (
	offA = 8 * iota
	offB
	offC
	offK
	offTiles
	offAStep
	offARow
	offANext
	offBStep
	offCRow
	offLast
	offAdd
	offPanel
	offMode
)

// Modes of reading B.
const (
	modePlain = iota
	modeMasked
	modeCopy
)

// tile writes a kernel that computes tiles of some rows and vectors.
//
// There are two loops over k. If A is stored by rows, the elements of a row are adjacent,
// and the first loop reads four of them at a time. It has a pointer for each row. Otherwise
// the elements of a column are adjacent, and the second loop reads all of them. Each loop
// exists once for each number of columns of B in the last vector, and once more for
// modeCopy.
type tile struct {
	rows, vectors int
	acc, a, b     []V
	pointers      []R // the rows of A
}

// Registers of a tile.
const (
	t R = iota
	regA
	regB
	regC
	regK
	aStep
	aRow
	bStep
	tiles
	cRow
	last
	panel
	free
)

func newTile(rows, vectors int) *tile {
	n := rows * vectors
	return &tile{rows: rows, vectors: vectors, acc: Vs(0, n), a: Vs(V(n), rows), b: Vs(V(n+rows), vectors),
		pointers: Without(t, regA, regB, regC, regK, aStep, aRow, bStep, tiles, cRow, last, panel, free)[:rows]}
}

func (w *tile) write(name string) {
	begin(name)
	load(regA, offA)
	load(regC, offC)
	load(aStep, offAStep)
	load(aRow, offARow)
	load(bStep, offBStep)
	load(tiles, offTiles)
	load(cRow, offCRow)
	load(last, offLast)

	Label("tile")
	Zero(w.acc...)
	load(regB, offB)
	load(regK, offK)
	load(free, offMode)
	w.choose("columns", "rows")
	w.byRows()
	w.byColumns()

	Label("finish")
	w.finish()
	Label("next")
	if w.copies() {
		load(free, offMode)
		I("CMP $%d, %v", modeCopy, free)
		I("BNE go")
		load(free, offPanel)
		I("MOVD %v, %d(%v)", free, offB, t)
		I("MOVD $%d, %v", 16*w.vectors, bStep)
		I("MOVD %v, %d(%v)", bStep, offBStep, t)
		I("MOVD ZR, %d(%v)", offMode, t)
		Label("go")
	}
	// regA is where the tile started. It moves by K steps, as in the kernels for amd64, and
	// then by aNext.
	load(regK, offK)
	I("MADD %v, %v, %v, %v", aStep, regA, regK, regA)
	load(free, offANext)
	I("ADD %v, %v", free, regA)
	I("SUBS $1, %v", tiles)
	I("BNE tile")
	I("RET")
}

// begin starts a kernel.
func begin(name string) {
	Text(name, 8)
	I("MOVD t+0(FP), %v", t)
}

// load emits a load of a field of GemmTile.
func load(to R, field int) { I("MOVD %d(%v), %v", field, t, to) }

// copies reports whether the kernel implements modeCopy.
func (w *tile) copies() bool { return w.vectors == 2 && w.rows >= lowest }

// choose emits jumps to the loop for the way in which A is stored, the mode in the register
// free, and the number of columns in the last vector. The parameters are the stems of the
// labels of the loops.
func (w *tile) choose(byColumns, byRows string) {
	I("CMP $4, %v", aStep)
	I("BNE %s", byColumns)
	w.jumps(byRows)
	Label(byColumns)
	w.jumps(byColumns)
}

func (w *tile) jumps(loop string) {
	I("CBZ %v, %s4", free, loop)
	if w.copies() {
		I("CMP $%d, %v", modeCopy, free)
		I("BEQ %sCopy", loop)
	}
	for n := 1; n < lanes; n++ {
		I("CMP $%d, %v", n, last)
		I("BEQ %s%d", loop, n)
	}
	I("B %s4", loop)
}

// loadB emits a load of a row of B, the last vector of which has n columns.
func (w *tile) loadB(n int, copied bool) {
	LoadAll(w.b, regB, n, free)
	I("ADD %v, %v", bStep, regB)
	if copied {
		I("FSTPQ.P (%v, %v), 32(%v)", w.b[0], w.b[1], panel)
	}
}

// eachLoop calls loop for each way of reading B. The jumps of the method jumps lead to the labels.
func (w *tile) eachLoop(stem string, loop func(label string, n int, copied bool)) {
	for n := 1; n <= lanes; n++ {
		loop(fmt.Sprintf("%s%d", stem, n), n, false)
	}
	if w.copies() {
		loop(stem+"Copy", lanes, true)
	}
}

// byRows emits the loops for A stored by rows.
func (w *tile) byRows() {
	w.eachLoop("rows", func(label string, n int, copied bool) {
		Label(label)
		if copied {
			load(panel, offPanel)
		}
		for i, p := range w.pointers {
			if i == 0 {
				I("MOVD %v, %v", regA, p)
			} else {
				I("ADD %v, %v, %v", aRow, w.pointers[i-1], p)
			}
		}
		I("SUBS $4, %v", regK)
		I("BLT %sRest", label)
		Label(label + "Loop")
		for i, p := range w.pointers {
			I("FMOVQ.P 16(%v), %v", p, w.a[i])
		}
		for k := range 4 {
			w.loadB(n, copied)
			w.multiply(func(i int) (V, int) { return w.a[i], k })
		}
		I("SUBS $4, %v", regK)
		I("BGE %sLoop", label)
		Label(label + "Rest")
		I("ADDS $4, %v", regK)
		I("BEQ finish")
		Label(label + "Single")
		for i, p := range w.pointers {
			I("FMOVS.P 4(%v), %v", p, w.a[i])
		}
		w.loadB(n, copied)
		w.multiply(func(i int) (V, int) { return w.a[i], 0 })
		I("SUBS $1, %v", regK)
		I("BNE %sSingle", label)
		I("B finish")
	})
}

// byColumns emits the loops for A stored by columns.
func (w *tile) byColumns() {
	p := w.pointers[0]
	w.eachLoop("columns", func(label string, n int, copied bool) {
		Label(label)
		if copied {
			load(panel, offPanel)
		}
		I("MOVD %v, %v", regA, p)
		Label(label + "Loop")
		LoadAll(w.a[:(w.rows+3)/4], p, (w.rows-1)%4+1, free)
		I("ADD %v, %v", aStep, p)
		w.loadB(n, copied)
		w.multiply(func(i int) (V, int) { return w.a[i/4], i % 4 })
		I("SUBS $1, %v", regK)
		I("BNE %sLoop", label)
		I("B finish")
	})
}

// multiply emits acc[i][v] = FMA(a, b[v], acc[i][v]) for each row i and vector v. The
// function a returns the register and the lane of the row's element of A.
func (w *tile) multiply(a func(i int) (V, int)) {
	for i := range w.rows {
		r, lane := a(i)
		for v, b := range w.b {
			FMlaLane(w.acc[i*w.vectors+v], b, r, lane)
		}
	}
}

// finish emits code that stores the tile in C or adds it to C, and leaves regC behind it.
func (w *tile) finish() {
	load(panel, offAdd)
	I("MOVD %v, %v", regC, regB)
	for n := 1; n < lanes; n++ {
		I("CMP $%d, %v", n, last)
		I("BEQ finish%d", n)
	}
	I("B finish4")
	for n := 1; n <= lanes; n++ {
		Label(fmt.Sprintf("finish%d", n))
		I("CBZ %v, store%d", panel, n)
		for i := range w.rows {
			LoadAll(w.b, regB, n, free)
			I("ADD %v, %v", cRow, regB)
			for v, b := range w.b {
				FAdd(w.acc[i*w.vectors+v], b, w.acc[i*w.vectors+v])
			}
		}
		Label(fmt.Sprintf("store%d", n))
		for i := range w.rows {
			StoreAll(w.acc[i*w.vectors:(i+1)*w.vectors], regC, n, free)
			I("ADD %v, %v", cRow, regC)
		}
		I("B next")
	}
}
