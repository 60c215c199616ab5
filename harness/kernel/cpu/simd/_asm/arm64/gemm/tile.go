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
// If A is stored by rows, the elements of a row are adjacent, and a loop over k reads four
// of them at a time. It has a pointer for each row. Otherwise the elements of a column are
// adjacent, and a loop over k reads all of them. Each of the two loops exists once for whole
// vectors of B, once for a last vector of fewer columns, and once for modeCopy. The loop for
// fewer columns tests their number at each k. That takes up to three instructions more than
// a loop for a fixed number would, but only the last tiles of a matrix run it.
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
	mode
)

func newTile(rows, vectors int) *tile {
	n := rows * vectors
	return &tile{rows: rows, vectors: vectors, acc: Vs(0, n), a: Vs(V(n), rows), b: Vs(V(n+rows), vectors),
		pointers: Without(t, regA, regB, regC, regK, aStep, aRow, bStep, tiles, cRow, last, panel, free, mode)[:rows]}
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
	load(mode, offMode)
	I("CMP $%d, %v", lanes, last)
	I("BNE tile")
	I("BIC $%d, %v", modeMasked, mode) // whole vectors need no mask

	Label("tile")
	Zero(w.acc...)
	load(regB, offB)
	load(regK, offK)
	if w.copies() {
		load(panel, offPanel)
	}
	I("CMP $4, %v", aStep)
	I("BNE columns")
	w.byRows()
	Label("columns")
	w.byColumns()

	Label("finish")
	w.finish()
	Label("next")
	if w.copies() {
		I("CMP $%d, %v", modeCopy, mode)
		I("BNE go")
		load(free, offPanel)
		I("MOVD %v, %d(%v)", free, offB, t)
		I("MOVD $%d, %v", 16*w.vectors, bStep)
		I("MOVD %v, %d(%v)", bStep, offBStep, t)
		I("MOVD $%d, %v", modePlain, mode)
		I("MOVD %v, %d(%v)", mode, offMode, t)
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

// reading says how a loop over k reads B.
type reading struct {
	mode int
	load func() // emits a load of a row of B, without an increment of regB
}

// readings returns the ways of reading B, that for whole vectors last.
func (w *tile) readings() []reading {
	list := []reading{{modeMasked, w.loadPart}}
	if w.copies() {
		list = append(list, reading{modeCopy, func() { w.loadWhole(); w.copyB() }})
	}
	return append(list, reading{modePlain, w.loadWhole})
}

// loadWhole emits a load of a row of whole vectors of B.
func (w *tile) loadWhole() { LoadAll(w.b, regB, lanes, free) }

// loadPart emits a load of a row of B whose last vector has 1 to 3 columns.
func (w *tile) loadPart() {
	whole, done := w.vectors-1, Fresh("part")
	LoadAll(w.b[:whole], regB, lanes, free)
	b := w.b[whole]
	I("FMOVS %d(%v), %v", 16*whole, regB, b)
	I("TBZ $1, %v, %s", last, done)
	I("FMOVD %d(%v), %v", 16*whole, regB, b)
	I("TBZ $0, %v, %s", last, done)
	I("ADD $%d, %v, %v", 16*whole+8, regB, free)
	I("VLD1 (%v), %s", free, b.Lane(2))
	Label(done)
}

// copyB emits a store of a row of B to the panel.
func (w *tile) copyB() { I("FSTPQ.P (%v, %v), 32(%v)", w.b[0], w.b[1], panel) }

// each emits a loop for each way of reading B, and jumps to them.
func (w *tile) each(stem string, loop func(label string, loadB func())) {
	list := w.readings()
	for _, r := range list[:len(list)-1] {
		I("CMP $%d, %v", r.mode, mode)
		I("BEQ %s%d", stem, r.mode)
	}
	for i := range list {
		r := list[len(list)-1-i]
		label := fmt.Sprintf("%s%d", stem, r.mode)
		Label(label)
		loop(label, r.load)
	}
}

// byRows emits the loops for A stored by rows. They leave up to three values of k to a loop
// that they share.
func (w *tile) byRows() {
	for i, p := range w.pointers {
		if i == 0 {
			I("MOVD %v, %v", regA, p)
		} else {
			I("ADD %v, %v, %v", aRow, w.pointers[i-1], p)
		}
	}
	I("SUBS $4, %v", regK)
	I("BLT rest")
	w.each("rows", func(label string, loadB func()) {
		for i, p := range w.pointers {
			I("FMOVQ.P 16(%v), %v", p, w.a[i])
		}
		for k := range 4 {
			loadB()
			I("ADD %v, %v", bStep, regB)
			w.multiply(func(i int) (V, int) { return w.a[i], k })
		}
		I("SUBS $4, %v", regK)
		I("BGE %s", label)
		if label != fmt.Sprintf("rows%d", modeMasked) { // the last
			I("B rest")
		}
	})
	Label("rest")
	I("ADDS $4, %v", regK)
	I("BEQ finish")
	Label("single")
	for i, p := range w.pointers {
		I("FMOVS.P 4(%v), %v", p, w.a[i])
	}
	I("TBNZ $0, %v, masked", mode) // modeMasked
	w.loadWhole()
	if w.copies() {
		I("CBZ %v, multiply", mode)
		w.copyB()
	}
	I("B multiply")
	Label("masked")
	w.loadPart()
	Label("multiply")
	I("ADD %v, %v", bStep, regB)
	w.multiply(func(i int) (V, int) { return w.a[i], 0 })
	I("SUBS $1, %v", regK)
	I("BNE single")
	I("B finish")
}

// byColumns emits the loops for A stored by columns.
func (w *tile) byColumns() {
	p := w.pointers[0]
	I("MOVD %v, %v", regA, p)
	w.each("columns", func(label string, loadB func()) {
		LoadAll(w.a[:(w.rows+3)/4], p, (w.rows-1)%4+1, free)
		I("ADD %v, %v", aStep, p)
		loadB()
		I("ADD %v, %v", bStep, regB)
		w.multiply(func(i int) (V, int) { return w.a[i/4], i % 4 })
		I("SUBS $1, %v", regK)
		I("BNE %s", label)
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

// finish emits code that stores the tile in C or adds it to C, and leaves regC behind it. It
// exists once for whole vectors and once for a last vector of fewer columns, whose elements
// are accessed one column after the other.
func (w *tile) finish() {
	load(free, offAdd)
	I("CMP $%d, %v", lanes, last)
	I("BNE part")
	I("CBZ %v, store", free)
	w.addVectors(w.vectors)
	Label("store")
	w.storeVectors(w.vectors)
	I("B next")

	Label("part")
	whole := w.vectors - 1
	I("ADD $%d, %v, %v", 16*whole, regC, panel)
	I("CBZ %v, storePart", free)
	w.addVectors(whole)
	w.columns("added", func(i, c int) { I("VLD1.P (%v)(%v), %s", regB, cRow, w.a[i].Lane(c)) })
	for i, a := range w.a {
		FAdd(w.acc[i*w.vectors+whole], a, w.acc[i*w.vectors+whole])
	}
	Label("storePart")
	w.storeVectors(whole)
	w.columns("stored", func(i, c int) { I("VST1.P %s, (%v)(%v)", w.acc[i*w.vectors+whole].Lane(c), regB, cRow) })
	if whole == 0 {
		I("MOVD $%d, %v", w.rows, free)
		I("MADD %v, %v, %v, %v", cRow, regC, free, regC)
	}
}

// addVectors emits code that adds the first n vectors of each row of C to the tile.
func (w *tile) addVectors(n int) {
	if n == 0 {
		return
	}
	I("MOVD %v, %v", regC, regB)
	for i := range w.rows {
		LoadAll(w.b[:n], regB, lanes, free)
		I("ADD %v, %v", cRow, regB)
		for v, b := range w.b[:n] {
			FAdd(w.acc[i*w.vectors+v], b, w.acc[i*w.vectors+v])
		}
	}
}

// storeVectors emits stores of the first n vectors of each row, and leaves regC behind the
// tile.
func (w *tile) storeVectors(n int) {
	if n == 0 {
		return
	}
	for i := range w.rows {
		StoreAll(w.acc[i*w.vectors:][:n], regC, lanes, free)
		I("ADD %v, %v", cRow, regC)
	}
}

// columns emits code for each row of the first last columns at panel, 1 to 3, one column
// after the other. The function element emits the code for row i and column c. It advances
// regB from row to row. The code ends with the label end.
func (w *tile) columns(end string, element func(i, c int)) {
	for c := range lanes - 1 {
		I("ADD $%d, %v, %v", 4*c, panel, regB)
		for i := range w.rows {
			element(i, c)
		}
		if c < lanes-2 {
			I("CMP $%d, %v", c+1, last)
			I("BEQ %s", end)
		}
	}
	Label(end)
}
