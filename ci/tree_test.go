package ci

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the module path of the repository.
const module = "pushdown"

// A tree is the files of a repository, those in Go with their syntax.
type tree struct {
	fsys    fs.FS
	fset    *token.FileSet
	paths   []string // of all files, in order
	sources []*source
}

// A source is a Go file.
type source struct {
	path      string
	dir       string
	text      []byte
	syntax    *ast.File
	test      bool // _test.go
	generated bool
}

// nested reports whether the file belongs to a module of its own, or is data.
// The go command ignores such folders too.
func (s *source) nested() bool {
	for part := range strings.SplitSeq(s.dir, "/") {
		if strings.HasPrefix(part, "_") || part == "testdata" {
			return true
		}
	}
	return false
}

// pkg returns the import path of the file's package.
func (s *source) pkg() string { return path.Join(module, s.dir) }

// repository is the tree that this package lies in.
var repository = sync.OnceValues(func() (*tree, error) { return newTree(os.DirFS("..")) })

// ours returns the repository.
func ours(t *testing.T) *tree {
	t.Helper()
	tr, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.sources) < 100 {
		t.Fatalf("%d Go files, want the repository", len(tr.sources))
	}
	return tr
}

func newTree(fsys fs.FS) (*tree, error) {
	tr := &tree{fsys: fsys, fset: token.NewFileSet()}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if p == ".git" || p == "artifacts" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || slices.Contains([]string{".test", ".out", ".prof"}, path.Ext(p)) {
			return nil
		}
		tr.paths = append(tr.paths, p)
		if path.Ext(p) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(tr.fset, p, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		tr.sources = append(tr.sources, &source{
			path: p, dir: path.Dir(p), text: text, syntax: syntax,
			test: strings.HasSuffix(p, "_test.go"), generated: ast.IsGenerated(syntax),
		})
		return nil
	})
	return tr, err
}

// at writes a position as path:line.
func (tr *tree) at(pos token.Pos) string {
	p := tr.fset.Position(pos)
	p.Column = 0
	return p.String()
}

// hold reports what is wrong.
func hold(t *testing.T, wrong []string) {
	t.Helper()
	for _, w := range wrong {
		t.Error(w)
	}
}

// excuse leaves out the complaints about excused files and folders (which end
// in a slash), each given with its reason, and complains about excuses that
// nothing needs.
func excuse(wrong []string, excused map[string]string) []string {
	var rest, idle []string
	needed := map[string]bool{}
	for _, w := range wrong {
		file, _, _ := strings.Cut(w, ":")
		needed[file], needed[path.Dir(file)+"/"] = true, true
		if excused[file] == "" && excused[path.Dir(file)+"/"] == "" {
			rest = append(rest, w)
		}
	}
	for name := range excused { // sorted below
		if !needed[name] {
			idle = append(idle, name+": excused, but nothing is wrong with it: take the excuse out")
		}
	}
	slices.Sort(idle)
	return append(rest, idle...)
}
