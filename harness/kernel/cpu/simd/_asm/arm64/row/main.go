// Command row writes row_arm64.s: softmax and its gradient along rows of two to eight
// elements, and the loops over longer rows. A kernel for short rows computes four rows at
// a time, one in each lane.
//
//	go run ./arm64/row -out ../row_arm64.s
package main

import (
	"fmt"

	. "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"
)

// mostShort is the largest number of elements in a short row.
const mostShort = 8

func main() {
	for n := 2; n <= mostShort; n++ {
		softmax(n)
		softmaxGrad(n)
	}
	rowMax()
	exp()
	gradient()
	Finish()
}

// matrix holds the addresses of four rows of a matrix.
type matrix struct {
	row [4]R
	ld  R // bytes between rows
}

// params loads the parameters of a kernel for short rows: the addresses of the matrices, the
// number of rows, and the distances between their rows.
func params(name string, addresses, distances []string, count R, to []*matrix) {
	Text(name, 8*(len(addresses)+1+len(distances)))
	for i, p := range addresses {
		I("MOVD %s+%d(FP), %v", p, 8*i, to[i].row[0])
	}
	I("MOVD rows+%d(FP), %v", 8*len(addresses), count)
	for i, p := range distances {
		I("MOVD %s+%d(FP), %v", p, 8*(len(addresses)+1+i), to[i].ld)
		I("LSL $2, %v", to[i].ld)
	}
}

// groups emits a loop over groups of four rows of n elements. If fewer rows are left, the
// last of them takes the place of the missing ones. The function body emits the code for a
// group, which must move the addresses to the ends of the rows by n elements.
func groups(count R, n int, matrices []*matrix, body func()) {
	next, done := Fresh("group"), Fresh("done")
	Label(next)
	I("CMP $0, %v", count)
	I("BLE %s", done)
	for i := 1; i < 4; i++ {
		I("CMP $%d, %v", i, count)
		for _, m := range matrices {
			I("CSEL GT, %v, ZR, %v", m.ld, Scratch)
			I("ADD %v, %v, %v", Scratch, m.row[i-1], m.row[i])
		}
	}
	Scope(body)
	for _, m := range matrices { // start at the row below the last one
		I("SUB $%d, %v", 4*n, m.row[3])
		I("ADD %v, %v, %v", m.ld, m.row[3], m.row[0])
	}
	I("SUB $4, %v", count)
	I("B %s", next)
	Label(done)
	I("RET")
}

// columns emits loads of n elements of each row, each into a register of its own.
func (m *matrix) columns(n int) []V {
	x := News(n)
	for _, v := range x {
		for lane, p := range m.row {
			I("VLD1.P 4(%v), %s", p, v.Lane(lane))
		}
	}
	return x
}

// store emits stores of one element of each row.
func (m *matrix) store(v V) {
	for lane, p := range m.row {
		I("VST1.P %s, 4(%v)", v.Lane(lane), p)
	}
}

// fold emits the sum of a row's partial sums, of which the others are +0: it adds the upper
// half to the lower half until one is left, p[0].
func fold(p []V) {
	for half := 32; half > 0; half /= 2 {
		for i := 0; i < half && i+half < len(p); i++ {
			FAdd(p[i], p[i], p[i+half])
		}
	}
}

// softmax writes dst[i] = exp(x[i] - m) * (1/s) for rows of n elements.
func softmax(n int) {
	const count = R(0)
	dst := &matrix{[4]R{1, 2, 3, 4}, 5}
	x := &matrix{[4]R{6, 7, 8, 9}, 10}
	params(fmt.Sprintf("rowSoftmax%dNEON", n), []string{"dst", "x"}, []string{"ldd", "ldx"}, count, []*matrix{dst, x})
	exp, one := ExpNeg(), Number(1)
	groups(count, n, []*matrix{dst, x}, func() {
		e := x.columns(n)
		Scope(func() {
			m := New()
			FMax(m, e[0], e[1]) // a NaN makes the whole row NaN
			for _, v := range e[2:] {
				FMax(m, m, v)
			}
			for _, v := range e {
				FSub(v, v, m)
			}
		})
		for _, v := range e {
			exp(v)
		}
		half := 1
		for 2*half < n {
			half *= 2
		}
		sum := News(half) // the first step of fold, which keeps the exponentials
		for i := range sum {
			if i+half < n {
				FAdd(sum[i], e[i], e[i+half])
			} else {
				Copy(sum[i], e[i])
			}
		}
		fold(sum)
		FDiv(sum[0], one, sum[0])
		for _, v := range e {
			FMul(v, v, sum[0])
			dst.store(v)
		}
	})
}

