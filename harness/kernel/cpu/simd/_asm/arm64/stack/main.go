// Command stack writes stack_arm64.s: the rows of stacks, and sums along columns.
// Each kernel goes through the columns in blocks of 16, 4, 2 and 1, and for each block
// through all rows.
//
//	go run ./arm64/stack -out ../stack_arm64.s
package main

import (
	"fmt"

	. "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"
)

func main() {
	rows()
	sums("columnSumsNEON", nil)
	sums("columnProductsNEON", FMla)
	sums("columnDotsNEON", func(sum, x, y V) {
		FMul(x, x, y)
		FAdd(sum, sum, x)
	})
	Finish()
}

// block is a number of columns and the registers that hold them.
type block struct {
	columns, vectors int
	size             int    // bytes in a register
	one, pair        string // moves of one register and of two; pair may be empty
}

var blocks = []block{{16, 4, 16, "FMOVQ", "FLDPQ"}, {4, 1, 16, "FMOVQ", ""}, {2, 1, 8, "FMOVD", ""}, {1, 1, 4, "FMOVS", ""}}

func (b block) load(to []V, from R) {
	if b.pair != "" {
		LoadAll(to, from, 4, Scratch)
		return
	}
	I("%s (%v), %v", b.one, from, to[0])
}

func (b block) store(from []V, to R) {
	if b.pair != "" {
		StoreAll(from, to, 4, Scratch)
		return
	}
	I("%s %v, (%v)", b.one, from[0], to)
}

// eachBlock emits loops over the columns. The register left has their number, and the
// function body emits the code for a block, which must advance the addresses.
func eachBlock(left R, body func(b block)) {
	for _, b := range blocks {
		again, done := Fresh("block"), Fresh("narrower")
		Label(again)
		I("CMP $%d, %v", b.columns, left)
		I("BLT %s", done)
		Scope(func() { body(b) })
		I("SUB $%d, %v", b.columns, left)
		I("B %s", again)
		Label(done)
	}
	I("RET")
}

// rows writes a kernel that computes rows of a weighted sum:
//
//	t := x != nil ? a[c] * x[r][c] : a != nil ? a[c] * empty : +0
//	t = FMA(b[c], y[r][c], t) // unless y is nil
//	t = FMA(w[c], z[r][c], t) // unless z is nil
//	dst[r][c] = t
func rows() {
	const args, count, left, n = R(0), R(1), R(2), R(3)
	dst, x, y, z := R(4), R(5), R(6), R(7)               // the first row of a block
	dstRow, xRow, yRow, zRow := R(8), R(9), R(10), R(11) // the current row
	ldd, ldx, ldy, ldz := R(12), R(13), R(14), R(15)
	a, b, w := R(16), R(17), R(19)
	Text("stackRowsNEON", 8)
	I("MOVD a+0(FP), %v", args)
	for i, r := range []R{dst, x, y, z, a, b, w, ldd, ldx, ldy, ldz, count, left} { // the order of the fields
		I("MOVD %d(%v), %v", 8*i, args, r)
	}
	empty := New()
	I("MOVWU %d(%v), %v", 8*13, args, Scratch)
	I("VDUP %v, %s", Scratch, empty.All())
	eachBlock(left, func(k block) {
		start, av, bv, wv := News(k.vectors), News(k.vectors), News(k.vectors), News(k.vectors)
		t, from := News(k.vectors), News(k.vectors)
		none := Fresh("none")
		Zero(start...)
		I("CBZ %v, %s", a, none)
		k.load(av, a)
		for i := range start {
			FMul(start[i], av[i], empty)
		}
		I("ADD $%d, %v", 4*k.columns, a)
		Label(none)
		for _, term := range []struct {
			weight, from R
			to           []V
		}{{b, y, bv}, {w, z, wv}} {
			none := Fresh("none")
			I("CBZ %v, %s", term.from, none)
			k.load(term.to, term.weight)
			I("ADD $%d, %v", 4*k.columns, term.weight)
			Label(none)
		}
		I("MOVD %v, %v", dst, dstRow)
		I("MOVD %v, %v", x, xRow)
		I("MOVD %v, %v", y, yRow)
		I("MOVD %v, %v", z, zRow)
		I("MOVD %v, %v", count, n)
		next := Fresh("next")
		// A loop for each set of terms, chosen by the addresses that are not 0.
		loops := [8]string{}
		for set := range loops {
			loops[set] = Fresh(fmt.Sprintf("terms%d_", set))
		}
		choose(x, y, z, loops[:])
		for set, loop := range loops {
			Label(loop)
			if set&4 != 0 {
				k.load(from, xRow)
				I("ADD %v, %v", ldx, xRow)
				for i := range t {
					FMul(t[i], av[i], from[i])
				}
			} else {
				for i := range t {
					Copy(t[i], start[i])
				}
			}
			for _, term := range []struct {
				bit     int
				weight  []V
				row, ld R
			}{{2, bv, yRow, ldy}, {1, wv, zRow, ldz}} {
				if set&term.bit != 0 {
					k.load(from, term.row)
					I("ADD %v, %v", term.ld, term.row)
					for i := range t {
						FMla(t[i], term.weight[i], from[i])
					}
				}
			}
			k.store(t, dstRow)
			I("ADD %v, %v", ldd, dstRow)
			I("SUBS $1, %v", n)
			I("BNE %s", loop)
			I("B %s", next)
		}
		Label(next)
		I("ADD $%d, %v", 4*k.columns, dst)
		for _, r := range []R{x, y, z} { // an address of 0 must stay 0
			I("ADD $%d, %v, %v", 4*k.columns, r, Scratch)
			I("CMP $0, %v", r)
			I("CSEL NE, %v, %v, %v", Scratch, r, r)
		}
	})
}

