package ci

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"testing"
)

// A ban forbids names of other packages, such as time.Now.
type ban struct {
	names, but *regexp.Regexp // with the import path in front; but may be nil
	tests      []bool         // whether it holds in tests (true), in other files (false) or in both
	why        string
}

var (
	// inexact forbids functions of package math whose last bit may differ between machines.
	inexact = ban{regexp.MustCompile(`^math\.`), regexp.MustCompile(`^math\.(Abs|Ceil|Copysign|Dim|FMA|Float(32|64)(from)?bits|` +
		`Floor|Frexp|Inf|IsInf|IsNaN|Ldexp|Max|Min|Mod|Modf|NaN|Nextafter|Nextafter32|Pow10|Round|RoundToEven|Signbit|Sqrt|Trunc|` +
		`E|Pi|Phi|Ln2|Sqrt2|(Max|Min|SmallestNonzero)(Int|Uint|Float)\d*)$`), []bool{false}, "differs between machines: take it from harness/numeric"}
	clocked = ban{regexp.MustCompile(`^(time\.(Now|Since|Until|After|Tick|NewTimer|NewTicker|AfterFunc|Sleep)$|math/rand/v2\.|crypto/rand\.|hash/maphash\.)`),
		nil, []bool{false}, "no result may depend on the clock, or on random numbers but those of harness/rng"}
	// unseeded forbids functions whose seed is random: a test that calls one has other cases in each run.
	unseeded = ban{regexp.MustCompile(`^math/rand/v2\.(Int|Uint|Float|N$|Perm|Shuffle|NormFloat|ExpFloat)`), nil, []bool{true}, "is seeded randomly, want rand.New with a fixed seed"}
	rootless = ban{regexp.MustCompile(`^runtime\.GOROOT$`), nil, []bool{false, true}, "is empty with -trimpath, want go env GOROOT"}
)

// calls returns the rule that finds the names that are forbidden.
func calls(b ban) func(*tree) []string {
	return func(tr *tree) (wrong []string) {
		for s, sel := range all[*ast.SelectorExpr](tr) {
			if name := s.imported(sel); !s.ignored && slices.Contains(b.tests, s.test) && b.names.MatchString(name) && (b.but == nil || !b.but.MatchString(name)) {
				wrong = append(wrong, fmt.Sprintf("%s: %s %s", tr.at(sel.Pos()), name, b.why))
			}
		}
		return wrong
	}
}

// angle is the reason why code that computes angles may use inexact functions.
const angle = "angles of a figure, rounded to four places"

var mayBeInexact = map[string]string{
	"harness/kernel/real.go":         reference,
	"harness/stepgraph/lookup.go":    reference,
	"harness/stepgraph/weights.go":   reference,
	"harness/attention/attention.go": angle,
	"suites/dyck/trace.go":           angle,
	"suites/wikitext/trace.go":       angle,
}

var mayReadClock = map[string]string{
	"harness/golden/lock.go":          "how long an update waits for another",
	"harness/golden/origin.go":        "the date of an update",
	"harness/suite/cputime_other.go":  "the time of a process, where the system does not tell it",
	"harness/suite/deadline.go":       "when go test would kill the run",
	"harness/suite/pace.go":           "how long runs will take, in messages only",
	"harness/suite/progress.go":       "rate and time left, in messages only",
	"harness/disk/lock.go":            "since when a lock has been held, in messages only",
	"harness/disk/write.go":           "the names of temporary files",
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

func TestCallsAreFound(t *testing.T) {
	tr := fixture(t,
		"a.go", "package a\n\nimport (\n\tm \"math\"\n\t\"math/rand/v2\"\n\t\"runtime\"\n\t\"time\"\n)\n\nvar a = m.Sqrt(m.Pi)\nvar b = m.Exp\nvar c = x.Now().Sub(time.Unix(0, 0))\nvar d = time.Now()\nvar e = rand.IntN(3)\nvar f = runtime.GOROOT()\n",
		"a_test.go", "package a\n\nimport \"math/rand/v2\"\n\nvar x = rand.New(rand.NewPCG(1, 2)).IntN(3)\nvar y = rand.IntN(3)\n",
		"b_test.go", "package a\n\nvar y = rand.IntN(3)\n",
	)
	wantViolations(t, calls(inexact)(tr), "a.go:11: math.Exp differs")
	wantViolations(t, calls(clocked)(tr), "a.go:13: time.Now", "a.go:14: math/rand/v2.IntN")
	wantViolations(t, calls(unseeded)(tr), "a_test.go:6: math/rand/v2.IntN")
	wantViolations(t, calls(rootless)(tr), "a.go:15: runtime.GOROOT")
}
