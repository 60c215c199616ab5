package neon

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// encodings lists calls of every function of encode.go, with the machine code that LLVM's
// assembler gives to the instruction.
var encodings = []struct {
	emit func()
	code uint32
	text string
}{
	{func() { FAdd(1, 18, 31) }, 0x4e3fd641, "fadd v1.4s, v18.4s, v31.4s"},
	{func() { FSub(1, 18, 31) }, 0x4ebfd641, "fsub v1.4s, v18.4s, v31.4s"},
	{func() { FMul(1, 18, 31) }, 0x6e3fde41, "fmul v1.4s, v18.4s, v31.4s"},
	{func() { FDiv(1, 18, 31) }, 0x6e3ffe41, "fdiv v1.4s, v18.4s, v31.4s"},
	{func() { FMax(1, 18, 31) }, 0x4e3ff641, "fmax v1.4s, v18.4s, v31.4s"},
	{func() { FMla(1, 18, 31) }, 0x4e3fce41, "fmla v1.4s, v18.4s, v31.4s"},
	{func() { FMls(1, 18, 31) }, 0x4ebfce41, "fmls v1.4s, v18.4s, v31.4s"},
	{func() { FCmGt(1, 18, 31) }, 0x6ebfe641, "fcmgt v1.4s, v18.4s, v31.4s"},
	{func() { FCmGe(1, 18, 31) }, 0x6e3fe641, "fcmge v1.4s, v18.4s, v31.4s"},
	{func() { FCmEq(1, 18, 31) }, 0x4e3fe641, "fcmeq v1.4s, v18.4s, v31.4s"},
	{func() { FNeg(30, 7) }, 0x6ea0f8fe, "fneg v30.4s, v7.4s"},
	{func() { FAbs(30, 7) }, 0x4ea0f8fe, "fabs v30.4s, v7.4s"},
	{func() { FSqrt(30, 7) }, 0x6ea1f8fe, "fsqrt v30.4s, v7.4s"},
	{func() { SCvtF(30, 7) }, 0x4e21d8fe, "scvtf v30.4s, v7.4s"},
	{func() { Add(1, 18, 31) }, 0x4ebf8641, "add v1.4s, v18.4s, v31.4s"},
	{func() { Sub(1, 18, 31) }, 0x6ebf8641, "sub v1.4s, v18.4s, v31.4s"},
	{func() { And(1, 18, 31) }, 0x4e3f1e41, "and v1.16b, v18.16b, v31.16b"},
	{func() { Bic(1, 18, 31) }, 0x4e7f1e41, "bic v1.16b, v18.16b, v31.16b"},
	{func() { Orr(1, 18, 31) }, 0x4ebf1e41, "orr v1.16b, v18.16b, v31.16b"},
	{func() { Eor(1, 18, 31) }, 0x6e3f1e41, "eor v1.16b, v18.16b, v31.16b"},
	{func() { Bsl(1, 18, 31) }, 0x6e7f1e41, "bsl v1.16b, v18.16b, v31.16b"},
	{func() { Bit(1, 18, 31) }, 0x6ebf1e41, "bit v1.16b, v18.16b, v31.16b"},
	{func() { Bif(1, 18, 31) }, 0x6eff1e41, "bif v1.16b, v18.16b, v31.16b"},
	{func() { Zip1(1, 18, 31) }, 0x4e9f3a41, "zip1 v1.4s, v18.4s, v31.4s"},
	{func() { Zip2(1, 18, 31) }, 0x4e9f7a41, "zip2 v1.4s, v18.4s, v31.4s"},
	{func() { Copy(30, 7) }, 0x4ea71cfe, "mov v30.16b, v7.16b"},
	{func() { FMlaLane(1, 18, 31, 0) }, 0x4f9f1241, "fmla v1.4s, v18.4s, v31.s[0]"},
	{func() { FMlaLane(1, 18, 31, 1) }, 0x4fbf1241, "fmla v1.4s, v18.4s, v31.s[1]"},
	{func() { FMlaLane(1, 18, 31, 2) }, 0x4f9f1a41, "fmla v1.4s, v18.4s, v31.s[2]"},
	{func() { FMlaLane(1, 18, 15, 3) }, 0x4faf1a41, "fmla v1.4s, v18.4s, v15.s[3]"},
	{func() { Dup(30, 7, 0) }, 0x4e0404fe, "dup v30.4s, v7.s[0]"},
	{func() { Dup(30, 7, 3) }, 0x4e1c04fe, "dup v30.4s, v7.s[3]"},
	{func() { Shl(30, 7, 23) }, 0x4f3754fe, "shl v30.4s, v7.4s, #23"},
	{func() { Shl(30, 7, 1) }, 0x4f2154fe, "shl v30.4s, v7.4s, #1"},
	{func() { SShr(30, 7, 23) }, 0x4f2904fe, "sshr v30.4s, v7.4s, #23"},
	{func() { SShr(30, 7, 32) }, 0x4f2004fe, "sshr v30.4s, v7.4s, #32"},
	{func() { LoadAt(30, 7, 25) }, 0x3cf968fe, "ldr q30, [x7, x25]"},
	{func() { StoreAt(30, 7, 25) }, 0x3cb968fe, "str q30, [x7, x25]"},
}

func TestEncodings(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range encodings {
		out.Reset()
		c.emit()
		if have, want := out.String(), fmt.Sprintf("\tWORD $%#08x // %s\n", c.code, c.text); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
		tested[strings.Fields(c.text)[0]] = true
	}
	text, err := os.ReadFile("encode.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?:three|two|word)\([^"\n]*"([a-z0-9]+)[ "]`).FindAllSubmatch(text, -1) {
		if name := string(m[1]); !tested[name] {
			t.Errorf("%s: have no test of its encoding, want one", name)
		}
	}
}

// TestGeneratedWords checks the machine code in the generated files with LLVM's
// disassembler, if it is installed. Every instruction must be the one in the comment beside
// it.
func TestGeneratedWords(t *testing.T) {
	const disassembler = "llvm-mc"
	if _, err := exec.LookPath(disassembler); err != nil {
		t.Skipf("%s is not installed; to run this test: apt-get install llvm", disassembler)
	}
	files, err := filepath.Glob("../../../*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("have no generated file (%v), want at least one", err)
	}
	said := map[string]string{} // machine code to comment
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "\tWORD $0x"); ok {
				code, comment, _ := strings.Cut(strings.TrimSpace(rest), " // ")
				if other, ok := said[code]; ok && other != comment {
					t.Errorf("%s: %s is said to be %q and %q", name, code, comment, other)
				}
				said[code] = comment
			}
		}
	}
	var codes []string
	var in bytes.Buffer
	for code := range said {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		fmt.Fprintf(&in, "0x%s 0x%s 0x%s 0x%s\n", code[6:8], code[4:6], code[2:4], code[:2])
	}
	cmd := exec.Command(disassembler, "--disassemble", "--triple=aarch64")
	cmd.Stdin = &in
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	var have []string
	for line := range strings.Lines(string(listing)) {
		if words := strings.Fields(line); len(words) > 1 {
			have = append(have, strings.Join(words, " "))
		}
	}
	if len(have) != len(codes) {
		t.Fatalf("have %d instructions for %d words, want one each:\n%s", len(have), len(codes), listing)
	}
	for i, code := range codes {
		if have[i] != said[code] {
			t.Errorf("%s: is %s, but the comment says %s", code, have[i], said[code])
		}
	}
}
