package checkpoint

import (
	"fmt"
	"slices"
)

// File is the content of a checkpoint: named tensors and named strings.
type File struct {
	// Path is where Read found the file; Write ignores it. It appears in
	// error messages.
	Path string
	// Tensors have distinct names, in any order for Write and in the order of
	// the file after Read.
	Tensors []Tensor
	// Meta holds strings. The key "sha256" is the checksum's: Write refuses it
	// and Read leaves it out.
	Meta map[string]string
}

// Tensor is a named array. The file holds Data as it is when Write runs; no
// copy is taken.
type Tensor struct {
	// Name is not empty, valid UTF-8 and not "__metadata__".
	Name string
	// Shape has one length per axis, last axis fastest; none means a scalar.
	Shape []int
	// Data is a []float32, []float64, []int32, []int64, []uint32 or []uint64
	// of as many elements as Shape says.
	Data any
}

// Element is what a tensor may hold.
type Element interface {
	float32 | float64 | int32 | int64 | uint32 | uint64
}

// Scalar returns a tensor without axes: one counter or one setting.
func Scalar[T Element](name string, v T) Tensor {
	return Tensor{Name: name, Data: []T{v}}
}

// Get returns the elements of the named tensor. It is an error if there is no
// such tensor or if its type or shape is another.
func Get[T Element](f *File, name string, shape ...int) ([]T, error) {
	want, _ := dtypeOf([]T(nil))
	for _, t := range f.Tensors {
		if t.Name != name {
			continue
		}
		d, ok := t.Data.([]T)
		if !ok || !slices.Equal(t.Shape, shape) {
			have, _ := dtypeOf(t.Data)
			return nil, f.errorf("tensor %q: have %s %v, want %s %v", name, have.name, t.Shape, want.name, shape)
		}
		return d, nil
	}
	return nil, f.errorf("tensor %q: have none of this name, want %s %v", name, want.name, shape)
}

// GetScalar returns the element of the named tensor without axes.
func GetScalar[T Element](f *File, name string) (T, error) {
	d, err := Get[T](f, name)
	if err != nil {
		var zero T
		return zero, err
	}
	if len(d) != 1 {
		var zero T
		return zero, f.errorf("tensor %q: have %d elements, want 1", name, len(d))
	}
	return d[0], nil
}

// GetMeta returns the metadata string of this key, or an error if there is
// none.
func (f *File) GetMeta(key string) (string, error) {
	v, ok := f.Meta[key]
	if !ok {
		return "", f.errorf("metadata %q: have none of this key", key)
	}
	return v, nil
}

func (f *File) errorf(format string, args ...any) error {
	where := f.Path
	if where == "" {
		where = "checkpoint"
	}
	return fmt.Errorf("%s: %w", where, fmt.Errorf(format, args...))
}
