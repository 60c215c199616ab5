package ptxemu

import (
	"fmt"
	"math"
	"slices"
)

// instr is a decoded instruction. The operands d (the result), a, b and c are indices
// into the registers or, for predicates, into the predicates of a warp.
type instr struct {
	opcode
	d, a, b, c int
	guard      int    // guard predicate, -1: none
	negated    bool   // the guard is negated
	to         int    // index of a branch's target
	uniform    bool   // all threads must take the branch, or none
	list       []int  // registers of a load or store
	off        uint64 // offset of the address
	signed     bool   // the load is of type s32
	wide       bool   // the load is of 32 bits, into a register of 64 bits
	narrow     bool   // the address has 32 bits
	line       int
	text       string
}

// constant is a register that holds the same value in all threads.
type constant struct {
	register int
	value    uint64
}

// gap is the number of unused bytes before and after each variable in shared memory. An
// access that misses a variable by a little is then a fault.
const gap = 128

// decode turns statements into instructions. Register 0 holds zero. The special
// registers, the declared registers and the constants follow, in this order.
func (src *source) decode() error {
	k := src.k
	k.registers = 1 + len(specials) + src.counts
	k.specials = make([]bool, len(specials))
	at := gap
	for i := range src.shared {
		s := &src.shared[i]
		s.at = (at + s.at - 1) / s.at * s.at // the parser has stored the alignment in s.at
		at = s.at + s.len + gap
	}
	if k.shared = src.shared; len(k.shared) > 0 {
		k.sharedBytes = at
	}
	if len(src.list) == 0 {
		return fmt.Errorf("no instruction, want ret at least")
	}
	for i := range src.list {
		st := &src.list[i]
		in, err := src.instr(st)
		if err != nil {
			return fmt.Errorf("line %d: %v: %w", st.line, st, err)
		}
		in.line, in.text = st.line, st.String()
		k.code = append(k.code, in)
	}
	if last := &k.code[len(k.code)-1]; last.guard >= 0 || last.kind != leave && last.kind != branch {
		return fmt.Errorf("line %d: the last instruction is %s, want ret", last.line, last.text)
	}
	return nil
}

func (src *source) instr(st *statement) (instr, error) {
	op, err := lookUp(st.opcode)
	in := instr{opcode: op, guard: -1, negated: st.negated}
	if err != nil {
		return in, err
	}
	if st.guard != "" {
		r, err := src.declared(st.guard)
		if err != nil {
			return in, err
		}
		if r.typ != pred {
			return in, fmt.Errorf("%s is of type %v, want a predicate", st.guard, r.typ)
		}
		in.guard = src.number(r)
	}
	switch op.kind {
	case leave:
		return in, count(st, 0)
	case barrier:
		if err := count(st, 1); err != nil {
			return in, err
		}
		if o := st.operands[0]; o.kind != isNumber || o.bits != 0 || st.guard != "" {
			return in, fmt.Errorf("want barrier 0, of all threads, without a predicate")
		}
		return in, nil
	case branch:
		return in, src.branch(st, &in)
	case load, store, loadParam:
		return in, src.memory(st, &in)
	}
	if err := count(st, len(op.types)); err != nil {
		return in, err
	}
	if in.d, err = src.result(st.operands[0], op.types[0]); err != nil {
		return in, err
	}
	for i, to := range []*int{&in.a, &in.b, &in.c}[:len(op.types)-1] {
		symbols := st.opcode == "mov.u64" || st.opcode == "mov.b64" || st.opcode == "mov.u32" || st.opcode == "mov.b32"
		if *to, err = src.operand(st.operands[i+1], op.types[i+1], symbols); err != nil {
			return in, err
		}
	}
	return in, nil
}

func count(st *statement, want int) error {
	if len(st.operands) != want {
		return fmt.Errorf("%d operands, want %d", len(st.operands), want)
	}
	return nil
}

func (src *source) branch(st *statement, in *instr) error {
	if err := count(st, 1); err != nil {
		return err
	}
	to, ok := src.labels[st.operands[0].name]
	if !ok || st.operands[0].kind != isName || to >= len(src.list) {
		return fmt.Errorf("no instruction at that label")
	}
	in.to, in.uniform = to, st.opcode == "bra.uni"
	return nil
}

// declared returns the declared register with the given name.
func (src *source) declared(name string) (register, error) {
	r, ok := src.registers[name]
	if !ok {
		return r, fmt.Errorf("%s is not a register", name)
	}
	return r, nil
}

// number returns the index of a declared register in a warp's registers.
func (src *source) number(r register) int { return 1 + len(specials) + r.number }

