package ptxemu

// comparisons are the comparison operators of setp. Those that end in u are true if an
// operand is NaN.
var comparisons = []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}

// lessThan returns the operator < of a type.
func lessThan(t typ) func(a, b uint64) bool {
	switch t {
	case f32:
		return func(a, b uint64) bool { return float(a) < float(b) }
	case f64:
		return func(a, b uint64) bool { return double(a) < double(b) }
	case s32:
		return func(a, b uint64) bool { return int32(uint32(a)) < int32(uint32(b)) }
	case s64:
		return func(a, b uint64) bool { return int64(a) < int64(b) }
	}
	return func(a, b uint64) bool { return a < b }
}

// equal returns the operator == of a type.
func equal(t typ) func(a, b uint64) bool {
	switch t {
	case f32:
		return func(a, b uint64) bool { return float(a) == float(b) }
	case f64:
		return func(a, b uint64) bool { return double(a) == double(b) }
	}
	return func(a, b uint64) bool { return a == b }
}

// comparison returns a function that applies a comparison operator of setp to the values
// of all threads of a warp. It returns nil if the type does not have this operator.
func comparison(name string, t typ) func(a, b *lanes) uint32 {
	less, same := lessThan(t), equal(t)
	var f func(a, b uint64) bool
	unsigned := t == u32 || t == u64
	switch name {
	case "eq":
		f = same
	case "ne": // false for NaN
		f = func(a, b uint64) bool { return !same(a, b) }
		if t.real() {
			f = func(a, b uint64) bool { return less(a, b) || less(b, a) }
		}
	case "lo", "lt":
		f = less
	case "ls", "le":
		f = func(a, b uint64) bool { return less(a, b) || same(a, b) }
	case "hi", "gt":
		f = func(a, b uint64) bool { return less(b, a) }
	case "hs", "ge":
		f = func(a, b uint64) bool { return less(b, a) || same(a, b) }
	case "equ":
		f = func(a, b uint64) bool { return !less(a, b) && !less(b, a) }
	case "neu":
		f = func(a, b uint64) bool { return !same(a, b) }
	case "ltu":
		f = func(a, b uint64) bool { return !less(b, a) && !same(a, b) }
	case "leu":
		f = func(a, b uint64) bool { return !less(b, a) }
	case "gtu":
		f = func(a, b uint64) bool { return !less(a, b) && !same(a, b) }
	case "geu":
		f = func(a, b uint64) bool { return !less(a, b) }
	case "num":
		f = func(a, b uint64) bool { return same(a, a) && same(b, b) }
	case "nan":
		f = func(a, b uint64) bool { return !same(a, a) || !same(b, b) }
	}
	switch name {
	case "eq", "ne":
	case "lt", "le", "gt", "ge":
		if t.bare() {
			return nil
		}
	case "lo", "ls", "hi", "hs":
		if !unsigned {
			return nil
		}
	default:
		if !t.real() {
			return nil
		}
	}
	return func(a, b *lanes) uint32 {
		mask := uint32(0)
		for i := range a {
			if f(a[i], b[i]) {
				mask |= 1 << i
			}
		}
		return mask
	}
}
