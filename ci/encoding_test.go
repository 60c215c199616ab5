package ci

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A routine is one function of an assembly file.
type routine struct {
	name     string
	requires []string // features listed in the comment above the routine, "// Requires: ..."
	code     []instruction
}

// An instruction is a line of a routine with its machine code.
type instruction struct {
	line  int
	text  string
	bytes []byte
}

// needs returns the processor feature that the encoding of the instruction requires, by the
// name that avo, the generator of the assembly, gives to the feature. The result is "" if
// every x86-64 processor can execute the instruction, and "unknown" if the instruction
// cannot be recognised.
//
// avo writes a comment above each routine with the features that the mnemonics and operands
// require, including rare extensions. But avo does not know that a register above X15
// requires an EVEX encoding, which only some processors have. So this method looks at the
// first bytes of the machine code. If several mnemonics share these bytes, the result is
// the feature that most of the mnemonics require.
func (i instruction) needs() string {
	b := i.bytes
	if size := map[byte]int{0x62: 6, 0xc4: 4, 0xc5: 3, 0xf0: 2}[b[0]]; len(b) < size {
		return "unknown" // part of an instruction, from a BYTE directive
	}
	switch b[0] {
	case 0x62:
		return "AVX512F"
	case 0xc4, 0xc5:
		space, opcode := byte(1), b[2]
		if b[0] == 0xc4 {
			space, opcode = b[1]&0x1f, b[3]
		}
		switch {
		case space == 1 && (opcode >= 0x41 && opcode <= 0x4b || opcode >= 0x90 && opcode <= 0x93 || opcode == 0x98 || opcode == 0x99):
			return "AVX512F" // KMOV and other operations on masks
		case space == 3 && opcode >= 0x30 && opcode <= 0x33:
			return "AVX512F" // KSHIFT
		case space == 2 && opcode >= 0x96 && opcode <= 0xbf && opcode&15 >= 6:
			return "FMA3"
		case space == 2 && (opcode == 0xf2 || opcode == 0xf3): // ANDN, BLSR and similar
			return "BMI"
		case space == 2 && opcode >= 0xf5 && opcode <= 0xf7, space == 3 && opcode == 0xf0:
			return "BMI2"
		case space == 2 && opcode == 0x13, space == 3 && opcode == 0x1d:
			return "F16C"
		}
		return "AVX"
	}
	prefix := byte(0)
	for len(b) > 1 && (b[0] == 0x66 || b[0] == 0xf2 || b[0] == 0xf3 || b[0]&0xf0 == 0x40) {
		if b[0]&0xf0 != 0x40 { // REX
			prefix = b[0]
		}
		b = b[1:]
	}
	if len(b) > 1 && b[0] == 0x0f {
		switch {
		case b[1] == 0x38, b[1] == 0x3a:
			return "SSSE3"
		case b[1] == 0x7c, b[1] == 0x7d, b[1] == 0xd0, b[1] == 0xf0, prefix >= 0xf2 && (b[1] == 0x12 || b[1] == 0x16):
			return "SSE3"
		case prefix == 0xf3 && b[1] == 0xb8:
			return "POPCNT"
		case prefix == 0xf3 && (b[1] == 0xbc || b[1] == 0xbd):
			return "BMI"
		}
	}
	return ""
}

// declared returns the features that a routine with this name may require. Package simd
// checks for them, in isa_amd64.go, before it calls the routine.
func (r routine) declared() []string {
	list := []string{"AVX", "AVX2", "CMOV", "FMA3", "MMX+", "SSE", "SSE2"}
	if strings.Contains(r.name, "AVX512") {
		list = append(list, "AVX512F", "AVX512DQ", "AVX512BW", "AVX512VL", "BMI2")
	}
	return list
}

// undeclared returns the problems of a routine, of two kinds. The comment above the routine
// may list a feature that the name of the routine does not declare, and an instruction may
// need a feature that the comment does not list.
func (r routine) undeclared(file string) (list []string) {
	for _, f := range r.requires {
		if !slices.Contains(r.declared(), f) {
			list = append(list, fmt.Sprintf("%s: %s requires %s, which its name does not declare", file, r.name, f))
		}
	}
	for _, i := range r.code {
		f := i.needs()
		if f != "" && !slices.Contains(r.requires, f) {
			list = append(list, fmt.Sprintf("%s:%d: %s: %s is % x, which needs %s; the comment above the routine requires %s",
				file, i.line, r.name, i.text, i.bytes, f, strings.Join(r.requires, ", ")))
		}
	}
	return list
}

