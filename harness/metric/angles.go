package metric

import (
	"math"
	"slices"
)

// A column is a column of a matrix.
type column []float64

func (a column) dot(b column) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// add adds w b to a.
func (a column) add(w float64, b column) {
	for i, x := range b {
		a[i] += float64(w * x)
	}
}

// scale multiplies a by w.
func (a column) scale(w float64) {
	for i := range a {
		a[i] *= w
	}
}

// A Basis is an orthonormal basis of the space that the columns of a tall matrix span.
type Basis []column

// NewBasis returns a basis of the space of the columns, by the Gram-Schmidt process. It
// orthogonalises each column twice, because rounding leaves an error after the first pass.
// The columns must be linearly independent.
func NewBasis(columns [][]float64) Basis {
	var basis Basis
	for _, x := range columns {
		c := slices.Clone(column(x))
		for range 2 {
			for _, q := range basis {
				c.add(-q.dot(c), q)
			}
		}
		c.scale(1 / math.Sqrt(c.dot(c)))
		basis = append(basis, c)
	}
	return basis
}

// PrincipalCosines returns the cosines of the principal angles between two spaces, largest
// first. They are the singular values of the matrix of scalar products of a's columns with
// b's (A. Bjorck, G. Golub, Numerical Methods for Computing Angles Between Linear Subspaces,
// 1973).
func PrincipalCosines(a, b Basis) []float64 {
	var product []column // by columns
	for _, y := range b {
		c := make(column, len(a))
		for i, x := range a {
			c[i] = x.dot(y)
		}
		product = append(product, c)
	}
	diagonalize(product)
	var list []float64
	for _, c := range product {
		list = append(list, min(1, math.Sqrt(c.dot(c))))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// sweeps is the maximum number of passes that diagonalize makes over all pairs of columns.
// For some hundred columns far fewer are enough.
const sweeps = 60

// diagonalize rotates pairs of columns until all columns are orthogonal to each other.
// Their lengths are then the singular values of the matrix (M. Hestenes, 1958).
func diagonalize(c []column) {
	for range sweeps {
		turned := false
		for i, a := range c {
			for _, b := range c[:i] {
				turned = orthogonalize(b, a) || turned
			}
		}
		if !turned {
			break
		}
	}
}

// orthogonalize makes a and b orthogonal by rotating them in their plane. It reports whether a
// rotation was needed.
func orthogonalize(a, b column) bool {
	var aa, bb, ab float64
	for i, x := range a {
		y := b[i]
		aa += float64(x * x)
		bb += float64(y * y)
		ab += float64(x * y)
	}
	if math.Abs(ab) <= 1e-15*math.Sqrt(float64(aa*bb)) {
		return false
	}
	zeta := (bb - aa) / (2 * ab)
	t := math.Copysign(1/(math.Abs(zeta)+math.Sqrt(1+float64(zeta*zeta))), zeta)
	cos := 1 / math.Sqrt(1+float64(t*t))
	sin := float64(cos * t)
	for i, x := range a {
		y := b[i]
		a[i], b[i] = float64(cos*x)-float64(sin*y), float64(cos*y)+float64(sin*x)
	}
	return true
}
