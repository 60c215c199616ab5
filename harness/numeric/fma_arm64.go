package numeric

// FMA returns a*b + c rounded once, to nearest even: the compiler makes one
// instruction of it, FMADDS. The tests of FMA hold it to that. The conversion keeps
// it from taking the product that c may be for the one to fuse. Of two constant
// factors, and of a constant 2, the compiler makes something else before that, so no
// call may have them: a test of package ci looks for such calls.
func FMA(a, b, c float32) float32 { return a*b + float32(c) }

// wide is a*b + c, which is rounded already.
type wide float32

func widen(x float32) wide { return wide(x) }

func sum(a wide, b, c float32) wide { return wide(FMA(float32(a), b, c)) }

func (wide) middle() bool { return false }

func odd(a, b, c float32) wide { return wide(FMA(a, b, c)) }
