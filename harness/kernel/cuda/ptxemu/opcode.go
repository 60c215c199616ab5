package ptxemu

import (
	"fmt"
	"strings"
)

// kind tells the interpreter how to run an instruction.
type kind uint8

const (
	compute kind = iota // apply fn to the lanes
	divide              // like compute, but b must not be zero
	compare             // set a predicate by test
	choose              // choose a or b by a predicate
	logic               // combine predicates by join
	loadParam
	load
	store
	branch
	barrier
	leave
)

// opcode describes an opcode.
type opcode struct {
	kind  kind
	types []typ // of the result, then of the operands
	fn    func(d, a, b, c *lanes)
	test  func(a, b *lanes) uint32
	join  func(a, b uint32) uint32
	width int  // number of registers of a load or store
	space byte // g for global memory, s for shared memory
}

// opcodes is the instruction set without loads and stores.
var opcodes = map[string]opcode{
	"bra":      {kind: branch},
	"bra.uni":  {kind: branch},
	"bar.sync": {kind: barrier},
	"ret":      {kind: leave},

	"selp.f32": {kind: choose, types: []typ{f32, f32, f32, pred}},
	"selp.b32": {kind: choose, types: []typ{b32, b32, b32, pred}},
	"selp.u32": {kind: choose, types: []typ{u32, u32, u32, pred}},
	"selp.s32": {kind: choose, types: []typ{s32, s32, s32, pred}},
	"selp.f64": {kind: choose, types: []typ{f64, f64, f64, pred}},
	"selp.b64": {kind: choose, types: []typ{b64, b64, b64, pred}},
	"selp.u64": {kind: choose, types: []typ{u64, u64, u64, pred}},
	"selp.s64": {kind: choose, types: []typ{s64, s64, s64, pred}},

	"and.pred": {kind: logic, types: []typ{pred, pred, pred}, join: func(a, b uint32) uint32 { return a & b }},
	"or.pred":  {kind: logic, types: []typ{pred, pred, pred}, join: func(a, b uint32) uint32 { return a | b }},
	"xor.pred": {kind: logic, types: []typ{pred, pred, pred}, join: func(a, b uint32) uint32 { return a ^ b }},
	"not.pred": {kind: logic, types: []typ{pred, pred}, join: func(a, _ uint32) uint32 { return ^a }},
	"mov.pred": {kind: logic, types: []typ{pred, pred}, join: func(a, _ uint32) uint32 { return a }},
}

func init() {
	for name, op := range arithmetic { // the order does not matter
		opcodes[name] = op
	}
	for _, t := range []typ{b32, u32, s32, f32, b64, u64, s64, f64} {
		opcodes["mov."+t.String()] = opcode{types: []typ{t, t}, fn: func(d, a, _, _ *lanes) { *d = *a }}
	}
	for _, t := range []typ{b32, u32, s32, f32, b64, u64, s64, f64} {
		for _, name := range comparisons {
			if test := comparison(name, t); test != nil {
				opcodes["setp."+name+"."+t.String()] = opcode{kind: compare, types: []typ{pred, t, t}, test: test}
			}
		}
	}
}

// lookUp returns an opcode, or an error that says why the interpreter does not accept
// it.
func lookUp(name string) (opcode, error) {
	if op, ok := opcodes[name]; ok {
		return op, nil
	}
	parts := strings.Split(name, ".")
	if parts[0] == "ld" || parts[0] == "st" {
		return memoryOpcode(parts)
	}
	return opcode{}, fmt.Errorf("opcode %s%s", name, whyNot(parts))
}

// memoryOpcode returns the opcode of a load or store, such as ld.global.v4.f32.
func memoryOpcode(parts []string) (opcode, error) {
	op := opcode{kind: load, width: 1}
	bad := fmt.Errorf("opcode %s%s", strings.Join(parts, "."), whyNot(parts))
	if parts[0] == "st" {
		op.kind = store
	}
	if len(parts) < 3 || len(parts) > 4 {
		return op, bad
	}
	t, ok := typeOf(parts[len(parts)-1])
	if !ok || t == pred {
		return op, bad
	}
	op.types = []typ{t}
	if len(parts) == 4 {
		switch {
		case parts[2] == "v2":
			op.width = 2
		case parts[2] == "v4" && t.size() == 4:
			op.width = 4
		default:
			return op, bad
		}
	}
	switch parts[1] {
	case "param":
		if op.kind == store || op.width > 1 {
			return op, bad
		}
		op.kind = loadParam
	case "global", "shared":
		op.space = parts[1][0]
	default:
		return op, bad
	}
	return op, nil
}

// whyNot returns the reason why the interpreter does not accept an opcode.
func whyNot(parts []string) string {
	has := func(p string) bool {
		for _, q := range parts[1:] {
			if q == p {
				return true
			}
		}
		return false
	}
	float := has("f32") || has("f64") || has("f16") || has("f16x2") || has("bf16")
	switch {
	case has("ftz"):
		return " flushes subnormal numbers: want it without .ftz"
	case has("approx"):
		return " is an approximation: want .rn"
	case parts[0] == "atom" || parts[0] == "red":
		return " is atomic: want an order that does not depend on time"
	case (parts[0] == "min" || parts[0] == "max") && float:
		return " drops NaN and signs of zero: want setp and selp"
	case has("rz") || has("rm") || has("rp"):
		return " does not round to nearest: want .rn"
	case has("nc"):
		return " is not coherent: the result may lie where an operand lies"
	case has("volatile") || has("relaxed") || has("acquire"):
		return " orders memory by other means than barriers"
	case parts[0] == "ld" || parts[0] == "st":
		return " is not known: want .global or .shared, of 32 or 64 bits"
	case float && !has("rn"):
		return " has no rounding mode, so that it may be fused: want .rn"
	}
	return " is not known"
}
