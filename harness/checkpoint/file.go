package checkpoint

import (
	"fmt"
	"slices"
)

// File is the content of a checkpoint: named tensors and named strings.
type File struct {
	// Path is the path of the file, set by Read and ignored by Write. It appears in
	// error messages.
	Path string
	// Tensors have distinct names. Write accepts any order; Read returns the order of
	// the file.
	Tensors []Tensor
	// Meta holds strings. The key "sha256" is reserved for the checksum: Write rejects
	// it and Read omits it.
	Meta map[string]string
}

// Tensor is a named array. Write does not copy Data, so Data must not change while
// Write runs.
type Tensor struct {
	// Name must be valid UTF-8, not empty and not "__metadata__".
	Name string
	// Shape has one length per axis, last axis fastest; an empty shape means a scalar.
	Shape []int
	// Data is a []float32, []float64, []int32, []int64, []uint32 or []uint64 with as
	// many elements as Shape requires.
	Data any
}

// Element is the constraint of the element types of a tensor.
type Element interface {
	float32 | float64 | int32 | int64 | uint32 | uint64
}

// Scalar returns a tensor without axes, for one counter or one setting.
func Scalar[T Element](name string, v T) Tensor {
	return Tensor{Name: name, Data: []T{v}}
}

// Get returns the elements of the named tensor. It returns an error if there is no
// such tensor or if its type or shape differs.
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

// GetMeta returns the metadata string of the key, or an error if there is none.
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
