package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPrincipalCosines checks known angles: it builds two subspaces from orthonormal
// columns, rotates each column of the second by its own angle, and mixes the columns
// of both.
func TestPrincipalCosines(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	normal := func(rows, cols int) (list [][]float64) {
		for range cols {
			c := make([]float64, rows)
			for i := range c {
				c[i] = random.NormFloat64()
			}
			list = append(list, c)
		}
		return list
	}
	mixed := func(c []column) (list [][]float64) { // the columns span the same space
		for range c {
			sum := make(column, len(c[0]))
			for _, x := range c {
				sum.add(random.NormFloat64(), x)
			}
			list = append(list, sum)
		}
		return list
	}
	for _, turns := range [][]float64{{0.3}, {0, 0.5, 1}, {0.1, 0.1, 0.7, 1.2, math.Pi / 2}, {1.5, 1.4, 1.3, 0.01}} {
		n := len(turns)
		q := NewBasis(normal(4*n, 2*n))
		var b []column
		var want []float64
		for i, x := range turns {
			c := make(column, 4*n)
			c.add(math.Cos(x), q[i])
			c.add(math.Sin(x), q[n+i])
			b = append(b, c)
			want = append(want, math.Cos(x))
		}
		slices.Sort(want)
		slices.Reverse(want)
		have := PrincipalCosines(NewBasis(mixed(q[:n])), NewBasis(mixed(b)))
		for i, w := range want { // the tolerance allows for nearly dependent mixed columns
			if math.Abs(have[i]-w) > 1e-10 {
				t.Errorf("angles %v: cosines %v, want %v", turns, have, want)
				break
			}
		}
	}
}
