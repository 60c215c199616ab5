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
	offSums
	offSumsRow
	offSumsAt
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
// adjacent, and a loop over k reads all of them. Each of the two loops exists once for each
// of the ways of reading B that the method readings returns.
//
// If a tile has several vectors and the last one has fewer than four columns, that vector
// starts earlier and overlaps the vector before it. The overlapping columns are then computed
// and stored twice, with the same bits. They are added twice as well, but all elements of
// Sums and C, which can be the same matrix, are read before any of them is stored.
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
	lastAt // distance of the last vector from the first, in bytes
)

func newTile(rows, vectors int) *tile {
	n := rows * vectors
	return &tile{rows: rows, vectors: vectors, acc: Vs(0, n), a: Vs(V(n), rows), b: Vs(V(n+rows), vectors),
		pointers: Without(t, regA, regB, regC, regK, aStep, aRow, bStep, tiles, cRow, last, panel, free, mode, lastAt)[:rows]}
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
	if w.vectors > 1 {
		I("LSL $2, %v, %v", last, lastAt)
		I("ADD $%d, %v", 16*(w.vectors-2), lastAt)
	}
	load(regB, offSums)
	I("MOVD %v, %d(%v)", regB, offSumsAt, t)

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
	if w.vectors == 1 {
		w.finishOne()
	} else {
		w.finish()
	}
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

// reading is a way of reading B.
type reading struct {
	label string
	enter func(label string) // emits a jump to the label if B is to be read in this way
	load  func()             // emits a load of a row of B
}

// readings returns the ways of reading B. The last one needs no jump. A tile of one vector
// has a way for each number of columns. A tile of an odd number of vectors has one way for
// all numbers, because its last vector has no other one to be loaded with in one instruction.
func (w *tile) readings() []reading {
	whole := func() { LoadAll(w.b, regB, lanes, free) }
	var list []reading
	switch {
	case w.vectors == 1:
		for n := 1; n < lanes; n++ {
			list = append(list, reading{fmt.Sprint(n), func(label string) {
				I("CMP $%d, %v", n, last)
				I("BEQ %s", label)
			}, func() { LoadAll(w.b, regB, n, free) }})
		}
	case w.vectors%2 == 0:
		list = append(list, reading{"Part", func(label string) {
			I("CMP $%d, %v", lanes, last)
			I("BNE %s", label)
		}, w.loadApart})
	default:
		whole = w.loadApart
	}
	if w.copies() {
		list = append(list, reading{"Copy", func(label string) { I("TBNZ $1, %v, %s", mode, label) }, func() {
			whole()
			w.copyB()
		}})
	}
	return append(list, reading{label: "Whole", load: whole})
}

// loadApart emits a load of a row of B whose last vector is lastAt bytes behind the first.
func (w *tile) loadApart() {
	LoadAll(w.b[:w.vectors-1], regB, lanes, free)
	LoadAt(w.b[w.vectors-1], regB, lastAt)
}

// copyB emits a store of a row of B to the panel.
func (w *tile) copyB() { I("FSTPQ.P (%v, %v), 32(%v)", w.b[0], w.b[1], panel) }

// each emits a loop for each way of reading B, and jumps to them.
func (w *tile) each(stem string, loop func(label string, loadB func())) {
	list := w.readings()
	for _, r := range list[:len(list)-1] {
		r.enter(stem + r.label)
	}
	for i := range list {
		r := list[len(list)-1-i]
		Label(stem + r.label)
		loop(stem+r.label, func() {
			r.load()
			I("ADD %v, %v", bStep, regB)
		})
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
			w.multiply(func(i int) (V, int) { return w.a[i], k })
		}
		I("SUBS $4, %v", regK)
		I("BGE %s", label)
		I("B rest")
	})
	Label("rest")
	I("ADDS $4, %v", regK)
	I("BEQ finish")
	Label("single")
	for i, p := range w.pointers {
		I("FMOVS.P 4(%v), %v", p, w.a[i])
	}
	if w.vectors == 1 {
		w.loadOne()
	} else {
		w.loadApart()
	}
	I("ADD %v, %v", bStep, regB)
	if w.copies() {
		I("TBZ $1, %v, multiply", mode) // not modeCopy
		w.copyB()
		Label("multiply")
	}
	w.multiply(func(i int) (V, int) { return w.a[i], 0 })
	I("SUBS $1, %v", regK)
	I("BNE single")
	I("B finish")
}

