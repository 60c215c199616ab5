package ci

import (
	"fmt"
	"go/ast"
	"go/constant"
	"testing"
)

// unfusable lists calls of numeric.FMA that the compiler for arm64 does not turn into an
// FMA, because it removes the product first. If both factors are constants, it computes and
// rounds their product. If one factor is 2 or -2, it replaces 2*x with x + x, which may
// overflow although 2*x + y would not.
func unfusable(p *program) (wrong []string) {
	p.each(func(s *source, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 || !p.calls(call, "pushdown/harness/numeric", "FMA") {
			return
		}
		a, b := p.info.Types[call.Args[0]].Value, p.info.Types[call.Args[1]].Value
		two := func(v constant.Value) bool {
			if v == nil {
				return false
			}
			x, _ := constant.Float64Val(v)
			return x == 2 || x == -2
		}
		if a != nil && b != nil || two(a) || two(b) {
			wrong = append(wrong, fmt.Sprintf("%s: FMA with two constant factors, or one that is 2, is not fused on arm64", p.tr.at(call.Pos())))
		}
	})
	return wrong
}

func TestEveryFMACanBeFused(t *testing.T) { reportAll(t, onAllTargets(t, unfusable)) }

func TestFMAsThatAreNotFusedAreFound(t *testing.T) {
	p := typedFixture(t,
		"harness/numeric/a.go", "package numeric\n\nfunc FMA(a, b, c float32) float32 { return a*b + c }\n",
		"a.go", `package a

import "pushdown/harness/numeric"

const k = 0.3

func fine(x, y, z float32) float32 { return numeric.FMA(x, y, z) + numeric.FMA(x, k, 2) }

func both(z float32) float32 { return numeric.FMA(0.7, k, z) }

func double(x, z float32) float32 { return numeric.FMA(x, 2, z) }
`)
	wantViolations(t, unfusable(p), "a.go:9: FMA with", "a.go:11: FMA with")
}
