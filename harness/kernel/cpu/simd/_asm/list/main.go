// Command list writes list_amd64.s, the kernels of lists. A step of a list shifts its rows
// and inserts new ones. There are two kernels, each for adjacent rows that are computed in
// the same way. The first kernel computes the rows after a step. The second computes sums
// over the rows, for the gradients of the weights.
//
//	cd _asm && go run ./list -out ../list_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// Offsets of the fields of a listRun, in bytes.
const (
	atRows = 8 * iota
	atCols
	atDst
	atAfter
	atBefore
	atX
	atHere
	atLdd
	atLda
	atLdb
	atLdx
	atLdh
	atRight
	atLeft
	atInsert
	atNoop
	atSumAfter
	atSumBefore = atSumAfter + 4*64
	atSumX      = atSumBefore + 4*64
	atEdge      = atSumX + 4*64
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, s := range lane.Both() {
		rows(s)
		sums(s)
	}
	lane.Finish()
}

// run is the state of a generated kernel: the argument and the current block of columns.
type run struct {
	lane.Set
	args, off reg.Register
	u         int // vectors in the block
	m         *lane.Mask
}

func begin(s lane.Set, name string, body func(*run)) {
	TEXT(name+s.Name, NOSPLIT, "func(a *byte)")
	g := run{Set: s, args: Load(Param("a"), GP64()), off: GP64()}
	rem := GP64()
	MOVQ(g.field(atCols), rem)
	s.Blocks(rem, g.off, []int{s.N / 4}, func(u int, m *lane.Mask) {
		g.u, g.m = u, m
		body(&g)
	})
	VZEROUPPER()
	RET()
}

func (g *run) field(at int) Mem { return Mem{Base: g.args, Disp: at} }

// pointer returns the address of the current block of columns in the first row of a
// matrix. at is the offset of the field that holds the matrix.
func (g *run) pointer(at int) reg.Register {
	p := GP64()
	MOVQ(g.field(at), p)
	ADDQ(g.off, p)
	return p
}

// matrix is like pointer, for a matrix that may be nil. For a nil matrix it returns an
// address in the field edge, a single row that takes the place of every row of the matrix.
func (g *run) matrix(at int) reg.Register {
	p, edge := GP64(), GP64()
	MOVQ(g.field(at), p)
	LEAQ(g.field(atEdge), edge)
	TESTQ(p, p)
	CMOVQEQ(edge, p)
	ADDQ(g.off, p)
	return p
}

// vector loads the elements of a vector that belong to the current block of columns.
func (g *run) vector(at int) []reg.VecVirtual {
	p, list := g.pointer(at), g.Vecs(g.u)
	for i := range list {
		g.Load(Mem{Base: p, Disp: i * g.Bytes()}, list[i], g.m)
	}
	return list
}

// each emits a loop over the rows. For every row it runs the code that the function body
// emits, and then moves pointers to the next row. The map next holds the pointers. The key
// of a pointer is the offset of the field with its row distance. The parameter order lists
// the keys.
func (g *run) each(body func(), next map[int]reg.Register, order ...int) {
	n, top := GP64(), lane.Fresh("row")
	MOVQ(g.field(atRows), n)
	Label(top)
	body()
	for _, ld := range order {
		ADDQ(g.field(ld), next[ld])
	}
	DECQ(n)
	JNZ(LabelRef(top))
}

// rows generates
//
//	t := right[c] * after[r][c]         // VMULPS
//	t = FMA(left[c], before[r][c], t)   // VFMADD231PS
//	t = FMA(insert[c], x[r][c], t)      // VFMADD231PS
//	t = FMA(noop[c], here[r][c], t)     // VFMADD231PS, unless noop is nil
func rows(s lane.Set) {
	begin(s, "listRows", func(g *run) {
		right, left, insert := g.vector(atRight), g.vector(atLeft), g.vector(atInsert)
		made := func(noop []reg.VecVirtual) {
			p := map[int]reg.Register{atLdd: g.pointer(atDst), atLda: g.matrix(atAfter), atLdb: g.matrix(atBefore), atLdx: g.matrix(atX)}
			order := []int{atLdd, atLda, atLdb, atLdx}
			if noop != nil {
				p[atLdh] = g.pointer(atHere)
				order = append(order, atLdh)
			}
			g.each(func() {
				for i := range g.u {
					d, t := i*g.Bytes(), g.Vec()
					from := func(ld int) Op { return g.Source(Mem{Base: p[ld], Disp: d}, g.m) }
					VMULPS(from(atLda), right[i], t)
					VFMADD231PS(from(atLdb), left[i], t)
					VFMADD231PS(from(atLdx), insert[i], t)
					if noop != nil {
						VFMADD231PS(from(atLdh), noop[i], t)
					}
					g.Store(t, Mem{Base: p[atLdd], Disp: d}, g.m)
				}
			}, p, order...)
		}
		without, next := lane.Fresh("without"), lane.Fresh("next")
		CMPQ(g.field(atNoop), Imm(0))
		JE(LabelRef(without))
		made(g.vector(atNoop))
		JMP(LabelRef(next))
		Label(without)
		made(nil)
		Label(next)
	})
}

// sums generates
//
//	sumAfter[c] = FMA(here[r][c], after[r][c], sumAfter[c])   // VFMADD231PS
//
// and the same for before and x.
func sums(s lane.Set) {
	begin(s, "listSums", func(g *run) {
		p := map[int]reg.Register{atLdh: g.pointer(atHere), atLda: g.matrix(atAfter), atLdb: g.matrix(atBefore), atLdx: g.matrix(atX)}
		order := []int{atLdh, atLda, atLdb, atLdx}
		place := map[int]int{atLda: atSumAfter, atLdb: atSumBefore, atLdx: atSumX}
		sum := map[int][]reg.VecVirtual{}
		at := func(ld, i int) Mem {
			return Mem{Base: g.args, Index: g.off, Scale: 1, Disp: place[ld] + i*g.Bytes()}
		}
		for _, ld := range order[1:] {
			sum[ld] = g.Vecs(g.u)
			for i, v := range sum[ld] {
				g.Load(at(ld, i), v, g.m)
			}
		}
		g.each(func() {
			for i := range g.u {
				d, h := i*g.Bytes(), g.Vec()
				g.Load(Mem{Base: p[atLdh], Disp: d}, h, g.m)
				for _, ld := range order[1:] {
					VFMADD231PS(g.Source(Mem{Base: p[ld], Disp: d}, g.m), h, sum[ld][i])
				}
			}
		}, p, order...)
		for _, ld := range order[1:] {
			for i, v := range sum[ld] {
				g.Store(v, at(ld, i), g.m)
			}
		}
	})
}
