package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"
)

// Digest returns the digest of trainable parameters, in lower-case hexadecimal. The
// numeric contract compares runs by this digest (section Digests of package kernel).
// It is the SHA-256 of a stream of little-endian numbers, which has for each
// parameter, in bytewise order of the names,
//
//	uint32   length of the name in bytes
//	bytes    the name
//	uint32   rank
//	uint32   each dimension
//	float32  each element, row-major
//
// Every NaN is hashed as 0x7fc00000, because all NaNs are equal in the numeric
// contract. Digest panics if the three lists differ in length, if a shape does not
// match its data or if a name occurs twice.
func Digest(names []string, shapes [][]int, data [][]float32) string {
	h := newHasher()
	h.params(names, shapes, data)
	return h.sum()
}

// StateDigest returns the digest of everything that decides how training continues:
// the parameters and the given state. The state holds optimiser moments, schedule
// and counters as tensors or strings. The digest is the SHA-256 of the stream of
// [Digest], then
//
//	uint32   0xffffffff
//
// then for each tensor of state, in bytewise order of the names, its name, dtype,
// rank, dimensions and elements, then 0xffffffff again, then for each key of
// state.Meta, in bytewise order, the key and its value. Strings are written as their
// length and their bytes, as in Digest.
func StateDigest(names []string, shapes [][]int, data [][]float32, state *File) string {
	h := newHasher()
	h.params(names, shapes, data)
	h.uint32(math.MaxUint32)
	tensors := slices.Clone(state.Tensors)
	slices.SortStableFunc(tensors, func(a, b Tensor) int { return strings.Compare(a.Name, b.Name) })
	for i, t := range tensors {
		if i > 0 && t.Name == tensors[i-1].Name {
			panic(fmt.Sprintf("checkpoint: state %q occurs twice", t.Name))
		}
		d, ok := dtypeOf(t.Data)
		if !ok {
			panic(fmt.Sprintf("checkpoint: state %q has data of type %s, want %s", t.Name, d.name, dtypeNames))
		}
		h.string(t.Name)
		h.string(d.name)
		h.shape(t.Name, t.Shape, length(t.Data))
		h.data(t.Data)
	}
	h.uint32(math.MaxUint32)
	for _, key := range slices.Sorted(maps.Keys(state.Meta)) {
		h.string(key)
		h.string(state.Meta[key])
	}
	return h.sum()
}

// hasher hashes the parts of a digest.
type hasher struct {
	hash hash.Hash
	buf  []byte
}

func newHasher() *hasher { return &hasher{sha256.New(), make([]byte, bufferBytes)} }

func (h *hasher) sum() string { return hex.EncodeToString(h.hash.Sum(nil)) }

func (h *hasher) params(names []string, shapes [][]int, data [][]float32) {
	if len(shapes) != len(names) || len(data) != len(names) {
		panic(fmt.Sprintf("checkpoint: %d shapes and %d data of %d parameters", len(shapes), len(data), len(names)))
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	for k, i := range order {
		if k > 0 && names[i] == names[order[k-1]] {
			panic(fmt.Sprintf("checkpoint: parameter %q occurs twice", names[i]))
		}
		h.string(names[i])
		h.shape(names[i], shapes[i], len(data[i]))
		h.data(data[i])
	}
}

func (h *hasher) uint32(v uint32) {
	h.hash.Write(binary.LittleEndian.AppendUint32(h.buf[:0], v))
}

func (h *hasher) string(s string) {
	h.uint32(uint32(len(s)))
	h.hash.Write([]byte(s))
}

func (h *hasher) shape(name string, shape []int, have int) {
	n, err := elements(shape)
	if err != nil {
		panic(fmt.Sprintf("checkpoint: %q: %v", name, err))
	}
	if n != have {
		panic(fmt.Sprintf("checkpoint: length of %q is %d, want %d for shape %v", name, have, n, shape))
	}
	h.uint32(uint32(len(shape)))
	for _, d := range shape {
		h.uint32(uint32(d))
	}
}

func (h *hasher) data(data any) {
	if nonFinite(data) >= 0 {
		data = canonicalNaN(data)
	}
	if err := writeData(h.hash, h.buf, data); err != nil {
		panic(err) // a hash never returns an error
	}
}

// canonicalNaN returns a copy of data in which every NaN has the same bits.
func canonicalNaN(data any) any {
	switch d := data.(type) {
	case []float32:
		d = slices.Clone(d)
		for i, v := range d {
			if v != v {
				d[i] = math.Float32frombits(0x7fc00000)
			}
		}
		return d
	case []float64:
		d = slices.Clone(d)
		for i, v := range d {
			if v != v {
				d[i] = math.Float64frombits(0x7ff8 << 48)
			}
		}
		return d
	}
	return data
}
