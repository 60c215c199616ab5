package checkpoint

import (
	"math"
	"reflect"

	"pushdown/harness/disk"
)

// Import returns the content of a safetensors file that any program has written, such as the library safetensors
// for PyTorch or JAX. The file need not have a checksum; if it has one, it is checked. The header may list tensors in any order;
// they are returned in the order of their data. The elements of the short types F16 and BF16 become float32, which holds all of them exactly.
func Import(path string) (*File, error) {
	f, _, err := read(disk.FS{}, path, true, true)
	return f, err
}

// short lists the element types that only Import reads.
var short = []dtype{
	{"F16", 2, reflect.TypeFor[[]float32](), half},
	{"BF16", 2, reflect.TypeFor[[]float32](), func(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }},
}

// half returns the value of the IEEE half-precision number with the given bits.
func half(b uint16) float32 {
	sign, exponent, fraction := uint32(b>>15)<<31, uint32(b>>10&31), uint32(b&1023)
	switch exponent {
	case 0: // the fraction counts units of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 31: // infinite or NaN
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
