package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
	"pushdown/harness/kernel/cpu/simd/asm/math"
)

// tiny handles rows of two to four elements without gaps. 16 rows of n elements are n
// vectors, and permutations extract their columns. AVX-512 only.
type tiny struct {
	math.Lane
	n int
}

// tinyMost is the largest width of a tiny row.
const tinyMost = 4

// groups emits a loop over groups of 16 rows, if the rows have g.n elements and no gaps. For
// each group it runs the code that the function body emits. The list matrices has the names
// of matrices and of their row distances, and the list vectors has the operands with one
// element per row. After the loop, the arguments of the kernel describe the remaining rows.
func (g tiny) groups(matrices [][2]string, vectors []string, body func(at map[string]reg.GPVirtual)) {
	end := label("dense")
	CMPQ(param("n"), Imm(uint64(g.n)))
	JNE(LabelRef(end))
	for _, m := range matrices {
		CMPQ(param(m[1]), Imm(uint64(g.n)))
		JNE(LabelRef(end))
	}
	at, names := map[string]reg.GPVirtual{}, []string(nil)
	for _, m := range matrices {
		names = append(names, m[0])
	}
	names = append(names, vectors...)
	for _, name := range names {
		at[name] = param(name)
	}
	rows := param("rows")
	again, done := label("group"), label("done")
	Label(again)
	SUBQ(Imm(16), rows)
	JL(LabelRef(done))
	body(at)
	for i, name := range names {
		size := g.Bytes()
		if i < len(matrices) {
			size *= g.n
		}
		ADDQ(U32(size), at[name])
	}
	JMP(LabelRef(again))
	Label(done)
	ADDQ(Imm(16), rows)
	keep(rows, "rows")
	for _, name := range names {
		keep(at[name], name)
	}
	Label(end)
}

// keep stores r in the argument with the given name.
func keep(r reg.Register, name string) {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	MOVQ(r, p.Addr)
}

var tables = map[string]Mem{}

// table returns a vector of indices.
func table(name string, index func(lane int) int) Mem {
	m, ok := tables[name]
	if !ok {
		m = GLOBL(name, 8|16)
		lane.Words(func(i int) uint32 { return uint32(index(i)) })
		tables[name] = m
	}
	return m
}

// choose returns a vector whose lane i is lane index(i) of a if index(i) is less than 16,
// and lane index(i)-16 of b otherwise.
func (g tiny) choose(a, b math.Vec, name string, index func(lane int) int) math.Vec {
	v := g.Copy(a)
	VPERMT2PS(b, g.Copy(table(name, index)), v)
	return v
}

// load returns the columns of 16 rows. Lane l of a column has row g.row(l).
func (g tiny) load(p reg.GPVirtual) []math.Vec {
	v, col := make([]math.Vec, g.n), make([]math.Vec, g.n)
	for i := range v {
		v[i] = g.Load(Mem{Base: p, Disp: i * g.Bytes()}, nil)
	}
	switch g.n {
	case 2:
		for c, even := range []uint8{0x88, 0xdd} { // elements 0 and 2, or 1 and 3, of each 128 bits
			col[c] = g.Vec()
			VSHUFPS(U8(even), v[1], v[0], col[c])
		}
		return col
	case 4:
		return quads(g.Lane, v)
	}
	for c := range col {
		col[c] = g.choose(v[0], v[1], fmt.Sprintf("take%d%d", g.n, c), func(r int) int { return (g.n*r + c) % 32 })
		for i := 2; i < g.n; i++ { // add the elements that are in vector i
			col[c] = g.choose(col[c], v[i], fmt.Sprintf("take%d%d%d", g.n, c, i), func(r int) int {
				if e := g.n*r + c; e/16 == i {
					return 16 + e%16
				}
				return r
			})
		}
	}
	return col
}

// row returns the row that a lane of a column has. Two and four columns are taken apart within
// 128 bits, which is fast, but leaves the rows in another order.
func (g tiny) row(lane int) int {
	quad, i := lane/4, lane%4
	switch g.n {
	case 2:
		return i/2*8 + quad*2 + i%2
	case 4:
		return i*4 + quad
	}
	return lane
}

// toLanes emits code that brings a vector with a number for each row into the order of the
// lanes.
func (g tiny) toLanes(v math.Vec) {
	if g.n != 3 {
		VPERMD(v, g.Copy(table(fmt.Sprintf("lanes%d", g.n), g.row)), v)
	}
}

// toRows is the inverse of toLanes.
func (g tiny) toRows(v math.Vec) {
	if g.n != 3 {
		VPERMD(v, g.Copy(table(fmt.Sprintf("rows%d", g.n), func(row int) (lane int) {
			for g.row(lane) != row {
				lane++
			}
			return lane
		})), v)
	}
}

