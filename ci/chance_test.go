package ci

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// exact lists the functions of package math that return the same bits on every
// machine. The results of the other functions may differ in the last bit. (Pow10 multiplies two
// numbers of tables.)
var exact = []string{
	"Abs", "Ceil", "Copysign", "Dim", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits",
	"Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Pow10",
	"Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

// inexact lists the places where the program uses functions of package math whose results
// may differ between machines. These are the functions that the variable exact does not
// list.
func inexact(p *program) []string {
	return p.uses(func(fn *types.Func) string {
		if fn.Pkg().Path() != "math" || slices.Contains(exact, fn.Name()) {
			return ""
		}
		return fmt.Sprintf("math.%s differs between machines: take it from harness/numeric", fn.Name())
	})
}

// clocked lists uses of the clock, and of random numbers that do not come from
// harness/rng.
func clocked(p *program) []string {
	return p.uses(func(fn *types.Func) string {
		switch pkg := fn.Pkg().Path(); pkg {
		case "time":
			if !slices.Contains([]string{"Now", "Since", "Until", "After", "Tick", "NewTimer", "NewTicker", "AfterFunc", "Sleep"}, fn.Name()) {
				return ""
			}
			return fmt.Sprintf("time.%s: no result may depend on the clock", fn.Name())
		case "math/rand", "math/rand/v2", "crypto/rand", "hash/maphash":
			return fmt.Sprintf("%s.%s: take random numbers only from harness/rng", pkg, fn.Name())
		}
		return ""
	})
}

// uses returns a list of forbidden uses in the program, each with its position and the
// reason. It looks at every place where the program uses a function that is not a method.
// The parameter objection decides about the function: it returns the reason why the
// function is forbidden, or "" if it is allowed.
func (p *program) uses(objection func(*types.Func) string) []string {
	var wrong []string
	p.each(func(s *source, n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		fn, ok := p.info.Uses[id].(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Signature().Recv() != nil {
			return
		}
		if text := objection(fn); text != "" {
			wrong = append(wrong, fmt.Sprintf("%s: %s", p.tr.at(id.Pos()), text))
		}
	})
	return wrong
}

// unseeded lists calls, in tests, of the top-level functions of package math/rand/v2.
// The package seeds them randomly, so a test that calls one has different cases in
// each run.
func unseeded(tr *tree) []string {
	var wrong []string
	for _, s := range tr.sources {
		if !s.test {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == "rand" && !strings.HasPrefix(sel.Sel.Name, "New") && imports(s, "math/rand/v2") {
				wrong = append(wrong, fmt.Sprintf("%s: rand.%s is seeded randomly, want rand.New with a fixed seed", tr.at(n.Pos()), sel.Sel.Name))
			}
			return true
		})
	}
	return wrong
}

// imports reports whether a file imports a package without renaming it.
func imports(s *source, name string) bool {
	for _, spec := range s.syntax.Imports {
		if spec.Name == nil && spec.Path.Value == strconv.Quote(name) {
			return true
		}
	}
	return false
}

// angle is the reason why code that computes angles may use inexact functions.
const angle = "angles of a figure, rounded to four places"

// mayBeInexact lists the files that may use inexact functions of package math, with
// the reason.
var mayBeInexact = map[string]string{
	"harness/kernel/real.go":         reference,
	"harness/stepgraph/lookup.go":    reference,
	"harness/stepgraph/weights.go":   reference,
	"harness/attention/attention.go": angle,
	"suites/dyck/trace.go":           angle,
	"suites/wikitext/trace.go":       angle,
}

// mayReadClock lists the files that may use the clock or package math/rand/v2, with
// the reason.
var mayReadClock = map[string]string{
	"harness/golden/lock.go":          "how long an update waits for another",
	"harness/golden/origin.go":        "the date of an update",
	"harness/suite/deadline.go":       "when go test would kill the run",
	"harness/suite/pace.go":           "how long runs will take, in messages only",
	"harness/suite/progress.go":       "rate and time left, in messages only",
	"harness/disk/lock.go":            "since when a lock has been held, in messages only",
	"harness/disk/write.go":           "the names of temporary files",
	"ci/corpora/fetch.go":             "how long a download may send nothing",
	"ci/fuzz/fuzz.go":                 "how long fuzz targets run",
	"ci/gate/history/add.go":          "how long a push waits for another",
	"harness/kernel/cpu/simd/peak.go": "the speed of a core, a bound for benchmarks",
	"harness/kernel/kerneltest/":      "operands of test cases, from fixed seeds",
	"harness/train/online.go":         "the time that training took, and when to write a checkpoint",
	"harness/train/resume.go":         "when to write a checkpoint",
	"harness/train/run.go":            "the time that training took, which is reported and never compared",
	"harness/suite/interrupt.go":      "how long tests may continue after a signal",
	"harness/suite/suitetest/":        "when a test kills a run; it prints the seed",
	"models/celltest/":                "strings and parameters of checks, from fixed seeds",
}

func TestMathIsExact(t *testing.T) { reportAll(t, exempt(onAllTargets(t, inexact), mayBeInexact)) }

func TestNothingUsesTheClock(t *testing.T) {
	reportAll(t, exempt(onAllTargets(t, clocked), mayReadClock))
}

func TestTestsAreSeeded(t *testing.T) { reportAll(t, unseeded(repoTree(t))) }

func TestUnseededTestsAreFound(t *testing.T) {
	tr := fixture(t,
		"a_test.go", "package a\n\nimport \"math/rand/v2\"\n\nvar x = rand.New(rand.NewPCG(1, 2)).IntN(3)\n\nvar y = rand.IntN(3)\n",
		"b_test.go", "package a\n\nvar y = rand.IntN(3)\n",
	)
	wantViolations(t, unseeded(tr), "a_test.go:7: rand.IntN")
}

func TestInexactMathIsFound(t *testing.T) {
	p := typedFixture(t,
		"a.go", "package a\n\nimport \"math\"\n\nfunc f(x float64) float64 {\n\tx = math.Sqrt(x) + math.Pi\n\tx = math.Exp(x)\n\treturn x\n}\n\nvar g = math.Tanh\n",
		"b/b.go", "package b\n\nimport m \"math\"\n\nfunc f(x float64) float64 { return m.Pow(x, 2) }\n",
	)
	wantViolations(t, inexact(p), "a.go:7: math.Exp", "a.go:11: math.Tanh", "b/b.go:5: math.Pow")
}

func TestUsesOfTheClockAreFound(t *testing.T) {
	p := typedFixture(t, "a.go", `package a

import (
	"math/rand/v2"
	"time"
)

type now struct{}

func (now) Now() time.Time { return time.Unix(0, 0) }

var (
	a = time.Now()
	b = now{}.Now().Sub(a)
	c = rand.IntN(3)
	d = rand.New(rand.NewPCG(1, 2)).IntN(3)
)
`)
	wantViolations(t, clocked(p), "a.go:13: time.Now", "a.go:15: math/rand/v2.IntN", "a.go:16: math/rand/v2.New", "a.go:16: math/rand/v2.NewPCG")
}
