package numeric

// FMA returns a*b + c rounded once, to nearest even. The compiler turns the expression into
// one FMADDS instruction; the tests of FMA verify this. If a caller passes a product x*y as
// c, the conversion keeps the compiler from fusing x*y with the addition. The compiler does
// not fuse a*b if both factors are constants, or one is the constant 2 or -2, because it
// rewrites the product first. Callers must avoid such factors; a test of package ci checks
// this.
func FMA(a, b, c float32) float32 { return a*b + float32(c) }

// wide is a*b + c, already rounded.
type wide float32

func widen(x float32) wide { return wide(x) }

func sum(a wide, b, c float32) wide { return wide(FMA(float32(a), b, c)) }

func (wide) middle() bool { return false }

func odd(a, b, c float32) wide { return wide(FMA(a, b, c)) }
