package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Shape is the shape of a matrix.
type Shape struct{ Rows, Cols int }

// String returns the shape as rows x columns.
func (s Shape) String() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// Mat is a row-major float64 matrix, as used by the reference computations. It
// holds int32 values exactly.
type Mat struct {
	Rows, Cols int
	Data       []float64
}

// NewMat returns a matrix of zeros.
func NewMat(rows, cols int) Mat {
	return Mat{rows, cols, make([]float64, rows*cols)}
}

// At returns element (r, c).
func (m Mat) At(r, c int) float64 { return m.Data[r*m.Cols+c] }

// Set sets element (r, c).
func (m Mat) Set(r, c int, v float64) { m.Data[r*m.Cols+c] = v }

// matOf copies a Gorgonia value. It panics if the value is not a dense matrix of
// float32, float64 or int32.
func matOf(v gorgonia.Value) Mat {
	d, ok := v.(*tensor.Dense)
	if !ok || len(d.Shape()) != 2 {
		panic(fmt.Sprintf("value is %T of shape %v, want a dense matrix", v, v.Shape()))
	}
	m := NewMat(d.Shape()[0], d.Shape()[1])
	switch data := d.Data().(type) {
	case []float64:
		copy(m.Data, data)
	case []float32:
		for i, x := range data {
			m.Data[i] = float64(x)
		}
	case []int32:
		for i, x := range data {
			m.Data[i] = float64(x)
		}
	default:
		panic(fmt.Sprintf("value holds %T, want float32, float64 or int32", data))
	}
	return m
}

func (m Mat) tensor(dt tensor.Dtype) *tensor.Dense {
	shape := tensor.WithShape(m.Rows, m.Cols)
	switch dt {
	case tensor.Float64:
		return tensor.New(shape, tensor.WithBacking(m.Data))
	case tensor.Float32:
		d := make([]float32, len(m.Data))
		for i, x := range m.Data {
			d[i] = float32(x)
		}
		return tensor.New(shape, tensor.WithBacking(d))
	case tensor.Int32:
		d := make([]int32, len(m.Data))
		for i, x := range m.Data {
			d[i] = int32(x)
		}
		return tensor.New(shape, tensor.WithBacking(d))
	}
	panic(fmt.Sprintf("dtype %v, want float32, float64 or int32", dt))
}
