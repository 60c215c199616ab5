package ci

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pushdown/ci/git/gittest"
)

// module is the module path of the repository.
const module = "pushdown"

// A tree holds the files of a repository, and the syntax of its Go files.
type tree struct {
	fsys    fs.FS // may have more files, which no rule looks at
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
var repository = sync.OnceValues(func() (*tree, error) { return treeOf("..") })

// treeOf reads the tree of the repository at root. Files that git does not track are no part of it.
func treeOf(root string) (*tree, error) {
	names, err := gittest.Files(root)
	if err != nil {
		return nil, err
	}
	return newTree(os.DirFS(root), names)
}

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

// newTree reads a tree of the named files.
func newTree(fsys fs.FS, names []string) (*tree, error) {
	tr := &tree{fsys: fsys, fset: token.NewFileSet(), paths: names}
	for _, p := range names {
		if path.Ext(p) != ".go" {
			continue
		}
		text, err := fs.ReadFile(fsys, p)
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(tr.fset, p, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		tr.sources = append(tr.sources, &source{
			path: p, dir: path.Dir(p), text: text, syntax: syntax,
			test: strings.HasSuffix(p, "_test.go"), generated: ast.IsGenerated(syntax),
		})
	}
	return tr, nil
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

// TestOwnFilesAreNoConcern adds what people have in a clone to a repository, and checks that no
// rule sees it.
func TestOwnFilesAreNoConcern(t *testing.T) {
	root := t.TempDir()
	git := gittest.In(t, root)
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module pushdown\n")
	write("golden/a.go", "// Package golden is documented.\npackage golden\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	git("worktree", "add", "-q", "--detach", "tree")
	mine := "package mine\n\nimport \"example.org/x\"\n\nvar X = \"/" + "home/me\"\n"
	for _, name := range []string{"own/mine/mine.go", "mine/mine.go", "notes.txt", ".envrc", ".idea/x.xml", ".venv/lib/broken.go", "golden/x/ci.txt", ".github/workflows/mine.yml", "golden/_x/mine.go"} {
		write(name, mine)
	}
	write(".venv/lib/broken.go", "no Go\n")
	tr, err := treeOf(root)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := machinePaths(tr)
	if err != nil {
		t.Fatal(err)
	}
	wrong = slices.Concat(wrong, strayImports(tr, "golden\n"), undocumented(tr), strayGoldens(tr), openWorkflows(tr), strayGit(tr))
	for _, w := range misplaced(tr) {
		if !strings.HasSuffix(w, "missing at the top level") {
			wrong = append(wrong, w)
		}
	}
	reportAll(t, wrong)
	if len(tr.sources) != 1 {
		t.Errorf("have %d Go files, want 1", len(tr.sources))
	}
}