// assemble assembles a file for amd64. It returns the routines with their machine code
// and the features listed in the comments above them.
func assemble(name string, text []byte) ([]routine, error) {
	folder, err := os.MkdirTemp("", "assemble")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, path.Base(name))
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "tool", "asm", "-S", "-p", "cpu", "-D", "GOOS_linux", "-D", "GOARCH_amd64",
		"-I", filepath.Join(root, "pkg", "include"), "-o", filepath.Join(folder, "out.o"), file)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	listing, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, stderr.Bytes())
	}
	return parseListing(listing, requirements(text))
}

// requirements returns, by the name of each routine, the features listed in the
// comment above it.
func requirements(text []byte) map[string][]string {
	m := map[string][]string{}
	var last []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if list, ok := strings.CutPrefix(line, "// Requires: "); ok {
			last = strings.Split(list, ", ")
		} else if rest, ok := strings.CutPrefix(line, "TEXT ·"); ok {
			name, _, _ := strings.Cut(rest, "(")
			m[name], last = last, nil
		}
	}
	return m
}

// parseListing parses the output of the assembler with -S. For each routine the output
// lists the instructions, with offset and line, and then all bytes of machine code.
func parseListing(listing []byte, requires map[string][]string) ([]routine, error) {
	var list []routine
	var offsets []int
	var code []byte
	routines := false // whether the current lines belong to a routine
	end := func() error {
		if !routines {
			return nil
		}
		r := &list[len(list)-1]
		var kept []instruction
		for i, at := range offsets {
			next := len(code)
			if i+1 < len(offsets) {
				next = offsets[i+1]
			}
			if at > next || next > len(code) {
				return fmt.Errorf("%s: have %d bytes of code, want an instruction at %d to %d", r.name, len(code), at, next)
			}
			if at < next { // not a pseudo-instruction
				r.code[i].bytes = code[at:next]
				kept = append(kept, r.code[i])
			}
		}
		r.code, offsets, code = kept, nil, nil
		return nil
	}
	scan := bufio.NewScanner(bytes.NewReader(listing))
	for scan.Scan() {
		line := scan.Text()
		if line != "" && line[0] != '\t' {
			if err := end(); err != nil {
				return nil, err
			}
			words := strings.Fields(line)
			routines = len(words) > 1 && words[1] == "STEXT"
			if routines {
				name := words[0][strings.LastIndexAny(words[0], ".·")+1:]
				list = append(list, routine{name: name, requires: requires[name]})
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, "\t0x")
		if !ok || !routines {
			continue
		}
		r := &list[len(list)-1]
		if number, text, ok := strings.Cut(rest, ")\t"); ok && strings.Contains(number, ".s:") {
			at, err := strconv.ParseInt(number[:strings.IndexByte(number, ' ')], 16, 0)
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", r.name, line, err)
			}
			lineNumber, err := strconv.Atoi(number[strings.LastIndexByte(number, ':')+1:])
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", r.name, line, err)
			}
			offsets = append(offsets, int(at))
			r.code = append(r.code, instruction{line: lineNumber, text: strings.ReplaceAll(text, "\t", " ")})
			continue
		}
		words := strings.Fields(rest)[1:]
		for _, w := range words[:min(16, len(words))] {
			v, err := strconv.ParseUint(w, 16, 8)
			if err != nil || len(w) != 2 {
				break // the same bytes follow as characters
			}
			code = append(code, byte(v))
		}
	}
	if err := scan.Err(); err != nil {
		return nil, err
	}
	return list, end()
}

