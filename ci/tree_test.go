package ci

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/ci/git/gittest"
)

// A rule finds its violations in a tree, each with the path of the file in front.
type rule struct {
	name string
	find func(*tree) []string
	may  map[string]string // exempted files, and folders, which end with a slash; with the reason
	long bool              // left out with -short
}

var rules = []rule{
	{name: "imports", find: func(tr *tree) []string { return strayImports(tr, order) }},
	{name: "layout", find: misplaced},
	{name: "paths", find: machinePaths, long: true},
	{name: "goldens", find: strayGoldens},
	{name: "arguments", find: unreadArguments},
	{name: "comments", find: undocumented},
	{name: "fusing", find: typed(fused), may: mayFuse, long: true},
	{name: "fma", find: typed(unfusable), long: true},
	{name: "exact", find: calls(inexact), may: mayBeInexact},
	{name: "clock", find: calls(clocked), may: mayReadClock},
	{name: "seeds", find: calls(unseeded)},
	{name: "rootless", find: calls(rootless)},
	{name: "registers", find: undeclared},
	{name: "purego", find: strayAssembly},
	{name: "workflows", find: openWorkflows},
	{name: "starts", find: strayGit, may: map[string]string{"harness/suite/skip.go": "the name of a need"}},
	{name: "scripts", find: openScripts},
}

// TestRules applies each rule to the repository. An exemption that is not needed is a violation, too.
func TestRules(t *testing.T) {
	tr := repoTree(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			if r.long && testing.Short() {
				t.Skipf("-short: reads all files: go test ./ci -run Rules/%s", r.name)
			}
			needed := map[string]bool{}
			for _, w := range r.find(tr) {
				file, _, _ := strings.Cut(w, ":")
				needed[file], needed[path.Dir(file)+"/"] = true, true
				if r.may[file] == "" && r.may[path.Dir(file)+"/"] == "" {
					t.Error(w)
				}
			}
			for name := range r.may {
				if !needed[name] {
					t.Errorf("%s: exempted, but without a violation: remove the exemption", name)
				}
			}
		})
	}
}

// module is the module path of the repository, from go.mod.
var module = func() string {
	text, err := os.ReadFile(filepath.Join("..", "go.mod"))
	if err != nil {
		panic(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(line, "module ")
}()

// A tree holds the files of a repository, and the syntax of its Go files.
type tree struct {
	paths   []string // of all files, in lexical order
	texts   map[string]string
	fset    *token.FileSet
	sources []*source

	programs func() []*program // type-checks the sources
}

// A source is a Go file.
type source struct {
	path      string
	dir       string
	syntax    *ast.File
	test      bool // _test.go
	generated bool
	ignored   bool // by the go command
}

// pkg returns the import path of the file's package.
func (s *source) pkg() string { return path.Join(module, s.dir) }

// ignored reports whether the go command ignores a file: one in a folder of test data, or in one
// whose name starts with "_", which holds another module.
func ignored(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(part string) bool { return part[0] == '_' || part == "testdata" })
}

// repository reads the files of this repository that git tracks.
var repository = sync.OnceValues(func() (*tree, error) {
	names, err := gittest.Files("..")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return newTree(texts)
})

func repoTree(t *testing.T) *tree {
	t.Helper()
	tr, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.sources) < 100 {
		t.Fatalf("have %d Go files, want the repository with at least 100", len(tr.sources))
	}
	return tr
}

// newTree returns a tree of the given files.
func newTree(texts map[string]string) (*tree, error) {
	tr := &tree{paths: slices.Sorted(maps.Keys(texts)), texts: texts, fset: token.NewFileSet()}
	for _, p := range tr.paths {
		if path.Ext(p) != ".go" {
			continue
		}
		syntax, err := parser.ParseFile(tr.fset, p, texts[p], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		tr.sources = append(tr.sources, &source{p, path.Dir(p), syntax, strings.HasSuffix(p, "_test.go"), ast.IsGenerated(syntax), ignored(p)})
	}
	tr.programs = sync.OnceValue(func() []*program { return []*program{check(tr, "amd64"), check(tr, "arm64")} })
	return tr, nil
}

// at formats a position as path:line.
func (tr *tree) at(pos token.Pos) string {
	p := tr.fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// all returns the nodes of the Go files that are of type T.
func all[T ast.Node](tr *tree) iter.Seq2[*source, T] {
	return func(yield func(*source, T) bool) {
		for _, s := range tr.sources {
			for n := range ast.Preorder(s.syntax) {
				if n, ok := n.(T); ok && !yield(s, n) {
					return
				}
			}
		}
	}
}

// imported returns what a selector names of another package, such as math/rand/v2.New, or "" if
// it names a field or a method.
func (s *source) imported(sel *ast.SelectorExpr) string {
	x, ok := sel.X.(*ast.Ident)
	for _, spec := range s.syntax.Imports {
		pkg, _ := strconv.Unquote(spec.Path.Value)
		local := path.Base(strings.TrimSuffix(pkg, "/v2"))
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if ok && x.Name == local {
			return pkg + "." + sel.Sel.Name
		}
	}
	return ""
}

// fixture returns a tree of files, given by the path of the first, its text, the path of the
// second, and so on.
func fixture(t *testing.T, files ...string) *tree {
	t.Helper()
	texts := map[string]string{}
	for pair := range slices.Chunk(files, 2) {
		texts[pair[0]] = pair[1]
	}
	tr, err := newTree(texts)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// wantViolations checks the violations that a rule found. There must be as many as strings
// in want, and each violation must start with the string at the same position.
func wantViolations(t *testing.T, have []string, want ...string) {
	t.Helper()
	prefix := func(w, h string) bool { return strings.HasPrefix(h, w) || strings.HasPrefix(w, h) }
	if len(have) != len(want) || !slices.EqualFunc(want, have, prefix) {
		t.Errorf("violations (-want +have):\n%s", cmp.Diff(want, have))
	}
}
