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
func fused(p *program) (wrong []string) {
	f := &fuseSearch{program: p, vars: map[types.Object]bool{}, results: map[types.Object]bool{}}
	for f.grown = true; f.grown; {
		f.grown = false
		for _, s := range p.files {
			for _, d := range s.Decls {
				f.collect(d)
			}
		}
	}
	add := func(product ast.Expr) {
		if f.unrounded(product) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is added before it is rounded, want a conversion, as in float32(x*y) + z", p.at(product.Pos()), types.ExprString(product)))
		}
	}
	for n := range p.nodes() {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD || n.Op == token.SUB {
				add(n.X)
				add(n.Y)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
				add(n.Rhs[0])
			}
		}
	}
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
			if fn := f.callee(n); fn != nil {
				params := fn.Signature().Params()
				for i, e := range n.Args {
					if i < params.Len() && f.unrounded(e) {
						f.mark(f.vars, params.At(i))
					}
				}
			}
		}
		return true
	})
}

// bind marks e in f.vars if e is a variable.
func (f *fuseSearch) bind(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		f.mark(f.vars, f.info.ObjectOf(id))
	}
}

func (f *fuseSearch) mark(set map[types.Object]bool, o types.Object) {
	if o != nil && !set[o] {
		set[o], f.grown = true, true
	}
}

// callee returns the function that a call names, without type arguments, or nil if it names none.
func (f *fuseSearch) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	if fn, ok := f.info.Uses[id].(*types.Func); ok {
		return fn.Origin()
	}
	return nil
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
		return f.vars[f.info.ObjectOf(e)]
	case *ast.CallExpr:
		if tv := f.info.Types[e.Fun]; tv.IsType() {
			return false // a conversion, which rounds
		}
		fn := f.callee(e)
		return fn != nil && f.results[fn]
	}
	return false
}

// float reports whether e is not a constant and may be a floating-point number. A
// variable whose type is unknown, because it comes from another module, may be one.
func (f *fuseSearch) float(e ast.Expr) bool {
	tv, t := f.info.Types[e], f.info.TypeOf(e) // of a name that := declares, only TypeOf has the type
	if t == nil || tv.Value != nil || tv.IsType() {
		return false
	}
	if p, ok := t.(*types.TypeParam); ok {
		in := p.Constraint().Underlying().(*types.Interface)
		return types.Satisfies(types.Typ[types.Float32], in) || types.Satisfies(types.Typ[types.Float64], in)
	}
	u, ok := t.Underlying().(*types.Basic)
	return ok && (u.Kind() == types.Invalid || u.Info()&(types.IsFloat|types.IsComplex) != 0)
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

// unfusable lists calls of numeric.FMA that the compiler for arm64 does not turn into an
// FMA, because it removes the product first. If both factors are constants, it computes and
// rounds their product. If one factor is 2 or -2, it replaces 2*x with x + x, which may
// overflow although 2*x + y would not.
func unfusable(p *program) (wrong []string) {
	f := &fuseSearch{program: p}
	for n := range p.nodes() {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if fn := f.callee(call); fn == nil || fn.FullName() != module+"/harness/numeric.FMA" {
			continue
		}
		a, b := p.info.Types[call.Args[0]].Value, p.info.Types[call.Args[1]].Value
		two := func(v constant.Value) bool {
			if v == nil {
				return false
			}
			x, _ := constant.Float64Val(v)
			return math.Abs(x) == 2
		}
		if a != nil && b != nil || two(a) || two(b) {
			wrong = append(wrong, fmt.Sprintf("%s: FMA with two constant factors, or one that is 2, is not fused on arm64", p.at(call.Pos())))
		}
	}
	return wrong
}

func TestFusedSumsAreFound(t *testing.T) {
	tr := fixture(t, "a.go", `package a

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
	wantViolations(t, typed(fused)(tr),
		"a.go:3: x * y", "a.go:11: (-(x * y))", "a.go:15: t", "a.go:20: x",
		"a.go:26: product(x, y)", "a.go:28: y", "a.go:32: x * y", "a.go:40: v * y[i]", "a.go:45: x * 3")
}

func TestFMAsThatAreNotFusedAreFound(t *testing.T) {
	tr := fixture(t,
		"harness/numeric/a.go", "package numeric\n\nfunc FMA(a, b, c float32) float32 { return a*b + c }\n",
		"a.go", `package a

import "pushdown/harness/numeric"

const k = 0.3

func fine(x, y, z float32) float32 { return numeric.FMA(x, y, z) + numeric.FMA(x, k, 2) }

func both(z float32) float32 { return numeric.FMA(0.7, k, z) }

func double(x, z float32) float32 { return numeric.FMA(x, 2, z) }
`)
	wantViolations(t, typed(unfusable)(tr), "a.go:9: FMA with", "a.go:11: FMA with")
}