// result returns the register that an instruction writes.
func (src *source) result(o operand, want typ) (int, error) {
	if o.kind != isName {
		return 0, fmt.Errorf("result %v, want a register", o)
	}
	r, err := src.declared(o.name)
	if err != nil {
		return 0, err
	}
	if !r.typ.fits(want) {
		return 0, fmt.Errorf("%s is of type %v, want %v", o.name, r.typ, want)
	}
	return src.number(r), nil
}

// operand returns the register that an instruction reads. A number is read from a
// constant register. If symbols is set, the operand may also be the name of a variable,
// which stands for the variable's address.
func (src *source) operand(o operand, want typ, symbols bool) (int, error) {
	switch o.kind {
	case isName:
		if s := specialOf(o.name); s >= 0 {
			if want.size() != 4 || want.real() {
				return 0, fmt.Errorf("%s is of type u32, want %v", o.name, want)
			}
			src.k.specials[s] = true
			return 1 + s, nil
		}
		if s := find(src.shared, o.name); s != nil && symbols {
			return src.constant(uint64(s.at)), nil
		}
		return src.result(o, want)
	case isNumber:
		bits, err := valueOf(o, want)
		if err != nil {
			return 0, err
		}
		return src.constant(bits), nil
	}
	return 0, fmt.Errorf("operand %v, want a register or a number", o)
}

// valueOf returns the number o as a value of type want.
func valueOf(o operand, want typ) (uint64, error) {
	n := int64(o.bits)
	switch {
	case want == pred:
		if o.bits == 0 && o.real == 0 {
			return 0, nil
		}
	case o.real == 'f' && (want == f32 || want == b32), o.real == 'd' && (want == f64 || want == b64):
		return o.bits, nil
	case o.real != 0 || want.real():
	case want.size() == 8:
		return o.bits, nil
	case n >= math.MinInt32 && n <= math.MaxUint32:
		return uint64(uint32(n)), nil
	}
	return 0, fmt.Errorf("number %v, want one of type %v", o, want)
}

// constant returns the register that holds the given value in all threads.
func (src *source) constant(value uint64) int {
	if value == 0 {
		return 0
	}
	k := src.k
	if i := slices.IndexFunc(k.constants, func(c constant) bool { return c.value == value }); i >= 0 {
		return k.constants[i].register
	}
	k.constants = append(k.constants, constant{k.registers, value})
	k.registers++
	return k.registers - 1
}

// memory decodes a load or a store.
func (src *source) memory(st *statement, in *instr) error {
	if err := count(st, 2); err != nil {
		return err
	}
	t := in.types[0]
	value, place := st.operands[0], st.operands[1]
	if in.kind == store {
		value, place = place, value
	}
	list := []operand{value}
	if in.width > 1 {
		if value.kind != isVector || len(value.list) != in.width {
			return fmt.Errorf("operand %v, want %d registers in braces", value, in.width)
		}
		list = nil
		for _, name := range value.list {
			list = append(list, operand{name: name})
		}
	}
	for _, o := range list {
		r, err := src.held(o, t, in.kind == store)
		if err != nil {
			return err
		}
		in.list = append(in.list, r)
		in.wide = in.wide || in.kind != store && t.size() == 4 && src.registers[o.name].typ.size() == 8
	}
	in.signed = t == s32
	if place.kind != isAddress {
		return fmt.Errorf("operand %v, want an address", place)
	}
	in.off = uint64(place.off)
	if in.kind == loadParam {
		p := find(src.k.params, place.name)
		if p == nil || place.off != 0 || p.len != t.size() {
			return fmt.Errorf("no parameter of %d bytes at that address", t.size())
		}
		in.off = uint64(p.at)
		return nil
	}
	if s := find(src.shared, place.name); s != nil && in.space == 's' {
		in.a = src.constant(uint64(s.at))
		return nil
	}
	r, err := src.declared(place.name)
	if err != nil {
		return err
	}
	if r.typ.real() || r.typ.size() != 8 && (in.space == 'g' || r.typ.size() != 4) {
		return fmt.Errorf("%s is of type %v, want an address", place.name, r.typ)
	}
	in.a, in.narrow = src.number(r), r.typ.size() == 4
	return nil
}

// held returns the register of an operand that is loaded or stored as type t. If number
// is set, the operand may also be a number, which is stored from a constant register.
func (src *source) held(o operand, t typ, number bool) (int, error) {
	if o.kind == isNumber && number {
		return src.operand(o, t, false)
	}
	if o.kind != isName {
		return 0, fmt.Errorf("operand %v, want a register", o)
	}
	r, err := src.declared(o.name)
	if err != nil {
		return 0, err
	}
	if !r.typ.holds(t) {
		return 0, fmt.Errorf("%s is of type %v, want one that holds %v", o.name, r.typ, t)
	}
	return src.number(r), nil
}
