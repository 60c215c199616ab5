package ptxemu

// typ is a type of registers and instructions. There are none of 8 or 16 bits.
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

// typeOf returns the type of that name.
func typeOf(name string) (typ, bool) {
	for t, n := range typeNames {
		if n == name {
			return typ(t), true
		}
	}
	return 0, false
}

// size returns the bytes of a value, 0 for a predicate.
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

// fits tells whether a register of type t may stand where an instruction has
// type want: of one size, and bits go with everything.
func (t typ) fits(want typ) bool {
	return t.size() == want.size() && (t == want || t.bare() || want.bare() || t != pred && t.real() == want.real())
}

// holds tells whether a register of type t may be loaded and stored as type want:
// whole numbers may lie in wider registers.
func (t typ) holds(want typ) bool {
	return t.fits(want) || t.size() > want.size() && !t.real() && !want.real() && want != pred
}

// lanes are the values of a register in the threads of a warp. Values of 32 bits
// stand in the lower half, the upper one being zero.
type lanes [warpSize]uint64

const warpSize = 32

// specials are the registers that a thread finds filled, in the order of their
// numbers.
var specials = [...]string{
	"%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z",
	"%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z",
}

// specialOf returns the number of a special register, -1 if it is none.
func specialOf(name string) int {
	for i, s := range specials {
		if s == name {
			return i
		}
	}
	return -1
}
