package ci

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"testing"
)

// unordered lists iterations over maps without a comment at the end of their
// line or on the line above: it says why the order does not matter. Keys and
// values of package maps are iterations too, unless they are sorted at once.
func unordered(p *program) []string {
	var wrong []string
	sorted := map[ast.Expr]bool{} // arguments of slices.Sorted and its like
	p.each(func(s *source, n ast.Node) {
		var what string
		switch n := n.(type) {
		case *ast.RangeStmt:
			t := p.info.Types[n.X].Type
			if t == nil {
				return
			}
			if _, ok := t.Underlying().(*types.Map); !ok {
				return
			}
			what = types.ExprString(n.X)
		case *ast.CallExpr:
			if p.calls(n, "slices", "Sorted", "SortedFunc", "SortedStableFunc") {
				sorted[n.Args[0]] = true
			}
			if sorted[n] || !p.calls(n, "maps", "All", "Keys", "Values") {
				return
			}
			what = types.ExprString(n)
		default:
			return
		}
		if !p.commented(s, n) {
			wrong = append(wrong, fmt.Sprintf("%s: iteration over %s without a comment saying why its order does not matter", p.tr.at(n.Pos()), what))
		}
	})
	return wrong
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

// commented reports whether a comment ends on the line of n or the one above.
func (p *program) commented(s *source, n ast.Node) bool {
	line := p.tr.fset.Position(n.Pos()).Line
	for _, c := range s.syntax.Comments {
		if end := p.tr.fset.Position(c.End()).Line; end == line || end == line-1 {
			return true
		}
	}
	return false
}

func TestMapOrderDecidesNothing(t *testing.T) {
	hold(t, everywhere(t, unordered))
}

func TestUnorderedIterationsAreFound(t *testing.T) {
	p := typedMade(t, "a.go", `package a

import (
	"maps"
	"slices"
)

type table map[string]int

func f(m map[int]int, n table, list []int) (sum int) {
	for k := range m {
		sum += k
	}
	for k := range m { // a sum of whole numbers has no order
		sum += k
	}
	// So has this one.
	for k := range m {
		sum += k
	}

	for range n {
	}
	for range list {
	}
	for range maps.Keys(m) {
	}
	for range slices.Sorted(maps.Keys(m)) {
	}
	return sum + len(slices.Collect(maps.Values(n)))
}
`)
	finds(t, unordered(p),
		"a.go:11: iteration over m", "a.go:22: iteration over n",
		"a.go:26: iteration over maps.Keys(m)", "a.go:30: iteration over maps.Values(n)")
}
