package suite

import (
	"fmt"
	"strings"
	"testing"
)

// TestFails is run by TestFailuresComeLast in another process. Its second run fails.
func TestFails(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	Summarize(t)
	var jobs []job
	for seed := range 3 {
		jobs = append(jobs, job{toy{}.ID().Group().WithSeed(seed + 1), func(t *testing.T) {
			if seed == 1 {
				t.Error("the second run fails")
			}
		}})
	}
	runAll(t, jobs)
	t.Log(strings.Repeat("a line of a long table\n", 100))
}

// TestFailuresComeLast checks that the names of the failed runs, and nothing else, follow the
// output of the tests.
func TestFailuresComeLast(t *testing.T) {
	stdout, stderr, status := again(t, nil, "-test.run=^TestFails$", "-test.v")
	want := "pushdown: failed tests: 1\n\tTestFails/paper=resurgence/section=6.2/row=toy/seed=2\n"
	if status != 1 || stderr != want || !strings.Contains(stdout, "the second run fails") {
		t.Errorf("have status %d, error output\n%s\nand output\n%s\nwant 1 and\n%s", status, stderr, stdout, want)
	}
	if _, stderr, status := again(t, nil, "-test.run=^TestFails$/paper/section/row/seed=[13]"); status != 0 || stderr != "" {
		t.Errorf("without the run that fails: have status %d and %s, want 0 and nothing", status, stderr)
	}
}

// TestSummary checks that a summary leaves out tests whose subtests failed, and that it is
// short.
func TestSummary(t *testing.T) {
	if have := summary(nil); have != "" {
		t.Errorf("no failures: have %q, want nothing", have)
	}
	if have, want := summary([]string{"TestA/b/c", "TestA/b", "TestA", "TestAB"}), "pushdown: failed tests: 2\n\tTestA/b/c\n\tTestAB\n"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprint("Test", i))
	}
	if have := summary(many); strings.Count(have, "\n") != 22 || !strings.HasSuffix(have, "\tTest19\n\tand 480 more\n") {
		t.Errorf("have %q, want 20 of 500 names", have)
	}
}
