package ci

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"
)

// undocumented lists packages without a package comment, and exported identifiers without a
// comment. A group of constants or variables may share a comment, and a comment may be at
// the end of the line. The methods in the map ordinary, such as String, need no comment.
func undocumented(tr *tree) []string {
	var wrong []string
	var packages []string
	first, documented := map[string]string{}, map[string]bool{} // by package
	for _, s := range tr.sources {
		p := s.dir + " " + strings.TrimSuffix(s.syntax.Name.Name, "_test")
		if first[p] == "" {
			first[p] = s.path
			packages = append(packages, p)
		}
		if s.syntax.Doc != nil && strings.TrimSpace(s.syntax.Doc.Text()) != "" && !s.test {
			documented[p] = true
		}
		if s.test || s.generated {
			continue
		}
		for _, d := range s.syntax.Decls {
			for _, name := range bare(d) {
				wrong = append(wrong, fmt.Sprintf("%s: exported %s has no comment", tr.at(name.Pos()), name.Name))
			}
		}
	}
	for _, p := range packages {
		if !documented[p] {
			wrong = append(wrong, fmt.Sprintf("%s: the package has no comment", first[p]))
		}
	}
	return wrong
}

// ordinary lists methods of interfaces of the standard library. They need no comment,
// because the standard library documents them.
var ordinary = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Len": true, "Less": true, "Swap": true, "Close": true, "Write": true, "Read": true}

// bare returns the exported names that the declaration d leaves without a comment,
// although they need one.
func bare(d ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil || !d.Name.IsExported() {
			return nil
		}
		if d.Recv != nil && (!ast.IsExported(receiver(d)) || ordinary[d.Name.Name]) {
			return nil
		}
		names = append(names, d.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && spec.Doc == nil && spec.Comment == nil && spec.Name.IsExported() {
					names = append(names, spec.Name)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if d.Doc == nil && spec.Doc == nil && spec.Comment == nil && name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's receiver type, without type parameters.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func TestExportedNamesAreDocumented(t *testing.T) { reportAll(t, undocumented(repoTree(t))) }

func TestUndocumentedNamesAreFound(t *testing.T) {
	tr := fixture(t,
		"a/a.go", "package a\n\nfunc F() {}\n\n// G is documented.\nfunc G() {}\n\ntype t[K any] struct{}\n\nfunc (t[K]) M() {}\n\ntype T struct{}\n\nfunc (*T) M() {}\n\nfunc (*T) String() string { return \"\" }\n",
		"b/b.go", "// Package b is documented.\npackage b\n\nconst (\n\tX = 1\n\tY = 2 // is documented\n)\n\n// These too.\nvar (\n\tV, w = 1, 2\n)\n\nvar U = 1\n",
		"b/b_test.go", "package b_test\n\nfunc F() {}\n",
		"c/c_test.go", "// Package c is documented in vain: go doc does not show it.\npackage c\n",
	)
	wantViolations(t, undocumented(tr),
		"a/a.go:3: exported F", "a/a.go:12: exported T", "a/a.go:14: exported M",
		"b/b.go:5: exported X", "b/b.go:14: exported U",
		"a/a.go: the package has no comment", "c/c_test.go: the package has no comment",
	)
}
