package kerneltest

import (
	"math"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// The constant unit is a bound on the relative error of one rounding to float32. For results
// near zero, the constant tiny bounds the absolute error instead.
const (
	unit = 0x1p-24
	tiny = 0x1p-150
)

// Bounds of the relative errors of Exp and Log, as multiples of unit. They are twice
// the bounds in ulp that package numeric states, since an ulp is at most two units.
const (
	expUnits = 2 * 1.04
	logUnits = 2 * 0.94
)

// view is a scenario with one frame. The functions that compute the expected results
// read its operands through the methods of view.
type view struct{ *scenario }

// expected holds the expected value of each element of a result and the largest
// permitted error.
type expected struct {
	operand     int
	want, bound stepgraph.Mat
}

// mat returns the contents of operand i before the run.
func (v *view) mat(i int) stepgraph.Mat {
	holds := v.row.Args[i].Holds
	rows, cols := v.row.size(i, &v.in, v.frames[0].N)
	m := stepgraph.NewMat(rows, cols)
	v.elements(i, &v.frames[0], func(word, r, c int) {
		x := float64(math.Float32frombits(v.mem[word]))
		if holds == kernel.Indices || holds == kernel.Coordinates {
			x = float64(int32(v.mem[word]))
		}
		m.Set(r, c, x)
	})
	return m
}

// absent reports whether operand i is absent.
func (v *view) absent(i int) bool { return v.in.Args[i].Slot == kernel.Absent }

// do computes an operation of a step graph in float64.
func do(o stepgraph.Op, in ...stepgraph.Mat) stepgraph.Mat {
	var values []*tensor.Dense
	for _, m := range in {
		values = append(values, tensor.New(tensor.WithShape(m.Rows, m.Cols), tensor.WithBacking(append([]float64(nil), m.Data...))))
	}
	out, err := doDense(&o, values)
	if err != nil {
		panic(err)
	}
	return stepgraph.Mat{Rows: out.Shape()[0], Cols: out.Shape()[1], Data: out.Float64s()}
}

// each returns a matrix of the shape of m whose element i is f(i).
func each(m stepgraph.Mat, f func(i int) float64) stepgraph.Mat {
	out := stepgraph.NewMat(m.Rows, m.Cols)
	for i := range out.Data {
		out.Data[i] = f(i)
	}
	return out
}

func abs(m stepgraph.Mat) stepgraph.Mat {
	return each(m, func(i int) float64 { return math.Abs(m.Data[i]) })
}

// exactly returns an expectation without rounding errors.
func exactly(want stepgraph.Mat) []expected {
	return []expected{{0, want, stepgraph.NewMat(want.Rows, want.Cols)}}
}

// within returns the expectation that the elements of a result differ from those of the
// matrix want by at most errorOf(units, size).
func within(want stepgraph.Mat, units float64, size stepgraph.Mat) []expected {
	return []expected{{0, want, errorOf(units, size)}}
}

// errorOf returns a bound on the error of each element of a result. The parameter size
// holds, for each element, the sum of the magnitudes of its terms. With k the number of
// roundings (the parameter units) and u the constant unit, the bound is size * k*u/(1-k*u),
// plus k * tiny for results near zero.
func errorOf(units float64, size stepgraph.Mat) stepgraph.Mat {
	return each(size, func(i int) float64 {
		return units*unit/(1-units*unit)*math.Abs(size.Data[i]) + units*tiny
	})
}

// relative returns the expectation that a result equals want, up to the error that arises if
// each value is rounded several times. The argument units is the number of roundings.
func relative(want stepgraph.Mat, units float64) []expected { return within(want, units, want) }

// sum returns the result and the error bound of an operation that adds n products. To
// compute the bound, it applies the same operation to the magnitudes of the operands.
func sum(n int, o stepgraph.Op, in ...stepgraph.Mat) (want, bound stepgraph.Mat) {
	var sizes []stepgraph.Mat
	for _, m := range in {
		sizes = append(sizes, abs(m))
	}
	if o.F[0] < 0 {
		o2 := o
		o2.F[0] = -o.F[0]
		return do(o, in...), errorOf(float64(n+1), do(o2, sizes...))
	}
	return do(o, in...), errorOf(float64(n+1), do(o, sizes...))
}

func summed(n int, o stepgraph.Op, in ...stepgraph.Mat) []expected {
	want, bound := sum(n, o, in...)
	return []expected{{0, want, bound}}
}

func testMeaning(t *testing.T, dev kernel.Device) {
	for _, op := range supported(dev) {
		t.Run(op.String(), func(t *testing.T) {
			w := rowOf(t, op)
			for _, form := range w.Forms {
				for _, trial := range w.trials() {
					s := newScenario(w, form, moderate, trial)
					got, err := s.run(dev)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range w.means(&view{s}) {
						s.near(t, got, &e)
					}
					if t.Failed() {
						t.Fatalf("stopped at form %d, trial %d: %v", form, trial, &s.in)
					}
				}
			}
		})
	}
}

// near fails the test if a result differs from its expected value by more than the
// permitted error.
func (s *scenario) near(t *testing.T, got []uint32, e *expected) {
	t.Helper()
	if s.in.Args[e.operand].Slot == kernel.Absent {
		return
	}
	_, cols := s.row.size(e.operand, &s.in, s.frames[0].N)
	faults := 0
	s.elements(e.operand, &s.frames[0], func(word, r, c int) {
		if s.mark[word] == forbidden {
			return
		}
		x, i := float64(math.Float32frombits(got[word])), r*cols+c
		want := e.want.Data[i]
		if math.Abs(want) >= 0x1.ffffffp127 { // overflows to an infinity when rounded
			want = math.Copysign(math.Inf(1), want)
		}
		if math.IsNaN(want) && math.IsNaN(x) || x == want || math.Abs(x-want) <= e.bound.Data[i] {
			return
		}
		if faults++; faults <= 3 {
			t.Errorf("%s[%d,%d]: have %v, want %v within %.3g", s.row.Args[e.operand].Name, r, c, x, want, e.bound.Data[i])
		}
	})
}
