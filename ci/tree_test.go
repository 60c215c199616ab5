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

// A tree holds the files of a repository, and the syntax of its Go files.
type tree struct {
	fsys    fs.FS
	fset    *token.FileSet
	paths   []string // of all files, in lexical order
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

// nested reports whether the file is below a folder that the go command ignores: a
// folder of test data, or one whose name starts with "_", which holds another module.
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

// repository reads the tree of this repository once.
var repository = sync.OnceValues(func() (*tree, error) { return newTree(os.DirFS("..")) })

// repoTree returns the tree of this repository.
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

// newTree reads a tree. It skips .git, the folder artifacts, and files that go test
// writes.
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

// at formats a position as path:line.
func (tr *tree) at(pos token.Pos) string {
	p := tr.fset.Position(pos)
	p.Column = 0
	return p.String()
}

// reportAll reports each violation as an error.
func reportAll(t *testing.T, wrong []string) {
	t.Helper()
	for _, w := range wrong {
		t.Error(w)
	}
}

// exempt removes the violations in exempted files and folders from the list. The keys
// of exempted are the paths, which end with a slash for folders; the values are the
// reasons. An exemption that is not needed is a violation, too.
func exempt(wrong []string, exempted map[string]string) []string {
	var rest, unused []string
	needed := map[string]bool{}
	for _, w := range wrong {
		file, _, _ := strings.Cut(w, ":")
		needed[file], needed[path.Dir(file)+"/"] = true, true
		if exempted[file] == "" && exempted[path.Dir(file)+"/"] == "" {
			rest = append(rest, w)
		}
	}
	for name := range exempted { // sorted below
		if !needed[name] {
			unused = append(unused, name+": exempted, but without a violation: remove the exemption")
		}
	}
	slices.Sort(unused)
	return append(rest, unused...)
}
