package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
)

// vecTable holds the elementwise routines over n contiguous elements. Each
// element depends on its own inputs alone, so the order is free; what is fixed
// are the operations of one element, every one of them rounded once, to
// nearest even. dst may be an input; n may be 0.
type vecTable struct {
	op   [kernel.NumOps]element
	fill func(dst *float32, s float32, n int) // dst[i] = s
	// sigmoidGradClip is SigmoidGrad and then Clip.
	sigmoidGradClip func(dst, y, dy *float32, lo, hi float32, n int)
}

type (
	vec2 = func(dst, x *float32, n int)
	vec3 = func(dst, x, y *float32, n int)
)

// element is the routine of an elementwise operation, which is the Loop of its row
// of [kernel.Ops]. The field is set that has what it reads: operands, and attributes
// of F.
type element struct {
	x   vec2
	xy  vec3
	xf  func(dst, x *float32, f float32, n int)
	xff func(dst, x *float32, f, g float32, n int)
}

// with returns the routine for given attributes. y may be nil where it reads none.
func (e *element) with(f [2]float32) func(dst, x, y *float32, n int) {
	switch {
	case e.xy != nil:
		return e.xy
	case e.xf != nil:
		return func(dst, x, _ *float32, n int) { e.xf(dst, x, f[0], n) }
	case e.xff != nil:
		return func(dst, x, _ *float32, n int) { e.xff(dst, x, f[0], f[1], n) }
	}
	return func(dst, x, _ *float32, n int) { e.x(dst, x, n) }
}

// run calls the routine.
func (e *element) run(dst, x, y *float32, f *[2]float32, n int) {
	switch {
	case e.xy != nil:
		e.xy(dst, x, y, n)
	case e.x != nil:
		e.x(dst, x, n)
	case e.xf != nil:
		e.xf(dst, x, f[0], n)
	default:
		e.xff(dst, x, f[0], f[1], n)
	}
}

// set reports whether there is a routine.
func (e *element) set() bool { return e.x != nil || e.xy != nil || e.xf != nil || e.xff != nil }

// vecGeneric is made of the twins in [kernel.Ops].
var vecGeneric = func() (v vecTable) {
	for op := range v.op {
		if row := &kernel.Ops[op]; row.Plain() {
			v.op[op] = generic(row)
		}
	}
	v.fill = func(dst *float32, s float32, n int) {
		kernel.Ops[kernel.Fill].Loop(unsafe.Slice(dst, n), nil, nil, [2]float32{s})
	}
	v.sigmoidGradClip = func(dst, y, dy *float32, lo, hi float32, n int) {
		v.op[kernel.SigmoidGrad].xy(dst, y, dy, n)
		v.op[kernel.Clip].xff(dst, dst, lo, hi, n)
	}
	return v
}()

// generic makes a routine of the twin of an operation.
func generic(row *kernel.Row) (e element) {
	loop := row.Loop
	switch {
	case len(row.Args) == 3:
		e.xy = func(dst, x, y *float32, n int) {
			loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), unsafe.Slice(y, n), [2]float32{})
		}
	case row.F == 2:
		e.xff = func(dst, x *float32, f, g float32, n int) {
			loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), nil, [2]float32{f, g})
		}
	case row.F == 1:
		e.xf = func(dst, x *float32, f float32, n int) {
			loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), nil, [2]float32{f})
		}
	default:
		e.x = func(dst, x *float32, n int) { loop(unsafe.Slice(dst, n), unsafe.Slice(x, n), nil, [2]float32{}) }
	}
	return e
}
