//go:build amd64 && !purego

package simd

import "unsafe"

//go:generate sh -c "cd _asm && go run ./flat -out ../flat_amd64.s"

//go:noescape
func flatRowsAVX512(a *flatRows)

//go:noescape
func flatSumsAVX512(a *flatSums)

func stackStepFlat(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32) {
	if ldd == lds && isFlat(D, p, C, lds) {
		flatStep(&flatShapes[lds][C], dst, s, push, pop, noop, v, D, p, lds, ldv, empty)
		return
	}
	if ldd == lds && p > 1 && isFlat(D, p, 1, 1) { // flatStep is faster for subnormals
		for c := 0; c < C; c += 16 {
			wide := flatShape{column: flatWide, mask: 1<<min(16, C-c) - 1, lanes: lds, rows: 1, bytes: 4 * lds}
			wide.first = wide.mask
			no := noop
			if no != nil {
				no = At(no, c)
			}
			flatStep(&wide, At(dst, c), At(s, c), At(push, c), At(pop, c), no, At(v, c), D, p, lds, ldv, empty)
		}
		return
	}
	stackStepAVX512(dst, s, push, pop, noop, v, D, p, C, ldd, lds, ldv, empty)
}

// stackGradFlat computes the gradient of a step of stacks. The gradients of the actions are
// sums over the rows of dy. If all is 1, every row is added. If all is 0, rows that hold
// only +0 may be skipped.
func stackGradFlat(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32, all int) {
	if !isFlat(D, p, C, lddy) || ds != nil && ldds != lddy || p == 1 && lddy > 2 {
		stackGradAVX512(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v, D, R, p, C, ldds, lddv, lddy, lds, ldv, empty)
		return
	}
	if ds != nil {
		flatState(ds, dy, push, pop, noop, D, R, p, C, lddy)
	}
	if dpush != nil || dpop != nil || dnoop != nil {
		flatActions(dpush, dpop, dnoop, dy, s, v, D, R, p, C, lddy, lds, ldv, all, empty)
	}
	if dv != nil {
		mulRowAVX512(dv, dy, push, p, C, lddv, lddy)
	}
}

func stackGradDense(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	stackGradFlat(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v, D, R, p, C, ldds, lddv, lddy, lds, ldv, empty, 1)
}

func stackGradSparse(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	stackGradFlat(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v, D, R, p, C, ldds, lddv, lddy, lds, ldv, empty, 0)
}

func flatZero(dst *float32, rows, C, ld int) {
	flatRowsAVX512(&flatRows{dst: dst, x: &flatNone[0], a: &flatNone[0], count: rows * ld, shape: &flatShapes[ld][C]})
}

// flatStep computes a step of flat stacks. The rows of dst and of s are ld apart. flatStep
// can also compute up to 16 columns of stacks that are not flat, if the shape has one row
// per vector.
func flatStep(shape *flatShape, dst, s, push, pop, noop, v *float32, D, p, ld, ldv int, empty float32) {
	var below [16]float32
	for i := range below {
		below[i] = empty
	}
	a := flatRows{shape: shape, a: pop, b: push, c: noop}
	part := func(from, to int, x, y *float32, move int) {
		a.dst, a.x, a.y, a.move, a.count = At(dst, from*ld), x, y, move, (to-from)*ld
		if noop != nil {
			a.z = At(s, from*ld)
		}
		flatRowsAVX512(&a)
	}
	move := 4 * shape.lanes
	if ldv == ld {
		part(0, p, At(s, p*ld), v, move)
	} else {
		for r := range p {
			part(r, r+1, At(s, (p+r)*ld), At(v, r*ldv), move)
		}
	}
	if D > 2*p {
		part(p, D-p, At(s, 2*p*ld), s, move)
	}
	part(D-p, D, &below[0], At(s, (D-2*p)*ld), 0)
}

// flatState computes the first R rows of ds, the gradient of the stacks before a step
// of flat stacks.
func flatState(ds, dy, push, pop, noop *float32, D, R, p, C, ld int) {
	shape := &flatShapes[ld][C]
	a := flatRows{shape: shape, b: push, c: noop}
	part := func(from, to int) {
		if a.dst, a.count = At(ds, from*ld), (min(to, R)-from)*ld; a.count <= 0 {
			return
		}
		if noop != nil {
			a.z = At(dy, from*ld)
		}
		flatRowsAVX512(&a)
	}
	a.x, a.a, a.y = &flatNone[0], &flatNone[0], At(dy, p*ld)
	part(0, p)
	a.x, a.a, a.y, a.move = dy, pop, At(dy, 2*p*ld), 4*shape.lanes
	part(p, D-p)
	a.x, a.y = At(dy, (D-2*p)*ld), nil
	part(D-p, D)
}

// flatActions computes the gradients of the actions of a step of flat stacks, which are
// sums over the first R rows. The rows of dy are ld apart.
func flatActions(dpush, dpop, dnoop, dy, s, v *float32, D, R, p, C, ld, lds, ldv, all int, empty float32) {
	var below [FlatColumns]float32
	for i := range below {
		below[i] = empty
	}
	out := [3]*float32{dpush, dpop, dnoop}
	a := flatSums{shape: &flatShapes[ld][C], all: all}
	for r0 := 0; r0 < R; r0 += GemmChunk {
		end := min(r0+GemmChunk, R)
		a.sum = [3][FlatColumns]float32{}
		for r := r0; r < end; {
			to := end
			a.dy, a.with[2], a.move = At(dy, r*ld), At(s, r*lds), [3]int{4 * lds, 4 * lds, 4 * lds}
			if r < p {
				to, a.with[0], a.move[0] = min(to, p), At(v, r*ldv), 4*ldv
			} else {
				a.with[0] = At(s, (r-p)*lds)
			}
			if r < D-p {
				to, a.with[1] = min(to, D-p), At(s, (r+p)*lds)
			} else {
				a.with[1], a.move[1] = &below[0], 0
			}
			a.rows = to - r
			flatSumsAVX512(&a)
			r = to
		}
		for i, p := range out {
			if p == nil {
				continue
			}
			sum := unsafe.Slice(p, C)
			for c, x := range a.sum[i][:C] {
				if r0 > 0 {
					x += sum[c]
				}
				sum[c] = x
			}
		}
	}
}
