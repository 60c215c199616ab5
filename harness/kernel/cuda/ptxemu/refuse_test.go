package ptxemu

import (
	"strings"
	"testing"
)

// TestParseErrors checks the errors of Parse for texts with one mistake each.
func TestParseErrors(t *testing.T) {
	entry := header + ".visible .entry k(.param .u32 n)\n{\n.reg .b32 %r<3>;\n"
	for _, c := range []struct{ text, says string }{
		{"", "line 1: the end, want .version"},
		{".version 7.1\n.target sm_80\n.address_size 64\n", "line 1: version 7.1, want at most 7.0"},
		{".version seven\n", "seven, want a version"},
		{".version 7\n.target sm_80\n.address_size 64\n", "version 7, want"},
		{".version 7.0\n.target sm_90\n", "line 2: target sm_90, want at most sm_80"},
		{".version 7.0\n.target compute_80\n", "target compute_80"},
		{".version 7.0\n.target sm_80\n.address_size 32\n", "line 3: address size 32, want 64 to 64"},
		{header + ".func f()\n", "line 4: .func, want .visible"},
		{header + ".visible .entry k(.param .u16 n)\n", "type .u16, want one of pred b32"},
		{header + ".visible .entry k(.param .pred n)\n", "parameter n of type pred"},
		{header + ".visible .entry k(.param .u32 n, .param .u32 n)\n", "parameter n is declared twice"},
		{header + ".visible .entry k()\n{\n}\n", "kernel k: no instruction, want ret at least"},
		{header + ".visible .entry k()\n.maxntid 1025, 1, 1\n{\n", "extent of a block 1025, want 1 to 1024"},
		{header + ".visible .entry k()\n.maxntid 64, 32\n{\n", "blocks of 2048 threads"},
		{header + ".visible .entry k()\n.reqntid 64\n{\n", ".reqntid, want {"},
		{header + ".visible .entry k()\n{\nret;\n}\n.visible .entry k()\n{\nret;\n}\n", "kernel k is defined twice"},
		{entry + "ret;", "the end, want an instruction"},
		{entry + "add.s32 %r1, %r1, 1;\n}", "line 7: the last instruction is add.s32 %r1, %r1, 1, want ret"},
		{entry + "setp.eq.u32 %p1, %r1, 1;\nret;\n}", "%p1 is not a register"},
		{entry + ".reg .b32 %r<2>;", "register %r0 is declared twice"},
		{entry + ".reg .b32 %q<70000>;", "number of registers 70000"},
		{entry + ".reg .b32 %q<65536>;", "after 3 others"},
		{entry + ".reg .b16 %q<2>;", "type .b16"},
		{entry + ".reg .b32 q<2>;", "want a name with %"},
		{entry + ".shared .align 3 .b8 s[8];", "alignment 3"},
		{entry + ".shared .align 12 .b8 s[8];", "alignment 12, want a power of two"},
		{entry + ".shared .align 4 .b8 s[10];", "whole words"},
		{entry + ".shared .align 4 .b8 s[49156];", "size of a variable 49156, want 4 to 49152"},
		{entry + ".shared .align 4 .b8 s[40000];\n.shared .align 4 .b8 t[40000];", "80000 bytes of shared memory"},
		{entry + ".shared .align 4 .b8 s[8];\n.shared .align 4 .b8 s[8];", "want a new name"},
		{entry + ".pragma \"unroll\";", `"unroll", want "nounroll"`},
		{entry + "A: A: ret;", "label A is declared twice"},
		{entry + "bra A;\nret;\n}", "no instruction at that label"},
		{entry + "bra A;\nret;\nA: }", "no instruction at that label"},
		{entry + "bra 7;\nret;\n}", "no instruction at that label"},
		{entry + "@%r1 ret;\nret;\n}", "%r1 is of type b32, want a predicate"},
		{entry + "add.s32 %r1, %r1;\nret;\n}", "2 operands, want 3"},
		{entry + "add.s32 1, %r1, %r1;\nret;\n}", "result 1, want a register"},
		{entry + "add.s32 %r1, %r1, 4294967296;\nret;\n}", "number 4294967296, want one of type s32"},
		{entry + "add.s32 %r1, %r1, 0f3F800000;\nret;\n}", "number 0f3F800000, want one of type s32"},
		{entry + "add.s32 %r1, %r1, [%r1];\nret;\n}", "operand [%r1], want a register or a number"},
		{entry + "mov.u32 %r1, 0f3F8;\nret;\n}", "number 0f3F8, want"},
		{entry + "mov.u32 %r1, 012;\nret;\n}", "number 012, want"},
		{entry + "mov.u32 %r1, -0f3F800000;\nret;\n}", "number 0f3F800000, want"},
		{entry + "mov.u32 %r1, 99999999999999999999;\nret;\n}", "number 99999999999999999999, want"},
		{entry + "mov.u32 %r1, \"x\";", `"x", want an operand`},
		{entry + "mov.u32 %r1, \"x", "unterminated string"},
		{entry + "/* ", "line 7: unterminated comment"},
		{entry + "mov.u32 %r1, #;", `character '#'`},
		{entry + "ld.param.u32 %r1, [m];\nret;\n}", "no parameter of 4 bytes at that address"},
		{entry + "ld.param.u64 %r1, [n];\nret;\n}", "%r1 is of type b32, want one that holds u64"},
		{entry + "ld.param.u32 %r1, [n+4];\nret;\n}", "no parameter of 4 bytes at that address"},
		{entry + "ld.global.u32 %r1, [%r1];\nret;\n}", "%r1 is of type b32, want an address"},
		{entry + "ld.global.u32 %r1, %r1;\nret;\n}", "operand %r1, want an address"},
		{entry + "ld.global.v2.u32 {%r1}, [%r1];\nret;\n}", "operand {%r1}, want 2 registers in braces"},
		{entry + "ld.global.u32 5, [%r1];\nret;\n}", "operand 5, want a register"},
		{entry + "bar.sync 1;\nret;\n}", "want barrier 0"},
		{entry + "bar.sync 0, 32;\nret;\n}", "2 operands, want 1"},
		{entry + "call f;\nret;\n}", "opcode call is not known"},
	} {
		_, err := Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %v, want one that says %q", strings.TrimPrefix(c.text, entry), err, c.says)
		}
	}
}

