package golden

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestName(t *testing.T) {
	for good, files := range map[string]string{
		"paper=resurgence/table=2/row=dyck-m4/seed=1":                    "resurgence-table2.txt ci.txt",
		"paper=resurgence/section=6.2/row=dyck-m4-1d/seed=10":            "resurgence-section6.2.txt ci.txt",
		"paper=stack-rnn/figure=2/row=list-rnn/task=memorization/seed=0": "stack-rnn-figure2.txt ci.txt",
		"test=trajectory/cell=dyck-rnn/seed=1":                           "trajectory-celldyck-rnn.txt ci.txt",
	} {
		n, err := ParseName(good)
		if err != nil {
			t.Error(err)
		}
		g, err := ParseGroup(string(n.Group()))
		if back := g.WithSeed(n.Seed()); err != nil || back != n || g.Seed() != -1 {
			t.Errorf("group and seed of %s: have %s, %v, want the name again", n, back, err)
		}
		for _, n := range []Name{n, g} {
			if have := n.File(paperScale) + " " + n.File("ci"); have != files {
				t.Errorf("files of %s at scales paper and ci: have %s, want %s", n, have, files)
			}
		}
		if _, err := ParseGroup(good); err == nil {
			t.Errorf("group %s: have no error, want one about the seed", good)
		}
	}
	for bad, want := range map[string]string{
		"":                                     "want key=value",
		"paper=resurgence/table=2/row=dyck-m4": "have no last part seed=",
		"paper=resurgence/table=2/row=dyck-m4/seed=01":       `seed: have "01"`,
		"paper=resurgence/table=2/row=dyck-m4/seed=-1":       `seed: have "-1"`,
		"paper=resurgence/row=dyck-m4/table=2/seed=1":        "parts: have paper, row, table",
		"paper=resurgence/table=2/row=a/cell=b/seed=1":       "parts: have paper, table, row, cell",
		"paper=resurgence/table=2/seed=1":                    "parts: have paper, table",
		"test=a/paper=resurgence/seed=1":                     "have paper= in the middle",
		"test=a/test=b/seed=1":                               "have test= again",
		"test=a b/seed=1":                                    "part 1",
		"Test=a/seed=1":                                      "part 1",
		"test=a//seed=1":                                     "part 2",
		"seed=1":                                             "have a seed alone",
		"test=" + strings.Repeat("a", maxName) + "/seed=1":   "want at most 240",
		"test=a/seed=1/seed=2":                               "have seed= again",
		"test=a/seed=99999999999999999999999999999999999999": "seed: have",
	} {
		_, err := ParseName(bad)
		wantError(t, "name "+abbreviate(bad), err, want)
	}
}

func TestCompareNames(t *testing.T) {
	want := []Name{
		"paper=resurgence/section=6.2/row=a/seed=1",
		"paper=resurgence/table=2/row=a/seed=1",
		"paper=resurgence/table=2/row=a/seed=2",
		"paper=resurgence/table=2/row=a/seed=10",
		"paper=resurgence/table=2/row=a/task=b/seed=1",
		"paper=resurgence/table=2/row=a-1/seed=1",
		"paper=resurgence/table=10/row=a/seed=1",
		"paper=resurgence/table=1a/row=a/seed=1", // 1a is not a number, so it comes after all numbers
		"test=trajectory",
		"test=trajectory/seed=1",
	}
	have := slices.Clone(want)
	slices.Reverse(have)
	slices.SortFunc(have, CompareNames)
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("sorted names (-want +have)\n%s", d)
	}
}

// FuzzCompareNames checks that CompareNames defines an order that is total, antisymmetric and
// transitive.
func FuzzCompareNames(f *testing.F) {
	f.Add("a=1/b=2", "a=1/b=10", "a=1/b=x")
	f.Add("a=01", "a=1", "a")
	f.Fuzz(func(t *testing.T, x, y, z string) {
		a, b, c := Name(x), Name(y), Name(z)
		if CompareNames(a, b) != -CompareNames(b, a) || (CompareNames(a, b) == 0) != (a == b) {
			t.Errorf("%q and %q: %d one way, %d the other", a, b, CompareNames(a, b), CompareNames(b, a))
		}
		if CompareNames(a, b) < 0 && CompareNames(b, c) < 0 && CompareNames(a, c) >= 0 {
			t.Errorf("%q < %q < %q, but not the first < the last", a, b, c)
		}
	})
}

// FuzzSplitFields checks that a line that SplitFields accepts has the same fields after it is
// joined again, and that joining is then stable.
func FuzzSplitFields(f *testing.F) {
	f.Fuzz(func(t *testing.T, line string) {
		fields, err := SplitFields(line)
		if err != nil {
			return
		}
		joined := JoinFields(fields)
		again, err := SplitFields(joined)
		if d := cmp.Diff(fields, again); err != nil || d != "" {
			t.Errorf("%q, joined as %q: %v (-first +again)\n%s", line, joined, err, d)
		}
		if have := JoinFields(again); have != joined {
			t.Errorf("%q: have %q joined again, want %q", line, have, joined)
		}
	})
}