// store is the inverse of load.
func (g tiny) store(col []math.Vec, p reg.GPVirtual) {
	rows := make([]math.Vec, g.n)
	switch g.n {
	case 2:
		rows[0], rows[1] = g.Vec(), g.Vec()
		VUNPCKLPS(col[1], col[0], rows[0])
		VUNPCKHPS(col[1], col[0], rows[1])
	case 4:
		rows = quads(g.Lane, col)
	default:
		for i := range rows {
			place := func(lane int) (row, c int) { return (16*i + lane) / g.n, (16*i + lane) % g.n }
			rows[i] = g.choose(col[0], col[1], fmt.Sprintf("lay%d%d", g.n, i), func(lane int) int {
				row, c := place(lane)
				return c%2*16 + row
			})
			for k := 2; k < g.n; k++ { // add the elements of column k
				rows[i] = g.choose(rows[i], col[k], fmt.Sprintf("lay%d%d%d", g.n, i, k), func(lane int) int {
					if row, c := place(lane); c == k {
						return 16 + row
					}
					return lane
				})
			}
		}
	}
	for i, v := range rows {
		g.Store(v, Mem{Base: p, Disp: i * g.Bytes()}, nil)
	}
}

// sum returns the sum along each row. The vector part[i] has column i of each row. As in
// longer rows, the elements of a row are partial sums, which are added in a tree. The
// other leaves of the tree are +0 and need no addition.
func (g tiny) sum(part []math.Vec) math.Vec {
	p := make([]math.Vec, 0, g.n)
	for _, v := range part {
		p = append(p, g.Copy(v))
	}
	for h := 4; h > 0; h /= 2 {
		for i := range h {
			if i+h < len(p) {
				VADDPS(p[i+h], p[i], p[i])
			}
		}
		p = p[:min(h, len(p))]
	}
	return p[0]
}

// tiny emits the code of the kernel for rows of 2 to tinyMost elements.
func (t task) tiny(l math.Lane) {
	for n := 2; n <= tinyMost; n++ {
		t.tinyRows(tiny{l, n})
	}
}

func (t task) tinyRows(g tiny) {
	matrices, vectors := [][2]string{{"x", "ldx"}}, []string(nil)
	if t.output() {
		matrices = append(matrices, [2]string{"dst", "ldd"})
	}
	if t.loss {
		vectors = append(vectors, "loss")
	}
	if t.grad || t.loss {
		vectors = append(vectors, "target")
	}
	if t.grad {
		vectors = append(vectors, "dloss")
	}
	exp := g.Sparing().ExpNeg()
	g.groups(matrices, vectors, func(at map[string]reg.GPVirtual) {
		x := g.load(at["x"])
		m := g.Copy(x[0])
		for _, v := range x[1:] {
			VMAXPS(m, v, m)
		}
		var target math.Vec
		if t.grad || t.loss {
			target = g.Load(Mem{Base: at["target"]}, nil)
			g.toLanes(target)
		}
		e := make([]math.Vec, g.n)
		var less math.Vec // x[target] - m
		for c, v := range x {
			VSUBPS(m, v, v)
			if t.loss && c == 0 {
				less = g.Copy(v)
			} else if t.loss {
				is := g.CompareInt(target, g.Copy(math.DataBits(uint32(c))))
				less = g.Choose(&is, v, less)
			}
			e[c] = exp(v)
		}
		sum := g.sum(e)
		if t.loss {
			v := g.Sparing().Log()(sum)
			VSUBPS(less, v, v)
			g.toRows(v)
			g.Store(v, Mem{Base: at["loss"]}, nil)
		}
		if !t.output() {
			return
		}
		inv := inverse(g.Lane, sum)
		for _, v := range e {
			VMULPS(inv, v, v)
		}
		if t.grad {
			dloss := g.Load(Mem{Base: at["dloss"]}, nil)
			g.toLanes(dloss)
			for c, v := range e {
				one := g.Copy(math.Data(1))
				is := g.CompareInt(target, g.Copy(math.DataBits(uint32(c))))
				g.Keep(&is, one)
				VSUBPS(one, v, v) // subtracts 1 at the target, +0 elsewhere
				VMULPS(dloss, v, v)
			}
		}
		g.store(e, at["dst"])
	})
}

// tinySoftmaxGrad emits softmaxGrad for tiny rows.
func tinySoftmaxGrad(l math.Lane) {
	for n := 2; n <= tinyMost; n++ {
		g := tiny{l, n}
		g.groups([][2]string{{"dst", "ldd"}, {"y", "ldy"}, {"dy", "lddy"}}, nil, func(at map[string]reg.GPVirtual) {
			y, dy, zero := g.load(at["y"]), g.load(at["dy"]), g.Zero()
			part := make([]math.Vec, n)
			for c := range part {
				part[c] = g.Vec()
				VMULPS(y[c], dy[c], part[c])
				VADDPS(zero, part[c], part[c]) // -0 becomes +0
			}
			d := g.sum(part)
			for c, v := range dy {
				VSUBPS(d, v, v)
				VMULPS(y[c], v, v)
			}
			g.store(dy, at["dst"])
		})
	}
}
