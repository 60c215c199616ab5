package ptxemu

// typ is a type of registers and instructions. Types of 8 and 16 bits are not
// supported.
type typ uint8

const (
	pred typ = iota
	b32
	u32
	s32
	f32
	b64
	u64
	s64
	f64
)

var typeNames = [...]string{"pred", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"}

func (t typ) String() string { return typeNames[t] }

// typeOf returns the type with the given name.
func typeOf(name string) (typ, bool) {
	for t, n := range typeNames {
		if n == name {
			return typ(t), true
		}
	}
	return 0, false
}

// size returns the size of a value in bytes, 0 for a predicate.
func (t typ) size() int {
	switch {
	case t == pred:
		return 0
	case t < b64:
		return 4
	}
	return 8
}

func (t typ) bare() bool { return t == b32 || t == b64 }
func (t typ) real() bool { return t == f32 || t == f64 }

// fits reports whether a register of type t can be an operand of type want. The sizes
// must be equal. Untyped bits (b32, b64) fit every type of their size; integers and
// floats do not fit each other.
func (t typ) fits(want typ) bool {
	return t.size() == want.size() && (t == want || t.bare() || want.bare() || t != pred && t.real() == want.real())
}

// holds reports whether a load or a store of type want can use a register of type t. For
// integers, the register may be wider than want.
func (t typ) holds(want typ) bool {
	return t.fits(want) || t.size() > want.size() && !t.real() && !want.real() && want != pred
}

// lanes holds the values that a register has in the threads of a warp, one for each
// thread. A value of 32 bits is in the lower half; the upper half is zero.
type lanes [warpSize]uint64

const warpSize = 32

// specials are the special registers, which the machine sets for each thread.
var specials = [...]string{
	"%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z",
	"%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z",
}

// specialOf returns the index of the given name in the list specials, or -1.
func specialOf(name string) int {
	for i, s := range specials {
		if s == name {
			return i
		}
	}
	return -1
}
