package metric

import (
	"math"
	"slices"
)

// A column is one of a tall matrix.
type column []float64

func (a column) dot(b column) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// plus is a + w b.
func (a column) plus(w float64, b column) column {
	c := make(column, len(a))
	for i, x := range a {
		c[i] = x + float64(w*b[i])
	}
	return c
}

// scaled is w a.
func (a column) scaled(w float64) column { return make(column, len(a)).plus(w, a) }

// orthonormal makes a basis of the space of the columns, each freed of those
// before it twice, since once leaves what rounding puts in. Columns must be
// independent.
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

// PrincipalCosines returns the cosines of the principal angles between the spaces of
// the columns of two tall matrices, the largest first: the singular values of Q_a^T Q_b, of
// bases Q_a and Q_b (A. Bjorck, G. Golub, Numerical Methods for Computing Angles
// Between Linear Subspaces, 1973).
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

// sweeps is far more than the rotations of some tens of columns need to settle.
const sweeps = 60

// diagonal rotates columns two by two until each is orthogonal to the others:
// their lengths are the singular values of the matrix (M. Hestenes, 1958).
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