// TestInstructionsAreDeclared assembles every routine. It fails if an instruction needs a
// feature that its routine does not declare. Running the routine would not show the mistake
// on a processor that has the feature.
func TestInstructionsAreDeclared(t *testing.T) {
	tr := repoTree(t)
	total := map[string]int{}
	for _, s := range generatedFiles(tr) {
		if !strings.HasSuffix(s, "_amd64.s") {
			continue
		}
		name := path.Join(kernels, s)
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		list, err := assemble(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if want := bytes.Count(text, []byte("\nTEXT ·")); len(list) != want || want == 0 {
			t.Errorf("%s: have %d routines in the listing, want %d as in the file, and at least 1", name, len(list), want)
		}
		for _, r := range list {
			if len(r.code) == 0 {
				t.Errorf("%s: %s: have no instruction in the listing, want at least 1", name, r.name)
			}
			for _, i := range r.code {
				total[i.needs()]++
			}
			for _, problem := range r.undeclared(name) {
				t.Error(problem)
			}
		}
	}
	for _, f := range []string{"", "AVX", "FMA3", "AVX512F", "BMI2"} {
		if total[f] == 0 {
			t.Errorf("instructions that need %q: have none, want at least 1: parseListing or needs does not understand the listing", f)
		}
	}
	t.Logf("instructions by feature: %v", total)
}

// TestUndeclaredInstructionsAreFound assembles routines of one instruction each, which all
// declare AVX. It checks for each instruction the feature that it needs, and whether the
// method undeclared finds a problem.
func TestUndeclaredInstructionsAreFound(t *testing.T) {
	want := map[string]string{ // instruction to feature
		"VMULSS X14, X15, X16":              "AVX512F",
		"VMULSS X14, X15, X13":              "AVX",
		"VADDPS Y1, Y2, Y3":                 "AVX",
		"VADDPS Z1, Z2, Z3":                 "AVX512F",
		"VMOVUPS (AX), Y17":                 "AVX512F",
		"VPXORD X1, X2, X3":                 "AVX512F",
		"KMOVW AX, K1":                      "AVX512F",
		"KXNORW K1, K1, K1":                 "AVX512F",
		"VFMADD231PS Y1, Y2, Y3":            "FMA3",
		"VFMADD231PS Y1, Y2, Y31":           "AVX512F",
		"BZHIQ AX, BX, CX":                  "BMI2",
		"RORXQ $3, AX, BX":                  "BMI2",
		"VCVTPH2PS X1, Y1":                  "F16C",
		"POPCNTQ AX, BX":                    "POPCNT",
		"TZCNTQ AX, BX":                     "BMI",
		"HADDPS X1, X9":                     "SSE3",
		"MOVSHDUP X1, X9":                   "SSE3",
		"ANDNQ AX, BX, CX":                  "BMI",
		"BYTE $0xc4":                        "unknown",
		"PSHUFB X1, X9":                     "SSSE3",
		"MULSS X1, X9":                      "",
		"MOVQ (R9), R10":                    "",
		"VMASKMOVPS (AX)(CX*4), Y1, Y2":     "AVX",
		"VGATHERDPS Y1, (AX)(Y2*4), Y3":     "AVX",
		"VPERMT2PS Z1, Z2, Z3":              "AVX512F",
		"VMOVSS 12(R9)(R15*8), X15":         "AVX",
		"VEXTRACTF32X4 $1, Y15, X1":         "AVX512F",
		"VPBROADCASTD AX, Y1":               "AVX512F",
		"VRNDSCALEPS $0, Y1, Y2":            "AVX512F",
		"VMOVDQU32 (AX), Y1":                "AVX512F",
		"VPTERNLOGD $0xff, Y1, Y1, Y1":      "AVX512F",
		"CMOVQGT AX, BX":                    "",
		"LZCNTQ AX, BX":                     "BMI",
		"VCVTPS2PH $0, Y1, X1":              "F16C",
		"SHLXQ AX, BX, CX":                  "BMI2",
		"KORTESTW K1, K2":                   "AVX512F",
		"KSHIFTRW $1, K1, K2":               "AVX512F",
		"VFNMADD132SS X1, X2, X3":           "FMA3",
		"VPCMPEQD Y1, Y2, K3":               "AVX512F",
		"VPMOVM2D K1, Y1":                   "AVX512F",
		"VZEROUPPER":                        "AVX",
		"RET":                               "",
		"VFMSUBADD213PD Y12, Y13, Y14":      "FMA3",
		"VSUBPS.BCST 4(AX), Y1, Y2":         "AVX512F",
		"VPERMILPS $0xb1, Y1, Y22":          "AVX512F",
		"MOVBEQ (AX), BX":                   "SSSE3",
		"VSHUFPS $0x44, Y1, Y2, Y16":        "AVX512F",
		"VADDSS 8(R8)(R9*4), X10, X27":      "AVX512F",
		"VFMADD231SS 8(R8)(R9*4), X10, X11": "FMA3",
	}
	var text bytes.Buffer
	text.WriteString("#include \"textflag.h\"\n")
	ordered := slices.Sorted(maps.Keys(want))
	for i, line := range ordered {
		fmt.Fprintf(&text, "\n// func f%d()\n// Requires: AVX\nTEXT ·f%d(SB), NOSPLIT, $0\n\t%s\n", i, i, line)
	}
	list, err := assemble("made_amd64.s", text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(ordered) {
		t.Fatalf("have %d routines, want %d", len(list), len(ordered))
	}
	for i, r := range list {
		if have := r.code[0].needs(); have != want[ordered[i]] {
			t.Errorf("%s: have %q of bytes % x, want %q", ordered[i], have, r.code[0].bytes, want[ordered[i]])
		}
		problems := r.undeclared("made_amd64.s")
		if f := want[ordered[i]]; (f != "" && f != "AVX") != (len(problems) == 1) {
			t.Errorf("%s: have problems %q in a routine that requires AVX", ordered[i], problems)
		}
	}
	r := routine{name: "actionGrad4", requires: []string{"AVX", "AVX512F"}}
	wantViolations(t, r.undeclared("made.s"), "made.s: actionGrad4 requires AVX512F, which its name does not declare")
	r.name = "actionGrad4AVX512"
	wantViolations(t, r.undeclared("made.s"))
}
