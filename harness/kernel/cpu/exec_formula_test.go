package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/numeric"
	"pushdown/harness/rng"
)

// These tests compare weighted sums, ColDot, Dropout and Noise with loops that compute
// in the order that package kernel states. The results must be equal bit for bit.

// formula is an operation on matrices without gaps between their rows. The field sizes
// lists the rows and columns of the result, then those of the operands.
type formula struct {
	in    kernel.Instr
	sizes [][2]int
	want  func(x [][]float32) []float32
}

func formulas() []formula {
	const rows, n, blocks = 3, 70, 4
	list := []formula{
		{kernel.Instr{Op: kernel.WeightedSum, I: [3]int{blocks}, M: rows, W: n}, [][2]int{{rows, n}, {rows, blocks}, {rows, blocks * n}},
			func(x [][]float32) []float32 {
				y := make([]float32, rows*n)
				for i := range y {
					r, c := i/n, i%n
					y[i] = x[0][r*blocks] * x[1][r*blocks*n+c]
					for a := 1; a < blocks; a++ {
						y[i] = numeric.FMA(x[0][r*blocks+a], x[1][(r*blocks+a)*n+c], y[i])
					}
				}
				return y
			}},
		{kernel.Instr{Op: kernel.WeightedSumGradW, I: [3]int{blocks}, M: rows, W: n}, [][2]int{{rows, blocks}, {rows, blocks * n}, {rows, n}},
			func(x [][]float32) []float32 {
				y := make([]float32, rows*blocks)
				for i := range y {
					var part [64]float32
					for c := range n {
						part[c%64] += float32(x[0][i*n+c] * x[1][i/blocks*n+c])
					}
					for h := 32; h > 0; h /= 2 {
						for j := range h {
							part[j] += part[j+h]
						}
					}
					y[i] = part[0]
				}
				return y
			}},
		{kernel.Instr{Op: kernel.WeightedSumGradX, I: [3]int{blocks}, M: rows, W: n}, [][2]int{{rows, blocks * n}, {rows, blocks}, {rows, n}},
			func(x [][]float32) []float32 {
				y := make([]float32, rows*blocks*n)
				for i := range y {
					y[i] = x[1][i/(blocks*n)*n+i%n] * x[0][i/n]
				}
				return y
			}},
		colDot(600, 3), colDot(1, 200), // with one row, a sum is one product, which can underflow to -0
	}
	coord := [][3]int32{{7, 0, 1}, {8, 0, 1}, {-1, math.MaxInt32, 5}}
	for _, op := range []kernel.Op{kernel.Dropout, kernel.Noise} {
		list = append(list, formula{kernel.Instr{Op: op, M: rows, W: n, I: [3]int{11, 22}, F: [2]float32{0.3, 0.7}}, [][2]int{{rows, n}, {rows, n}, {rows, 3}},
			func(x [][]float32) []float32 {
				for i := range coord {
					for j, v := range coord[i] {
						x[1][3*i+j] = math.Float32frombits(uint32(v))
					}
				}
				y := make([]float32, rows*n)
				for i := range y {
					c, col := coord[i/n], i%n
					word := rng.FromKey([2]uint32{11, 22}).Block(rng.At{Unit: uint32(col / 4), Row: uint32(c[0]), T: uint32(c[1]), Update: uint32(c[2])})[col%4]
					switch {
					case op == kernel.Noise:
						y[i] = x[0][i] + (float32(0.3) + float32(float32(0.7)*rng.StandardNormal(word)))
					case rng.Unit(word) >= 0.3:
						y[i] = x[0][i] * float32(1/(1-float64(float32(0.3))))
					}
				}
				return y
			}})
	}
	return list
}

func colDot(deep, cols int) formula {
	return formula{kernel.Instr{Op: kernel.ColDot, Form: kernel.StackMajor, W: deep, S: 1}, [][2]int{{1, cols}, {deep, cols}, {deep, cols}},
		func(x [][]float32) []float32 {
			y := make([]float32, cols)
			for c := range y {
				for from := 0; from < deep; from += 256 {
					part := float32(0)
					for r := from; r < min(from+256, deep); r++ {
						part = numeric.FMA(x[0][r*cols+c], x[1][r*cols+c], part)
					}
					if from == 0 {
						y[c] = part
					} else {
						y[c] += part
					}
				}
			}
			return y
		}}
}

func TestOperationsFollowTheirFormulas(t *testing.T) {
	for _, isa := range Available() {
		d, err := New(Options{ISA: isa})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for _, f := range formulas() {
			for _, draw := range draws {
				t.Run(fmt.Sprintf("isa=%v/%v/%s", isa, f.in.Op, draw.name), func(t *testing.T) {
					next := draw.make(rand.New(rand.NewPCG(3, uint64(f.in.Op))))
					in, at := f.in, 0
					var x [][]float32
					for _, s := range f.sizes {
						in.Args = append(in.Args, kernel.Arg{Slot: kernel.FixedSlot, Off: at, LD: s[1]})
						at += s[0] * s[1]
						operand := make([]float32, s[0]*s[1])
						for i := range operand {
							operand[i] = next()
						}
						x = append(x, operand)
					}
					want := f.want(x[1:])
					a, err := d.NewArena(at)
					if err != nil {
						t.Fatal(err)
					}
					defer a.Close()
					for i, arg := range in.Args {
						a.Write(arg.Off, x[i])
					}
					code, err := a.Compile([]kernel.Instr{in})
					if err != nil {
						t.Fatal(err)
					}
					a.Run(code, []kernel.Frame{{N: f.sizes[0][1]}})
					got := make([]float32, len(want))
					a.Read(0, got)
					for i := range want {
						if math.Float32bits(got[i]) != math.Float32bits(want[i]) && !(math.IsNaN(float64(got[i])) && math.IsNaN(float64(want[i]))) {
							t.Fatalf("element %d is %v, want %v", i, got[i], want[i])
						}
					}
				})
			}
		}
	}
}
