package ci

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"testing"
)

// A compiler may compute x*y + z with a single rounding, even if the product is in a
// statement of its own. The Go compiler does so on arm64, and on amd64 with GOAMD64=v3. An
// explicit conversion, float32(x*y) + z, prevents it.
//
// The function fused reports additions and subtractions of products that are not converted.
// It follows such a product through parentheses, signs, local variables, parameters and
// results, as inlining would, but not through fields, elements and pointers. It ignores
// products with a power of two: they are exact, so fusing them gives the same bits.

// A fuseSearch is the state of the search for unrounded products.
type fuseSearch struct {
	*program
	vars    map[types.Object]bool // variables that may hold an unrounded product
	results map[types.Object]bool // functions whose first result may be an unrounded product
	grown   bool                  // whether vars or results has grown in this pass
}

// fused lists the sums that a compiler may fuse.
func fused(p *program) []string {
	f := &fuseSearch{program: p, vars: map[types.Object]bool{}, results: map[types.Object]bool{}}
	for f.grown = true; f.grown; {
		f.grown = false
		for _, pkg := range p.packages {
			for _, s := range pkg.sources {
				for _, d := range s.syntax.Decls {
					f.collect(d)
				}
			}
		}
	}
	var wrong []string
	p.each(func(s *source, n ast.Node) {
		add := func(product ast.Expr) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is added before it is rounded, want a conversion, as in float32(x*y) + z", p.tr.at(product.Pos()), types.ExprString(product)))
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.ADD && n.Op != token.SUB {
				return
			}
			for _, e := range []ast.Expr{n.X, n.Y} {
				if f.unrounded(e) {
					add(e)
				}
			}
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && f.unrounded(n.Rhs[0]) {
				add(n.Rhs[0])
			}
		}
	})
	return wrong
}

// collect looks through a declaration for unrounded products that are assigned, passed or
// returned. It marks the variables, parameters and functions that get them.
func (f *fuseSearch) collect(d ast.Decl) {
	fn, _ := d.(*ast.FuncDecl)
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return true // return statements of a function literal count as those of fn, which errs on the safe side
		case *ast.ReturnStmt:
			if fn != nil && len(n.Results) > 0 && f.unrounded(n.Results[0]) {
				f.mark(f.results, f.info.Defs[fn.Name])
			}
		case *ast.AssignStmt:
			if n.Tok == token.MUL_ASSIGN && f.float(n.Lhs[0]) && !f.powerOfTwo(n.Rhs[0]) {
				f.bind(n.Lhs[0])
			}
			if len(n.Lhs) == len(n.Rhs) {
				for i, e := range n.Rhs {
					if (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && f.unrounded(e) {
						f.bind(n.Lhs[i])
					}
				}
			}
		case *ast.ValueSpec:
			for i, e := range n.Values {
				if len(n.Names) == len(n.Values) && f.unrounded(e) {
					f.bind(n.Names[i])
				}
			}
		case *ast.CallExpr:
			sig, ok := f.callee(n).(*types.Func)
			if !ok {
				return true
			}
			params := origin(sig).(*types.Func).Signature().Params()
			for i, e := range n.Args {
				if i < params.Len() && f.unrounded(e) {
					f.mark(f.vars, params.At(i))
				}
			}
		}
		return true
	})
}

// bind marks e in f.vars if e is a variable.
func (f *fuseSearch) bind(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		f.mark(f.vars, f.object(id))
	}
}

func (f *fuseSearch) mark(set map[types.Object]bool, o types.Object) {
	if o != nil && !set[o] {
		set[o], f.grown = true, true
	}
}

func (f *fuseSearch) object(id *ast.Ident) types.Object {
	if o := f.info.Defs[id]; o != nil {
		return o
	}
	return f.info.Uses[id]
}

// callee returns the object of the function that a call names, or nil if the call
// does not name a function.
func (f *fuseSearch) callee(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return f.info.Uses[x]
	case *ast.SelectorExpr:
		return f.info.Uses[x.Sel]
	}
	return nil
}

// origin returns the generic function that o is an instance of, or o itself if it is
// not an instance.
func origin(o types.Object) types.Object {
	if fn, ok := o.(*types.Func); ok {
		return fn.Origin()
	}
	return o
}

