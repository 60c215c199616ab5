package metric

import (
	"math"
	"slices"
)

// A column is a column of a matrix with more rows than columns.
type column []float64

func (a column) dot(b column) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// plus returns a + w b.
func (a column) plus(w float64, b column) column {
	c := make(column, len(a))
	for i, x := range a {
		c[i] = x + float64(w*b[i])
	}
	return c
}

// scaled returns w a.
func (a column) scaled(w float64) column { return make(column, len(a)).plus(w, a) }

// orthonormal returns an orthonormal basis of the space of the columns, by the
// Gram-Schmidt process. It orthogonalises each column twice, because rounding leaves
// an error after the first pass. The columns must be linearly independent.
func orthonormal(list [][]float64) []column {
	var basis []column
	for _, x := range list {
		c := column(x)
		for range 2 {
			for _, q := range basis {
				c = c.plus(-q.dot(c), q)
			}
		}
		basis = append(basis, c.scaled(1/math.Sqrt(c.dot(c))))
	}
	return basis
}

// PrincipalCosines returns the cosines of the principal angles between the column
// spaces of two tall matrices, largest first. They are the singular values of Q_a^T
// Q_b for orthonormal bases Q_a and Q_b (A. Bjorck, G. Golub, Numerical Methods for
// Computing Angles Between Linear Subspaces, 1973).
func PrincipalCosines(a, b [][]float64) []float64 {
	qa, qb := orthonormal(a), orthonormal(b)
	var product []column // by columns
	for _, y := range qb {
		c := make(column, len(qa))
		for i, x := range qa {
			c[i] = x.dot(y)
		}
		product = append(product, c)
	}
	var list []float64
	for _, c := range diagonal(product) {
		list = append(list, min(1, math.Sqrt(c.dot(c))))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// sweeps is the maximum number of passes that diagonal makes over all pairs of columns.
// For a few dozen columns far fewer are enough.
const sweeps = 60

// diagonal rotates pairs of columns until all columns are orthogonal to each other.
// Their lengths are then the singular values of the matrix (M. Hestenes, 1958).
func diagonal(c []column) []column {
	for range sweeps {
		turned := false
		for i := range c {
			for j := range i {
				x, y, xy := c[j].dot(c[j]), c[i].dot(c[i]), c[j].dot(c[i])
				if math.Abs(xy) <= 1e-15*math.Sqrt(float64(x*y)) {
					continue
				}
				turned = true
				zeta := (y - x) / (2 * xy)
				t := math.Copysign(1/(math.Abs(zeta)+math.Sqrt(1+float64(zeta*zeta))), zeta)
				cos := 1 / math.Sqrt(1+float64(t*t))
				sin := float64(cos * t)
				c[j], c[i] = c[j].scaled(cos).plus(-sin, c[i]), c[i].scaled(cos).plus(sin, c[j])
			}
		}
		if !turned {
			break
		}
	}
	return c
}
