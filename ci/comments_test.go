package ci

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// undocumented lists packages without a package comment, and exported identifiers without a
// comment. A group of constants or variables may share a comment, and a comment may be at
// the end of the line. The methods in the list ordinary need none.
func undocumented(tr *tree) (wrong []string) {
	bare := map[string]string{} // by package that has no comment, the first file
	for _, s := range tr.sources {
		p := s.dir + " " + strings.TrimSuffix(s.syntax.Name.Name, "_test")
		if _, known := bare[p]; !known {
			bare[p] = s.path
		}
		if s.syntax.Doc != nil && !s.test {
			bare[p] = ""
		}
		if s.test || s.generated {
			continue
		}
		check := func(name *ast.Ident, comments ...*ast.CommentGroup) {
			if name.IsExported() && !slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
				wrong = append(wrong, fmt.Sprintf("%s: exported %s has no comment", tr.at(name.Pos()), name.Name))
			}
		}
		for _, d := range s.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")) && !slices.Contains(ordinary, d.Name.Name) {
					check(d.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						check(spec.Name, d.Doc, spec.Doc, spec.Comment)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							check(name, d.Doc, spec.Doc, spec.Comment)
						}
					}
				}
			}
		}
	}
	for _, file := range slices.Sorted(maps.Values(bare)) {
		if file != "" {
			wrong = append(wrong, file+": the package has no comment")
		}
	}
	return wrong
}

// ordinary lists methods of interfaces of the standard library, which documents them.
var ordinary = []string{"String", "Error", "Unwrap", "Len", "Less", "Swap", "Close", "Write", "Read"}

func TestUndocumentedNamesAreFound(t *testing.T) {
	tr := fixture(t,
		"a/a.go", "package a\n\nfunc F() {}\n\n// G is documented.\nfunc G() {}\n\ntype t[K any] struct{}\n\nfunc (t[K]) M() {}\n\ntype T[K any] struct{}\n\nfunc (*T[K]) M() {}\n\nfunc (*T[K]) String() string { return \"\" }\n",
		"b/b.go", "// Package b is documented.\npackage b\n\nconst (\n\tX = 1\n\tY = 2 // is documented\n)\n\n// These too.\nvar (\n\tV, w = 1, 2\n)\n",
		"b/b_test.go", "package b_test\n\nfunc F() {}\n",
		"c/c_test.go", "// Package c is documented in vain: go doc does not show it.\npackage c\n",
	)
	wantViolations(t, undocumented(tr), "a/a.go:3: exported F", "a/a.go:12: exported T", "a/a.go:14: exported M",
		"b/b.go:5: exported X", "a/a.go: the package has no comment", "c/c_test.go: the package has no comment")
}