// choose emits jumps to one of eight labels, by which of x, y and z are not 0.
func choose(x, y, z R, to []string) {
	pick := func(r R, other string) { I("CBZ %v, %s", r, other) }
	withoutX := Fresh("withoutX")
	pick(x, withoutX)
	half := func(to []string) {
		withoutY := Fresh("withoutY")
		pick(y, withoutY)
		pick(z, to[2])
		I("B %s", to[3])
		Label(withoutY)
		pick(z, to[0])
		I("B %s", to[1])
	}
	half(to[4:])
	Label(withoutX)
	half(to[:4])
}

// sums writes a kernel that adds rows of x to a vector:
//
//	sum[c] = sum[c] + x[r][c]
//
// If add is not nil, it emits what the kernel does in place of the addition. It may
// overwrite the registers of x and y.
func sums(name string, add func(sum, x, y V)) {
	products := add != nil
	const sum, x, y, count, left, ldx, ldy, xRow, yRow, n = R(0), R(1), R(2), R(3), R(4), R(5), R(6), R(7), R(8), R(9)
	params := []struct {
		name string
		to   R
	}{{"sum", sum}, {"x", x}, {"rows", count}, {"cols", left}, {"ldx", ldx}}
	if products {
		params = []struct {
			name string
			to   R
		}{{"sum", sum}, {"x", x}, {"y", y}, {"rows", count}, {"cols", left}, {"ldx", ldx}, {"ldy", ldy}}
	}
	Text(name, 8*len(params))
	for i, p := range params {
		I("MOVD %s+%d(FP), %v", p.name, 8*i, p.to)
	}
	I("LSL $2, %v", ldx)
	if products {
		I("LSL $2, %v", ldy)
	}
	eachBlock(left, func(k block) {
		total, xs, ys := News(k.vectors), News(k.vectors), News(k.vectors)
		loop, done := Fresh("row"), Fresh("done")
		k.load(total, sum)
		I("MOVD %v, %v", x, xRow)
		if products {
			I("MOVD %v, %v", y, yRow)
		}
		I("MOVD %v, %v", count, n)
		I("CBZ %v, %s", n, done)
		Label(loop)
		k.load(xs, xRow)
		I("ADD %v, %v", ldx, xRow)
		if products {
			k.load(ys, yRow)
			I("ADD %v, %v", ldy, yRow)
		}
		for i := range total {
			if products {
				add(total[i], xs[i], ys[i])
			} else {
				FAdd(total[i], total[i], xs[i])
			}
		}
		I("SUBS $1, %v", n)
		I("BNE %s", loop)
		Label(done)
		k.store(total, sum)
		I("ADD $%d, %v", 4*k.columns, sum)
		I("ADD $%d, %v", 4*k.columns, x)
		if products {
			I("ADD $%d, %v", 4*k.columns, y)
		}
	})
}