// TestInstructionsAreRefused checks the errors for instructions whose result could differ
// from the CPU's, for instructions that no kernel here needs, and for operands of the
// wrong type.
func TestInstructionsAreRefused(t *testing.T) {
	for text, says := range map[string]string{ // the order does not matter
		"add.f32 %f1, %f1, %f1":                          "no rounding mode",
		"mul.f32 %f1, %f1, %f1":                          "no rounding mode",
		"sub.f32 %f1, %f1, %f1":                          "no rounding mode",
		"add.f64 %fd1, %fd1, %fd1":                       "no rounding mode",
		"add.rn.ftz.f32 %f1, %f1, %f1":                   "flushes subnormal numbers",
		"fma.rn.ftz.f32 %f1, %f1, %f1, %f1":              "flushes subnormal numbers",
		"setp.lt.ftz.f32 %p1, %f1, %f1":                  "flushes subnormal numbers",
		"div.approx.f32 %f1, %f1, %f1":                   "is an approximation",
		"div.full.f32 %f1, %f1, %f1":                     "no rounding mode",
		"sqrt.approx.f32 %f1, %f1":                       "is an approximation",
		"ex2.approx.f32 %f1, %f1":                        "is an approximation",
		"add.rz.f32 %f1, %f1, %f1":                       "does not round to nearest",
		"fma.rp.f32 %f1, %f1, %f1, %f1":                  "does not round to nearest",
		"add.rn.sat.f32 %f1, %f1, %f1":                   "opcode add.rn.sat.f32",
		"min.f32 %f1, %f1, %f1":                          "drops NaN and signs of zero",
		"max.f32 %f1, %f1, %f1":                          "drops NaN and signs of zero",
		"max.NaN.f32 %f1, %f1, %f1":                      "drops NaN and signs of zero",
		"atom.global.add.f32 %f1, [%rd1], %f1":           "is atomic",
		"red.global.add.f32 [%rd1], %f1":                 "is atomic",
		"atom.global.add.u32 %r1, [%rd1], %r1":           "is atomic",
		"ld.global.nc.f32 %f1, [%rd1]":                   "is not coherent",
		"ld.volatile.global.f32 %f1, [%rd1]":             "by other means than barriers",
		"ld.f32 %f1, [%rd1]":                             "want .global or .shared",
		"ld.local.f32 %f1, [%rd1]":                       "want .global or .shared",
		"ld.global.u8 %r1, [%rd1]":                       "want .global or .shared, of 32 or 64 bits",
		"st.param.u32 [n], %r1":                          "want .global or .shared",
		"ld.global.v4.f64 {%fd1,%fd1,%fd1,%fd1}, [%rd1]": "want .global or .shared",
		"ld.global.v3.f32 {%f1,%f1,%f1}, [%rd1]":         "want .global or .shared",
		"ld.global.pred %p1, [%rd1]":                     "want .global or .shared",
		"shfl.sync.down.b32 %r1, %r1, 1, 31, -1":         "is not known",
		"mma.sync %f1":                                   "is not known",
		"membar.gl":                                      "is not known",
		"tanh.approx.f32 %f1, %f1":                       "is an approximation",
		"setp.lt.b32 %p1, %r1, %r1":                      "is not known",
		"setp.ltu.s32 %p1, %r1, %r1":                     "is not known",
		"setp.hi.s32 %p1, %r1, %r1":                      "is not known",
		"add.s32 %r1, %f1, %r1":                          "%f1 is of type f32, want s32",
		"add.rn.f32 %f1, %f1, 1":                         "number 1, want one of type f32",
		"add.rn.f32 %fd1, %f1, %f1":                      "%fd1 is of type f64, want f32",
		"and.pred %p1, %p1, %r1":                         "%r1 is of type b32, want pred",
		"and.pred %p1, %p1, 1":                           "number 1, want one of type pred",
		"add.s64 %rd1, %rd1, %tid.x":                     "%tid.x is of type u32, want s64",
		"add.rn.f32 %f1, %f1, %tid.x":                    "%tid.x is of type u32, want f32",
		"add.s32 %tid.x, %r1, 1":                         "%tid.x is not a register",
		"add.s32 %r1, %laneid, 1":                        "%laneid is not a register",
		"add.s32 %r1, s, 1":                              "s is not a register",
		"ld.global.u32 %f1, [%rd1]":                      "%f1 is of type f32, want one that holds u32",
		"ld.global.f32 %fd1, [%rd1]":                     "%fd1 is of type f64, want one that holds f32",
		"ld.global.u32 %r1, [%fd1]":                      "%fd1 is of type f64, want an address",
		"ld.global.u32 %r1, [s]":                         "s is not a register",
		"ld.shared.u32 %r1, [%f1]":                       "%f1 is of type f32, want an address",
		"ld.shared.u32 %r1, [%r1+9999999999]":            "want a small whole number",
		"@%p1 bar.sync 0":                                "without a predicate",
		"cvt.rn.f16.f32 %r1, %f1":                        "is not known",
		"cvt.f32.f64 %f1, %fd1":                          "no rounding mode",
		"mov.b64 {%r1, %r2}, %rd1":                       "result {%r1, %r2}, want a register",
	} {
		_, err := Parse(wrap(text + ";"))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", text, err, says)
		}
	}
}
