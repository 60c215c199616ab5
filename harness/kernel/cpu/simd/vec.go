package simd

import (
	"unsafe"

	"pushdown/harness/kernel"
)

// vecTable holds the elementwise routines over n contiguous elements. The elements may
// be computed in any order. The operations on an element are fixed, and each is rounded
// once, to nearest even. dst may be the same vector as an input. n may be 0.
type vecTable struct {
	Op   [kernel.NumOps]element
	Fill func(dst *float32, s float32, n int) // dst[i] = s

	// Fetch prefetches n > 0 elements to the first cache, or does nothing.
	Fetch func(p *float32, n int)
}

type (
	vec2 = func(dst, x *float32, n int)
	vec3 = func(dst, x, y *float32, n int)
)

// element holds the routine of an elementwise operation. The results are those of the
// function Loop in the operation's row of [kernel.Ops]. At most one field of an element is
// set: the one whose signature has the operands and constants that the operation reads.
type element struct {
	X   vec2
	Xy  vec3
	Xf  func(dst, x *float32, f float32, n int)
	Xff func(dst, x *float32, f, g float32, n int)
}

// With returns the routine for the given constants. y may be nil if the operation
// does not read it.
func (e *element) With(f [2]float32) func(dst, x, y *float32, n int) {
	switch {
	case e.Xy != nil:
		return e.Xy
	case e.Xf != nil:
		return func(dst, x, _ *float32, n int) { e.Xf(dst, x, f[0], n) }
	case e.Xff != nil:
		return func(dst, x, _ *float32, n int) { e.Xff(dst, x, f[0], f[1], n) }
	}
	return func(dst, x, _ *float32, n int) { e.X(dst, x, n) }
}

// Run runs the routine.
func (e *element) Run(dst, x, y *float32, f *[2]float32, n int) {
	switch {
	case e.Xy != nil:
		e.Xy(dst, x, y, n)
	case e.X != nil:
		e.X(dst, x, n)
	case e.Xf != nil:
		e.Xf(dst, x, f[0], n)
	default:
		e.Xff(dst, x, f[0], f[1], n)
	}
}

// set reports whether the element has a routine.
func (e *element) set() bool { return e.X != nil || e.Xy != nil || e.Xf != nil || e.Xff != nil }

// vecGeneric consists of the loops in [kernel.Ops].
var vecGeneric = func() (v vecTable) {
	for op := range v.Op {
		if row := &kernel.Ops[op]; row.SameShape() {
			v.Op[op] = generic(row)
		}
	}
	v.Fetch = noFetch
	v.Fill = func(dst *float32, s float32, n int) {
		kernel.Ops[kernel.Fill].Loop(unsafe.Slice(dst, n), nil, nil, [2]float32{s})
	}
	return v
}()

// generic returns a routine that runs the Loop of an operation.
func generic(row *kernel.Row) (e element) {
	loop := row.Loop
	switch {
	case len(row.Args) == 3:
		e.Xy = func(dst, x, y *float32, n int) {
			loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), unsafe.Slice(y, n), [2]float32{})
		}
	case row.F == 2:
		e.Xff = func(dst, x *float32, f, g float32, n int) {
			loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), nil, [2]float32{f, g})
		}
	case row.F == 1:
		e.Xf = func(dst, x *float32, f float32, n int) {
			loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), nil, [2]float32{f})
		}
	default:
		e.X = func(dst, x *float32, n int) { loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), nil, [2]float32{}) }
	}
	return e
}

// noFetch is Fetch where no assembly prefetches.
func noFetch(*float32, int) {}
