package ci

import (
	"bytes"
	"context"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pushdown/harness/suite"
)

// kernels is the folder of the only package with assembly. generators is the folder, inside
// it, of the module that generates the assembly.
const (
	kernels    = "harness/kernel/cpu/simd"
	generators = "../" + kernels + "/_asm"
)

// generate matches a line that generates files. It is not left to go generate, which runs those of
// one processor.
var generate = regexp.MustCompile(`(?m)^//go:generate sh -c "(.*)"$`)

// TestAssemblyIsCurrent runs the generators on a copy of the package without the
// generated files, and compares the results with the committed files.
func TestAssemblyIsCurrent(t *testing.T) {
	suite.SkipUnlessLong(t, "building and running all generators takes some seconds")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	download := exec.CommandContext(ctx, "go", "mod", "download")
	download.Dir = generators
	if out, err := download.CombinedOutput(); err != nil {
		suite.Skip(t, "network", fmt.Sprintf("the modules of the generators cannot be downloaded (%v: %s)", err, bytes.TrimSpace(out)),
			"cd "+kernels+"/_asm && go mod download, with a network")
	}

	tr, copied := repoTree(t), t.TempDir()
	generated := map[string]bool{}
	for _, s := range tr.sources {
		generated[s.path] = s.generated
	}
	var files, commands []string
	for _, p := range tr.paths {
		rel, ok := strings.CutPrefix(p, kernels+"/")
		if !ok {
			continue
		}
		if path.Ext(rel) == ".s" && path.Dir(rel) == "." || generated[p] {
			files = append(files, rel)
			continue
		}
		for _, m := range generate.FindAllStringSubmatch(tr.texts[p], -1) {
			commands = append(commands, m[1])
		}
		to := filepath.Join(copied, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(tr.texts[p]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Errorf("%s: have no generated file, want the kernels", kernels)
	}
	for _, command := range commands {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = copied
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	for _, name := range files {
		if want, err := os.ReadFile(filepath.Join(copied, name)); err != nil {
			t.Errorf("%s/%s: not written by any go:generate line of the package, want it generated", kernels, name)
		} else if tr.texts[path.Join(kernels, name)] != string(want) {
			t.Errorf("%s/%s: differs from the output of its generator, want it equal: run go generate ./%s", kernels, name, kernels)
		}
	}
}

// TestGeneratorsPassTheirTests runs the tests of the generators, which are in a module of
// their own. They check the machine code of instructions that Go's assembler does not know.
func TestGeneratorsPassTheirTests(t *testing.T) {
	suite.SkipUnlessLong(t, "building the tests of the generators takes some seconds")
	cmd := exec.Command("go", "test", "-count=1", "-v", "./arm64/neon")
	cmd.Dir = generators
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestEncodings")) {
		t.Errorf("go test ./arm64/neon in %s: %v\n%s", generators, err, out)
	}
}

// strayAssembly lists the assembly outside the package kernels, and in it the assembly that is built
// with the tag purego or for a processor that has none, and processors that lack it.
func strayAssembly(tr *tree) (wrong []string) {
	built := map[string]int{}
	for _, p := range tr.paths {
		if path.Ext(p) != ".s" || ignored(p) {
			continue
		}
		if path.Dir(p) != kernels {
			wrong = append(wrong, fmt.Sprintf("%s: have assembly here, want it only in %s", p, kernels))
			continue
		}
		for target, want := range map[string]bool{"amd64": true, "arm64": true, "riscv64": false, "amd64 purego": false, "arm64 purego": false} {
			ctx := build.Default
			ctx.GOOS, ctx.GOARCH, ctx.BuildTags = "linux", strings.Fields(target)[0], strings.Fields(target)[1:]
			ok, err := ctx.MatchFile("../"+kernels, path.Base(p))
			switch {
			case err != nil:
				wrong = append(wrong, err.Error())
			case ok && !want:
				wrong = append(wrong, fmt.Sprintf("%s: is built for %s, want no assembly there", p, target))
			case ok:
				built[target]++
			}
		}
	}
	if len(wrong) == 0 && (built["amd64"] == 0 || built["arm64"] == 0) {
		wrong = append(wrong, fmt.Sprintf("%s: have assembly for %v, want it for amd64 and arm64", kernels, built))
	}
	return wrong
}

var (
	// routine matches the head of a routine of a generated file, with the features that avo, the
	// generator, finds that its instructions require.
	routine = regexp.MustCompile(`^.*\n// Requires: (.*)\nTEXT ·(\w+)\(SB\)`)
	// wide matches what only processors with AVX-512 have: registers above 15, of 512 bits, and for
	// masks. Avo does not know that registers above 15 require it, and Go's assembler takes them.
	// Bytes of machine code are unknown to both.
	wide = regexp.MustCompile(`\b([XY](1[6-9]|2\d|3[01])|Z\d+|K[0-7])\b|\t(BYTE|WORD|LONG|QUAD)\b`)
)

// undeclared lists the routines for amd64 that require a feature of the processor that their name
// does not declare. Package simd looks for these features before it calls the routine.
func undeclared(tr *tree) (wrong []string) {
	for _, p := range tr.paths {
		if !strings.HasSuffix(p, "_amd64.s") || ignored(p) {
			continue
		}
		list := strings.Split(tr.texts[p], "\n// func ")[1:]
		if have, want := len(list), strings.Count(tr.texts[p], "TEXT ·"); have != want || have == 0 {
			wrong = append(wrong, fmt.Sprintf("%s: have %d routines with a comment, want all %d, and at least 1", p, have, want))
		}
		for _, text := range list {
			m := routine.FindStringSubmatch(text)
			if m == nil {
				wrong = append(wrong, fmt.Sprintf("%s: have %q, want a routine with // Requires:", p, strings.SplitN(text, "\n", 2)[0]))
				continue
			}
			declared := []string{"AVX", "AVX2", "CMOV", "FMA3", "MMX+", "SSE", "SSE2"}
			if strings.Contains(m[2], "AVX512") {
				declared = append(declared, "AVX512F", "AVX512DQ", "AVX512BW", "AVX512VL", "BMI2")
			} else if at := wide.FindString(text); at != "" {
				wrong = append(wrong, fmt.Sprintf("%s: %s has %s, which its name does not declare", p, m[2], strings.TrimSpace(at)))
			}
			for feature := range strings.SplitSeq(m[1], ", ") {
				if !slices.Contains(declared, feature) {
					wrong = append(wrong, fmt.Sprintf("%s: %s requires %s, which its name does not declare", p, m[2], feature))
				}
			}
		}
	}
	return wrong
}

func TestUndeclaredInstructionsAreFound(t *testing.T) {
	text := func(name, requires, instruction string) string {
		return "\n// func " + name + "(x int)\n// Requires: " + requires + "\nTEXT ·" + name + "(SB), NOSPLIT, $0-8\n\tMOVQ x+0(FP), AX\n\nloop:\n\t" + instruction + "\n\tJMP loop\n"
	}
	wantViolations(t, undeclared(fixture(t,
		"a_amd64.s", "#include \"textflag.h\"\n"+text("a", "AVX, FMA3", "VADDPS Y1, Y2, Y15")+text("b", "AVX", "VMULSS X14, X15, X16")+text("c", "AVX, AVX512F", "RET")+
			text("d", "AVX", "BYTE $0xc4")+text("eAVX512", "AVX, AVX512F", "VADDPS Z1, Z2, Z31")+text("f", "AVX", "KMOVW AX, K1"),
		"b_amd64.s", "TEXT ·g(SB), NOSPLIT, $0-8\n\tRET\n",
	)), "a_amd64.s: b has X16", "a_amd64.s: c requires AVX512F", "a_amd64.s: d has BYTE", "a_amd64.s: f has K1", "b_amd64.s: have 0 routines")
}