// loadOne emits a load of a row of B that is one vector, of any number of columns.
func (w *tile) loadOne() {
	I("TBNZ $2, %v, four", last)
	I("FMOVS (%v), %v", regB, w.b[0])
	I("TBZ $1, %v, loaded", last)
	I("FMOVD (%v), %v", regB, w.b[0])
	I("TBZ $0, %v, loaded", last)
	I("ADD $8, %v, %v", regB, free)
	I("VLD1 (%v), %s", free, w.b[0].Lane(2))
	I("B loaded")
	Label("four")
	I("FMOVQ (%v), %v", regB, w.b[0])
	Label("loaded")
}

// byColumns emits the loops for A stored by columns.
func (w *tile) byColumns() {
	p := w.pointers[0]
	I("MOVD %v, %v", regA, p)
	w.each("columns", func(label string, loadB func()) {
		LoadAll(w.a[:(w.rows+3)/4], p, (w.rows-1)%4+1, free)
		I("ADD %v, %v", aStep, p)
		loadB()
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

// finish emits code that adds the sums of earlier chunks, if there are any, to the tile, stores it in C
// or adds it to C, and leaves regC behind it. The tile has several vectors.
func (w *tile) finish() {
	whole := w.vectors - 1
	loadApart := func([]V) { w.loadApart() }
	storeApart := func(row []V) {
		StoreAll(row[:whole], regC, lanes, free)
		StoreAt(row[whole], regC, lastAt)
	}
	if w.vectors%2 == 0 {
		I("CMP $%d, %v", lanes, last)
		I("BNE part")
		w.finishRows("store", func([]V) { LoadAll(w.b, regB, lanes, free) }, func(row []V) { StoreAll(row, regC, lanes, free) })
		I("B next")
		Label("part")
	}
	w.finishRows("storePart", loadApart, storeApart)
}

// finishRows emits code that adds the rows of Sums and of C to the tile, if they are to be added,
// and then stores the tile. The function loadB emits a load of a row at regB, and store a store
// of a row at regC. The label stands before the stores.
func (w *tile) finishRows(label string, loadB, store func(row []V)) {
	row := func(i int) []V { return w.acc[i*w.vectors:][:w.vectors] }
	addRows := func(step R) {
		for i := range w.rows {
			loadB(row(i))
			I("ADD %v, %v", step, regB)
			for v, b := range w.b {
				FAdd(row(i)[v], b, row(i)[v])
			}
		}
	}
	w.addSums(panel, func() { addRows(panel) })
	w.addC(label, func() { addRows(cRow) })
	Label(label)
	for i := range w.rows {
		store(row(i))
		I("ADD %v, %v", cRow, regC)
	}
}

// addSums emits the code add, which adds the rows at regB to the tile, for the sums of earlier chunks if there
// are any. It loads the distance between their rows into the register step.
func (w *tile) addSums(step R, add func()) {
	none := Fresh("summed")
	load(regB, offSumsAt)
	I("CBZ %v, %s", regB, none)
	load(step, offSumsRow)
	add()
	I("MOVD %v, %d(%v)", regB, offSumsAt, t)
	Label(none)
}

// addC emits the code add for the rows of C, or a jump to the label if t.Add is 0.
func (w *tile) addC(label string, add func()) {
	load(free, offAdd)
	I("CBZ %v, %s", free, label)
	I("MOVD %v, %v", regC, regB)
	add()
}

// finishOne is like finish, for a tile of one vector of any number of columns.
func (w *tile) finishOne() {
	addRows := func(step R) {
		w.lanes(Fresh("added"), "VLD1.P (%[2]v)(%[3]v), %[1]s", regB, step, w.a)
		for i, a := range w.a {
			FAdd(w.acc[i], a, w.acc[i])
		}
	}
	w.addSums(lastAt, func() { addRows(lastAt) }) // one vector needs no lastAt
	w.addC("store", func() { addRows(cRow) })
	Label("store")
	w.lanes("next", "VST1.P %[1]s, (%[2]v)(%[3]v)", regC, cRow, w.acc)
}

// lanes emits accesses to the columns that exist, in each row of a tile of one vector. The
// instruction names a part of a register, the address and the distance to the next row. The
// register at is left behind the tile. Where the code does not end, it jumps to the label end.
func (w *tile) lanes(end, instruction string, at, step R, x []V) {
	each := func(at R, part string) {
		for _, v := range x {
			I(instruction, fmt.Sprintf(part, int(v)), at, step)
		}
	}
	four, two := Fresh("four"), Fresh("two")
	I("TBNZ $2, %v, %s", last, four)
	I("TBNZ $1, %v, %s", last, two)
	each(at, "V%d.S[0]")
	I("B %s", end)
	Label(four)
	each(at, "[V%d.S4]")
	I("B %s", end)
	Label(two)
	I("ADD $8, %v, %v", at, panel)
	each(at, "V%d.D[0]")
	I("TBZ $0, %v, %s", last, end)
	each(panel, "V%d.S[2]")
	if end != "next" {
		Label(end)
	}
}
