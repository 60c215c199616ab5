package ci

import (
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"iter"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
)

// A program is the type-checked code of a tree, without tests, for one target.
type program struct {
	*tree
	files    []*ast.File
	info     types.Info
	packages map[string]*types.Package
	folders  map[string][]*ast.File // the files of each package
	wrong    []string               // type errors, but for imports from other modules
}

// typed returns the rule that applies a rule about types to the code for the two targets that have
// assembly. The compiler may fuse a multiplication and an addition on arm64, and on amd64 with
// GOAMD64=v3.
func typed(find func(*program) []string) func(*tree) []string {
	return func(tr *tree) (wrong []string) {
		for _, p := range tr.programs() {
			for _, w := range slices.Concat(p.wrong, find(p)) {
				if !slices.Contains(wrong, w) {
					wrong = append(wrong, w)
				}
			}
		}
		return wrong
	}
}

// standard returns the importer of the standard library, which reads each package
// once, from source. It uses build.Default.
var standard = sync.OnceValue(func() types.Importer {
	root, err := exec.Command("go", "env", "GOROOT").Output() // package runtime does not know it with -trimpath
	if err != nil {
		panic(err)
	}
	build.Default.GOROOT, build.Default.CgoEnabled = strings.TrimSpace(string(root)), false
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// check type-checks the files of a tree that are built for a GOARCH. It reads the standard
// library from source. It does not read other modules, so expressions that use them have no type.
func check(tr *tree, arch string) *program {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled, ctx.JoinPath = "linux", arch, false, path.Join
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(tr.texts[name])), nil }
	p := &program{tree: tr, packages: map[string]*types.Package{}, folders: map[string][]*ast.File{},
		info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	for _, s := range tr.sources {
		if ok, err := ctx.MatchFile(s.dir, path.Base(s.path)); err != nil {
			p.wrong = append(p.wrong, err.Error())
		} else if ok && !s.test && !s.ignored {
			p.files, p.folders[s.pkg()] = append(p.files, s.syntax), append(p.folders[s.pkg()], s.syntax)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(p.folders)) {
		p.Import(pkg)
	}
	return p
}

// errOutside is the error of importing a package of another module.
var errOutside = errors.New("not of this module")

// Import type-checks a package of the tree once, which makes the program a [types.Importer].
func (p *program) Import(name string) (*types.Package, error) {
	first, _, _ := strings.Cut(name, "/")
	switch ours := name == module || strings.HasPrefix(name, module+"/"); {
	case !ours && strings.Contains(first, "."):
		return nil, errOutside
	case !ours:
		return standard().Import(name)
	case p.packages[name] == nil:
		conf := types.Config{Importer: p, Error: func(err error) {
			if !strings.Contains(err.Error(), errOutside.Error()) {
				p.wrong = append(p.wrong, err.Error())
			}
		}}
		p.packages[name], _ = conf.Check(name, p.fset, p.folders[name], &p.info) // conf.Error records the errors
	}
	return p.packages[name], nil
}

// nodes returns the nodes of all files.
func (p *program) nodes() iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		for _, f := range p.files {
			for n := range ast.Preorder(f) {
				if !yield(n) {
					return
				}
			}
		}
	}
}
