package ci

import (
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A program is the type-checked code of a tree, without tests, for one target.
type program struct {
	tr       *tree
	packages []*typed // in the order in which they were imported
	info     types.Info
}

// typed is a type-checked package.
type typed struct {
	path    string
	sources []*source
	types   *types.Package
	err     error // the first type error, ignoring imports from other modules
}

// check type-checks the files of a tree that are built for a GOARCH with the given
// build tags. It reads the standard library from source. It does not read other
// modules, so expressions that use them have no type.
func check(tr *tree, arch string, tags ...string) (*program, error) {
	std, err := standard()
	if err != nil {
		return nil, err
	}
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.BuildTags, ctx.CgoEnabled = "linux", arch, tags, false
	ctx.JoinPath = path.Join
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { return tr.fsys.Open(name) }
	p := &program{tr: tr, info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	im := &treeImporter{program: p, std: std}
	for _, s := range tr.sources {
		if s.test || s.nested() {
			continue
		}
		ok, err := ctx.MatchFile(s.dir, path.Base(s.path))
		if err != nil {
			return nil, err
		}
		if ok {
			im.sources = append(im.sources, s)
		}
	}
	for _, s := range im.sources {
		if _, err := im.Import(s.pkg()); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// standard returns the importer of the standard library, which reads each package
// once, from source.
var standard = sync.OnceValues(newStandard)

func newStandard() (types.Importer, error) {
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	build.Default.GOROOT, build.Default.CgoEnabled = root, false // the importer uses build.Default
	return importer.ForCompiler(token.NewFileSet(), "source", nil), nil
}

// goroot returns the folder of the Go distribution. Package runtime does not know it in a test
// that is built with -trimpath.
var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// A treeImporter implements types.Importer for a program.
type treeImporter struct {
	*program
	std     types.Importer
	sources []*source
}

// errOutside is the error of importing a package of another module.
var errOutside = errors.New("not of this module")

// Import type-checks a package of the tree once. It leaves packages of the standard
// library to im.std, and returns errOutside for those of other modules.
func (im *treeImporter) Import(name string) (*types.Package, error) {
	if name != module && !strings.HasPrefix(name, module+"/") {
		if strings.Contains(strings.Split(name, "/")[0], ".") {
			return nil, errOutside
		}
		return im.std.Import(name)
	}
	if i := slices.IndexFunc(im.packages, func(p *typed) bool { return p.path == name }); i >= 0 {
		return im.packages[i].types, nil
	}
	p := &typed{path: name}
	var files []*ast.File
	for _, s := range im.sources {
		if s.pkg() == name {
			p.sources, files = append(p.sources, s), append(files, s.syntax)
		}
	}
	conf := types.Config{Importer: im, Error: func(err error) {
		if p.err == nil && !strings.Contains(err.Error(), errOutside.Error()) {
			p.err = err
		}
	}}
	p.types, _ = conf.Check(name, im.tr.fset, files, &im.info) // conf.Error records the errors
	im.packages = append(im.packages, p)
	return p.types, nil
}

// compiled returns the type-checked repository for the two targets that have assembly,
// amd64 and arm64. Rules about fused operations apply to both, because
// the compiler may fuse a multiplication and an addition on arm64, and on amd64 with
// GOAMD64=v3.
var compiled = sync.OnceValues(func() ([]*program, error) {
	tr, err := repository()
	if err != nil {
		return nil, err
	}
	var list []*program
	for _, arch := range []string{"amd64", "arm64"} {
		p, err := check(tr, arch)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
})

// onAllTargets applies a rule to the repository on every target. It returns the
// violations and the type errors, sorted and without duplicates.
func onAllTargets(t *testing.T, rule func(*program) []string) []string {
	t.Helper()
	if testing.Short() {
		t.Skipf("-short: type-checks every package: go test ./ci -run %s", t.Name())
	}
	var wrong []string
	list, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		for _, pkg := range p.packages {
			if pkg.err != nil {
				wrong = append(wrong, pkg.err.Error())
			}
		}
		wrong = append(wrong, rule(p)...)
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

// typedFixture type-checks a tree of the given files. The arguments are those of fixture.
func typedFixture(t *testing.T, files ...string) *program {
	t.Helper()
	p, err := check(fixture(t, files...), "amd64")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range p.packages {
		if pkg.err != nil {
			t.Fatal(pkg.err)
		}
	}
	return p
}

// each calls f for every syntax node of the program, with the file of the node.
func (p *program) each(f func(s *source, n ast.Node)) {
	for _, pkg := range p.packages {
		for _, s := range pkg.sources {
			ast.Inspect(s.syntax, func(n ast.Node) bool {
				if n != nil {
					f(s, n)
				}
				return true
			})
		}
	}
}

// calls reports whether a call expression calls one of the named functions of package pkg.
func (p *program) calls(call *ast.CallExpr, pkg string, names ...string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := p.info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == pkg && slices.Contains(names, fn.Name())
}

// rootless lists the uses of runtime.GOROOT.
func rootless(tr *tree) []string {
	var wrong []string
	for _, s := range tr.sources {
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "GOROOT" && imports(s, "runtime") {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "runtime" {
					wrong = append(wrong, tr.at(n.Pos())+": runtime.GOROOT is empty with -trimpath, want go env GOROOT")
				}
			}
			return true
		})
	}
	return wrong
}

func TestTrimmedPaths(t *testing.T) {
	reportAll(t, rootless(repoTree(t)))
	wantViolations(t, rootless(fixture(t, "a.go", "package a\n\nimport \"runtime\"\n\nvar x = runtime.GOROOT() + runtime.GOOS\n")), "a.go:5: runtime.GOROOT is empty")

	defer func(before build.Context) { build.Default = before }(build.Default)
	build.Default.GOROOT = "" // as in a test that is built with -trimpath
	std, err := newStandard()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := std.Import("errors"); err != nil {
		t.Error(err)
	}
}