// softmaxGrad writes dst[i] = y[i] * (dy[i] - d) for rows of n elements, where d is the sum
// of y[i] * dy[i].
func softmaxGrad(n int) {
	const count = R(0)
	dst := &matrix{[4]R{1, 2, 3, 4}, 5}
	y := &matrix{[4]R{6, 7, 8, 9}, 10}
	dy := &matrix{[4]R{11, 12, 13, 14}, 15}
	params(fmt.Sprintf("rowSoftmaxGrad%dNEON", n), []string{"dst", "y", "dy"}, []string{"ldd", "ldy", "lddy"}, count, []*matrix{dst, y, dy})
	zero := Number(0)
	groups(count, n, []*matrix{dst, y, dy}, func() {
		v, g := y.columns(n), dy.columns(n)
		p := News(n)
		for i := range p {
			FMul(p[i], v[i], g[i])
			FAdd(p[i], p[i], zero) // a partial sum starts from +0
		}
		fold(p)
		for i := range v {
			FSub(g[i], g[i], p[0])
			FMul(v[i], v[i], g[i])
			dst.store(v[i])
		}
	})
}

const dst, first, second, n = R(0), R(1), R(2), R(3)

// rowMax writes a kernel that returns the maximum of n >= 1 elements, or NaN if one of them
// is NaN.
func rowMax() {
	Text("rowMaxNEON", 20)
	I("MOVD x+0(FP), %v", first)
	I("MOVD n+8(FP), %v", n)
	m, x := New(), News(4)
	repeat := func(to V) { I("VLD1R (%v), [%s]", first, to.All()) }
	repeat(m)
	for _, u := range []int{4, 1} {
		again, done := Fresh("max"), Fresh("done")
		I("SUBS $%d, %v", 4*u, n)
		I("BLT %s", done)
		Label(again)
		LoadAll(x[:u], first, 4, Scratch)
		I("ADD $%d, %v", 16*u, first)
		for _, v := range x[:u] {
			FMax(m, m, v)
		}
		I("SUBS $%d, %v", 4*u, n)
		I("BGE %s", again)
		Label(done)
		I("ADD $%d, %v", 4*u, n)
	}
	again, done := Fresh("max"), Fresh("done")
	Label(again)
	I("SUBS $1, %v", n)
	I("BLT %s", done)
	repeat(x[0])
	I("ADD $4, %v", first)
	FMax(m, m, x[0])
	I("B %s", again)
	Label(done)
	for lane := 1; lane < 4; lane++ {
		Dup(x[lane], m, lane)
	}
	for lane := 1; lane < 4; lane++ {
		FMax(m, m, x[lane])
	}
	I("FMOVS %v, ret+16(FP)", m)
	I("RET")
}

// exp writes dst[i] = exp(x[i] - m), for x[i] <= m or NaN.
func exp() {
	Text("rowExpNEON", 32)
	I("MOVD dst+0(FP), %v", dst)
	I("MOVD x+8(FP), %v", first)
	I("MOVD n+24(FP), %v", n)
	m, op := Scalar("m+16"), ExpNeg()
	Elementwise([]R{first}, []R{dst}, n, 2, func(x []V) []V {
		FSub(x[0], x[0], m)
		op(x[0])
		return x
	})
	I("RET")
}

// gradient writes dst[i] = y[i] * (dy[i] - d).
func gradient() {
	Text("rowGradientNEON", 40)
	I("MOVD dst+0(FP), %v", dst)
	I("MOVD y+8(FP), %v", first)
	I("MOVD dy+16(FP), %v", second)
	I("MOVD n+32(FP), %v", n)
	d := Scalar("d+24")
	Elementwise([]R{first, second}, []R{dst}, n, 4, func(x []V) []V {
		FSub(x[1], x[1], d)
		FMul(x[0], x[0], x[1])
		return x[:1]
	})
	I("RET")
}
