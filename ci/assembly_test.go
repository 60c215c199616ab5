package ci

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pushdown/harness/suite"
)

// kernels is the folder of the only package with assembly. generators is the folder, inside
// it, of the module that generates the assembly.
const (
	kernels    = "harness/kernel/cpu/simd"
	generators = kernels + "/_asm"
)

// generateLines returns the commands of the go:generate lines of the package with assembly,
// each as a list of words.
func generateLines(tr *tree) ([][]string, error) {
	var list [][]string
	for _, s := range tr.sources {
		if s.dir != kernels {
			continue
		}
		for line := range bytes.Lines(s.text) {
			text, ok := strings.CutPrefix(string(line), "//go:generate ")
			if !ok {
				continue
			}
			words, err := shellWords(strings.TrimSpace(text))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.path, err)
			}
			list = append(list, words)
		}
	}
	return list, nil
}

// shellWords splits a line into words at spaces, as go generate does. A word may be a
// quoted Go string.
func shellWords(line string) ([]string, error) {
	var words []string
	for line != "" {
		var word string
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("%q: want a quoted word", line)
			}
			word, _ = strconv.Unquote(quoted)
			line = line[len(quoted):]
		} else {
			word, line, _ = strings.Cut(line, " ")
		}
		words = append(words, word)
		line = strings.TrimLeft(line, " ")
	}
	return words, nil
}

// generatedFiles returns the names of the generated files of the package with assembly.
func generatedFiles(tr *tree) []string {
	var list []string
	for _, p := range tr.paths {
		if path.Dir(p) == kernels && path.Ext(p) == ".s" {
			list = append(list, path.Base(p))
		}
	}
	for _, s := range tr.sources {
		if s.dir == kernels && s.generated {
			list = append(list, path.Base(s.path))
		}
	}
	return list
}

// TestAssemblyIsCurrent runs the generators on a copy of the package without the
// generated files, and compares the results with the committed files.
func TestAssemblyIsCurrent(t *testing.T) {
	suite.SkipUnlessLong(t, "building and running all generators takes some seconds")
	tr := repoTree(t)
	download(t, filepath.Join("..", filepath.FromSlash(generators)))

	copied := t.TempDir()
	files := generatedFiles(tr)
	for _, p := range tr.paths {
		rel, ok := strings.CutPrefix(p, kernels+"/")
		if !ok || slices.Contains(files, rel) || strings.Contains(rel, "testdata/") {
			continue
		}
		text, err := fs.ReadFile(tr.fsys, p)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(copied, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := generateLines(tr)
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range lines {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = copied
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, out)
		}
	}
	for _, name := range files {
		have, err := fs.ReadFile(tr.fsys, path.Join(kernels, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(copied, name))
		switch {
		case err != nil:
			t.Errorf("%s/%s: not written by any go:generate line of the package, want it generated", kernels, name)
		case !bytes.Equal(have, want):
			t.Errorf("%s/%s: differs from the output of its generator, want it equal: run go generate ./%s", kernels, name, kernels)
		}
	}
	if len(files) == 0 {
		t.Errorf("%s: have no generated file, want the kernels", kernels)
	}
}

// TestGeneratorsPassTheirTests runs the tests of the generators, which are in a module of
// their own. They check the machine code of instructions that Go's assembler does not know.
func TestGeneratorsPassTheirTests(t *testing.T) {
	suite.SkipUnlessLong(t, "building the tests of the generators takes some seconds")
	cmd := exec.Command("go", "test", "-count=1", "-v", "./arm64/neon")
	cmd.Dir = filepath.Join("..", filepath.FromSlash(generators))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestEncodings")) {
		t.Errorf("go test ./arm64/neon in %s: %v\n%s", generators, err, out)
	}
}

// download downloads the modules of the generators. If that fails, it skips the test.
func download(t *testing.T, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "mod", "download")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		suite.Skip(t, "network", fmt.Sprintf("the modules of the generators cannot be downloaded (%v: %s)", err, bytes.TrimSpace(out)),
			"cd "+generators+" && go mod download, with a network")
	}
}

// assembled lists the assembly files that are built for a target, and the Go functions
// without a body, which must be written in assembly.
func assembled(tr *tree, arch string, tags ...string) ([]string, error) {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.BuildTags, ctx.CgoEnabled = "linux", arch, tags, false
	ctx.JoinPath = path.Join
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { return tr.fsys.Open(name) }
	var list []string
	for _, p := range tr.paths {
		if path.Ext(p) != ".s" || strings.Contains(p, "/_") || strings.Contains(p, "testdata/") {
			continue
		}
		ok, err := ctx.MatchFile(path.Dir(p), path.Base(p))
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, p)
		}
	}
	for _, s := range tr.sources {
		if s.nested() {
			continue
		}
		ok, err := ctx.MatchFile(s.dir, path.Base(s.path))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		for _, d := range s.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				list = append(list, fmt.Sprintf("%s: func %s has no body", tr.at(fn.Pos()), fn.Name.Name))
			}
		}
	}
	return list, nil
}

func TestPuregoLeavesNoAssembly(t *testing.T) {
	for _, target := range []struct {
		arch string
		tags []string
	}{{"amd64", []string{"purego"}}, {"arm64", []string{"purego"}}, {"riscv64", nil}} {
		list, err := assembled(repoTree(t), target.arch, target.tags...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			t.Errorf("%s %v: has assembly: %s", target.arch, target.tags, p)
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		list, err := assembled(repoTree(t), arch)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			t.Errorf("%s: have no assembly, want the kernels", arch)
		}
		for _, p := range list {
			if !strings.HasPrefix(p, kernels+"/") {
				t.Errorf("%s: have assembly here, want it only in %s", p, kernels)
			}
		}
	}
}

func TestAssemblyIsFound(t *testing.T) {
	tr := fixture(t,
		"a/a_amd64.s", "//go:build !purego\n",
		"a/b_amd64.s", "",
		"a/a_amd64.go", "//go:build !purego\n\npackage a\n\nfunc f()\n",
		"a/b.go", "package a\n\nfunc g()\n\nfunc h() {}\n",
		"a/_asm/c.s", "",
	)
	list, err := assembled(tr, "amd64", "purego")
	if err != nil {
		t.Fatal(err)
	}
	wantViolations(t, list, "a/b_amd64.s", "a/b.go:3: func g has no body")
	list, err = assembled(tr, "amd64")
	if err != nil {
		t.Fatal(err)
	}
	wantViolations(t, list, "a/a_amd64.s", "a/b_amd64.s", "a/a_amd64.go:5: func f has no body", "a/b.go:3: func g has no body")
}

func TestGenerateLinesAreSplit(t *testing.T) {
	tr := fixture(t,
		kernels+"/a.go", "package simd\n\n//go:generate sh -c \"cd _asm && go run ./a\"  x\n// go:generate not one\n",
		"other/a.go", "package other\n\n//go:generate rm x\n",
	)
	have, err := generateLines(tr)
	if err != nil {
		t.Fatal(err)
	}
	if len(have) != 1 || !slices.Equal(have[0], []string{"sh", "-c", "cd _asm && go run ./a", "x"}) {
		t.Errorf("have %q, want one line of four words", have)
	}
	if words, err := shellWords(`sh -c "open`); err == nil {
		t.Errorf("an open quote: have %q, want an error", words)
	}
}
