package checkpoint

import (
	"fmt"
	"math"
	"reflect"
)

// dtype is an element type of the file format.
type dtype struct {
	name  string
	size  int                  // bytes per element
	slice reflect.Type         // Go slice type of the elements
	widen func(uint16) float32 // of an element of a short type, which is read as a float32; nil for the others
}

// dtypes lists the supported element types.
var dtypes = []dtype{
	{name: "F32", size: 4, slice: reflect.TypeFor[[]float32]()},
	{name: "F64", size: 8, slice: reflect.TypeFor[[]float64]()},
	{name: "I32", size: 4, slice: reflect.TypeFor[[]int32]()},
	{name: "I64", size: 8, slice: reflect.TypeFor[[]int64]()},
	{name: "U32", size: 4, slice: reflect.TypeFor[[]uint32]()},
	{name: "U64", size: 8, slice: reflect.TypeFor[[]uint64]()},
}

// dtypeNames is the list of dtypes for error messages.
const dtypeNames = "one of F32, F64, I32, I64, U32, U64"

func dtypeNamed(list []dtype, name string) (dtype, bool) {
	for _, d := range list {
		if d.name == name {
			return d, true
		}
	}
	return dtype{}, false
}

// dtypeOf returns the type of a tensor's data. For unsupported data it returns false
// and a dtype with the name of the Go type.
func dtypeOf(data any) (dtype, bool) {
	for _, d := range dtypes {
		if reflect.TypeOf(data) == d.slice {
			return d, true
		}
	}
	return dtype{name: fmt.Sprintf("%T", data)}, false
}

// alloc returns a slice of n elements.
func (d dtype) alloc(n int) any {
	return reflect.MakeSlice(d.slice, n, n).Interface()
}

// length returns the number of elements of a tensor's data.
func length(data any) int { return reflect.ValueOf(data).Len() }

// part returns data[i:j].
func part(data any, i, j int) any { return reflect.ValueOf(data).Slice(i, j).Interface() }

// nonFinite returns the index of the first NaN or infinity in data, or -1.
func nonFinite(data any) int {
	switch d := data.(type) {
	case []float32:
		for i, v := range d {
			if v-v != 0 {
				return i
			}
		}
	case []float64:
		for i, v := range d {
			if v-v != 0 {
				return i
			}
		}
	}
	return -1
}

// describe returns an element of a tensor and its coordinates as text, such as "NaN at [2
// 0]". The element is data[j]. Its index in the whole tensor, which has the given shape, is
// i; data may be only a part of the tensor.
func describe(data any, j int, shape []int, i int) string {
	at := make([]int, len(shape))
	for a := len(shape) - 1; a >= 0; a-- {
		at[a] = i % shape[a]
		i /= shape[a]
	}
	return fmt.Sprintf("%v at %v", reflect.ValueOf(data).Index(j), at)
}

// maxAxes and maxLength limit a shape. The length of an axis must fit into the uint32
// of a digest and into a 32-bit int.
const (
	maxAxes   = 16
	maxLength = math.MaxInt32
)

// elements returns the number of elements of a shape, or an error if an axis or the
// product is out of range.
func elements(shape []int) (int, error) {
	if len(shape) > maxAxes {
		return 0, fmt.Errorf("have %d axes, want <= %d", len(shape), maxAxes)
	}
	n := 1
	for a, s := range shape {
		if s < 0 || s > maxLength {
			return 0, fmt.Errorf("have length %d of axis %d, want 0 to %d", s, a, maxLength)
		}
		if s != 0 && n > math.MaxInt/8/s {
			return 0, fmt.Errorf("have shape %v, want a size below %d bytes", shape, math.MaxInt)
		}
		n *= s
	}
	return n, nil
}