// unrounded reports whether e may be a product that has not been rounded.
func (f *fuseSearch) unrounded(e ast.Expr) bool {
	if !f.float(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return f.unrounded(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.MUL && !f.powerOfTwo(e.X) && !f.powerOfTwo(e.Y)
	case *ast.Ident:
		return f.vars[f.object(e)]
	case *ast.CallExpr:
		if tv := f.info.Types[e.Fun]; tv.IsType() {
			return false // a conversion, which rounds
		}
		return f.results[origin(f.callee(e))]
	}
	return false
}

// float reports whether e is not a constant and may be a floating-point number. A
// variable whose type is unknown, because it comes from another module, may be one.
func (f *fuseSearch) float(e ast.Expr) bool {
	tv, ok := f.info.Types[e]
	if id, isName := ast.Unparen(e).(*ast.Ident); isName && !ok {
		if o := f.object(id); o != nil {
			tv.Type, ok = o.Type(), true
		}
	}
	if !ok || tv.Value != nil || tv.IsType() {
		return false
	}
	return mayBeFloat(tv.Type)
}

// powerOfTwo reports whether e is a constant whose absolute value is a power of two.
func (f *fuseSearch) powerOfTwo(e ast.Expr) bool {
	v := f.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int && v.Kind() != constant.Float {
		return false
	}
	x, _ := constant.Float64Val(v)
	fraction, _ := math.Frexp(math.Abs(x))
	return fraction == 0.5
}

// mayBeFloat reports whether a value of type t may be a floating-point number.
func mayBeFloat(t types.Type) bool {
	if p, ok := t.(*types.TypeParam); ok {
		return allowsFloat(p.Constraint())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Invalid || u.Info()&(types.IsFloat|types.IsComplex) != 0
	}
	return false
}

// allowsFloat reports whether a floating-point type satisfies the constraint t.
func allowsFloat(t types.Type) bool {
	in, ok := t.Underlying().(*types.Interface)
	if !ok {
		return mayBeFloat(t)
	}
	for i := range in.NumEmbeddeds() {
		switch e := in.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				if allowsFloat(e.Term(j).Type()) {
					return true
				}
			}
		default:
			if allowsFloat(e) {
				return true
			}
		}
	}
	return false
}

// mayFuse lists the files and folders whose sums may be fused, with the reason. No digest
// and no golden file depends on these sums, except for the sum in fma_arm64.go, which must
// be fused.
var mayFuse = map[string]string{
	"harness/kernel/kerneltest/":     "expected results and error bounds of tests, in float64",
	"models/celltest/":               "the loss whose differences a check takes, in float64",
	"harness/numeric/fma_arm64.go":   "its sum is fused on purpose: it is the FMA",
	"harness/stepgraph/broadcast.go": reference,
	"harness/stepgraph/random.go":    reference,
	"harness/stepgraph/lists.go":     reference,
	"harness/stepgraph/product.go":   reference,
	"harness/stepgraph/stacks.go":    reference,
	"harness/stepgraph/weights.go":   reference,
}

// reference is the reason for exempting a reference implementation.
const reference = "reference implementation in float64: tests compare with it within rounding, no run uses it"

func TestNoSumIsFused(t *testing.T) {
	reportAll(t, exempt(onAllTargets(t, fused), mayFuse))
}

func TestFusedSumsAreFound(t *testing.T) {
	p := typedFixture(t, "a.go", `package a

func direct(x, y, z float32) float32 { return x*y + z }

func rounded(x, y, z float32) float32 { return float32(x*y) + z }

func converted(x, y float32, z float64) float64 { return float64(x*y) + z }

func whole(x, y, z int) int { return x*y + z }

func sign(x, y, z float64) float64 { return z - (-(x * y)) }

func through(x, y, z float32) float32 {
	t := x * y
	return z + t
}

func scaled(x, y, z float32) float32 {
	x *= y
	z -= x
	return z
}

func product(x, y float32) float32 { return x * y }

func called(x, y, z float32) float32 { return product(x, y) + z }

func add(x, y float32) float32 { return x + y }

func passed(x, y, z float32) float32 { return add(z, x*y) }

func generic[T float32 | float64](x, y, z T) T { return x*y + z }

func roundedGeneric[T float32 | float64](x, y, z T) T { return T(x*y) + z }

func constant(z float64) float64 { return 2*3.5 + z }

func dot(x, y []float32) (s float32) {
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func halved(x, z float64) float64 { return 0.5*x + z*-0x1p-53 + x*3 }

func noSum(x, y, z float32) float32 { return x * y * z / (x * y) }
`)
	wantViolations(t, fused(p),
		"a.go:3: x * y", "a.go:11: (-(x * y))", "a.go:15: t", "a.go:20: x",
		"a.go:26: product(x, y)", "a.go:28: y", "a.go:32: x * y", "a.go:40: v * y[i]", "a.go:45: x * 3")
}
