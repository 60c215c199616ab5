package ci

import (
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A program is the code of a tree that is no test, with its types, as one
// target compiles it.
type program struct {
	tr       *tree
	packages []*typed // in the order in which they were needed
	info     types.Info
}

// typed is a package of a program.
type typed struct {
	path    string
	sources []*source
	types   *types.Package
	err     error // the first of its own
}

// check gives types to a tree as GOARCH and build tags select its files. Other
// modules stay unread: what comes from them has no type. The standard library
// is read from its sources.
func check(tr *tree, arch string, tags ...string) (*program, error) {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.BuildTags, ctx.CgoEnabled = "linux", arch, tags, false
	ctx.JoinPath = path.Join
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { return tr.fsys.Open(name) }
	p := &program{tr: tr, info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	im := &importing{program: p, std: standard()}
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

// standard reads the standard library from its sources, each package once.
var standard = sync.OnceValue(func() types.Importer {
	build.Default.CgoEnabled = false // what the importer goes by
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// importing is the types.Importer of a program.
type importing struct {
	*program
	std     types.Importer
	sources []*source
}

// errOutside stands for every package of another module.
var errOutside = errors.New("not of this module")

// Import gives types to a package of the tree, once.
func (im *importing) Import(name string) (*types.Package, error) {
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
	p.types, _ = conf.Check(name, im.tr.fset, files, &im.info) // errors go to conf.Error
	im.packages = append(im.packages, p)
	return p.types, nil
}

// compiled gives types to the repository for a target with assembly and one
// without. Both fuse products on some of their machines.
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

// everywhere asks a rule about the repository on every target and returns its
// complaints, each once.
func everywhere(t *testing.T, rule func(*program) []string) []string {
	t.Helper()
	if testing.Short() {
		t.Skipf("-short: reads the types of every package: go test ./ci -run %s", t.Name())
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

// typedMade is made with types.
func typedMade(t *testing.T, files ...string) *program {
	t.Helper()
	p, err := check(made(t, files...), "amd64")
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

// each calls f for every node of the program's files, with its file.
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

// calls reports whether a call names one of the functions of a package.
func (p *program) calls(call *ast.CallExpr, pkg string, names ...string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := p.info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == pkg && slices.Contains(names, fn.Name())
}
