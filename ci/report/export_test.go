package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// junit parses a JUnit report and checks that its counts are those of its test cases.
func junit(t *testing.T, r *report) testSuites {
	t.Helper()
	var b bytes.Buffer
	if err := r.writeJUnit(&b); err != nil {
		t.Fatal(err)
	}
	var all testSuites
	if err := xml.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	var tests, failures, skipped int
	for _, s := range all.Suites {
		var f, k int
		for _, c := range s.Cases {
			if c.Failure != nil {
				f++
			}
			if c.Skipped != nil {
				k++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != f || s.Skipped != k {
			t.Errorf("%s: have %d tests, %d failures, %d skipped, want %d, %d, %d", s.Name, s.Tests, s.Failures, s.Skipped, len(s.Cases), f, k)
		}
		tests, failures, skipped = tests+s.Tests, failures+f, skipped+k
	}
	if all.Tests != tests || all.Failures != failures || all.Skipped != skipped {
		t.Errorf("have %d tests, %d failures, %d skipped, want %d, %d, %d", all.Tests, all.Failures, all.Skipped, tests, failures, skipped)
	}
	return all
}

func TestJUnit(t *testing.T) {
	r, _ := ofRepository(t)
	all := junit(t, r)
	_, counts := r.Count(func(papers.Key) string { return "" })
	want := counts[""]
	if n := want.Printed - want.Shown - want.Unfinished; all.Tests != n || all.Failures != 0 || all.Skipped != want.Open()+want.ByOutcome[golden.Misprinted] {
		t.Errorf("have %d tests, %d failures, %d skipped, want %d, 0 and %d", all.Tests, all.Failures, all.Skipped, n, want.Open()+want.ByOutcome[golden.Misprinted])
	}
	have := make(map[string]int)
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			have[c.Properties[0].Value]++
			if c.Properties[0].Name != "outcome" || !strings.HasPrefix(c.Output, "published=") {
				t.Errorf("%s %s: have %+v, want an outcome and its evidence", c.Class, c.Name, c)
			}
		}
	}
	for _, o := range golden.CellOutcomes() {
		if have[string(o)] != want.ByOutcome[o] {
			t.Errorf("%s: have %d, want %d", o, have[string(o)], want.ByOutcome[o])
		}
	}
}

// history makes a repository with three commits, oldest first.
func history(t *testing.T) (root string, commits []string) {
	t.Helper()
	root = t.TempDir()
	git := gittest.In(t, root)
	git("init", "-q")
	for range 3 {
		git("commit", "-q", "--allow-empty", "-m", "x")
		commits = append(commits, strings.TrimSpace(git("rev-parse", "HEAD")))
	}
	return root, commits
}

// TestSince checks what is new since a commit in which a row has no result, a number matches
// that does not now, and a claim has another outcome.
func TestSince(t *testing.T) {
	root := small(t)
	git := gittest.In(t, root)
	name := root + "/golden/dyck/ci.txt"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "then")
	then, err := golden.Parse("ci.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	now := *then
	now.Verdicts, now.Claims = slices.Clone(then.Verdicts), slices.Clone(then.Claims)
	changed := now.Verdicts[0].Key
	now.Verdicts[0].Outcome = golden.Worse
	now.Claims[0].Outcome = golden.Fails
	for i := range now.Rows {
		if seed := now.Rows[i].Name.Seed(); strings.Contains(string(now.Rows[i].Name), "row=dyck-m4/") && seed == 1 {
			added := now.Rows[i]
			added.Name = "paper=resurgence/table=2/row=dyck-m4/task=literal/seed=1"
			now.Rows = append(slices.Clone(now.Rows), added)
			trajectory := now.Trajectories[0]
			trajectory.Name = added.Name
			now.Trajectories = append(slices.Clone(now.Trajectories), trajectory)
			break
		}
	}
	text, err = golden.Format(&now)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "golden/dyck/ci.txt", string(text))
	r, err := load(&options{root: root, since: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Since
	if len(s.Cells) != 1 || s.Cells[0].Cell.Key.String() != changed || s.Cells[0].Was != golden.Matches || s.Cells[0].Now != golden.Worse {
		t.Errorf("numbers: have %+v, want that %s matched and is worse now", s.Cells, changed)
	}
	if len(s.Claims) != 1 || s.Claims[0].ID != then.Claims[0].ID || s.Claims[0].Now != golden.Fails {
		t.Errorf("claims: have %+v, want that %s fails now", s.Claims, then.Claims[0].ID)
	}
	if len(s.Rows) != 1 || s.Rows[0].Name != "paper=resurgence/table=2/row=dyck-m4/task=literal" {
		t.Errorf("rows: have %v, want the literal one", s.Rows)
	}
	files, err := r.build()
	if err != nil {
		t.Fatal(err)
	}
	docs := documents(files)
	if _, list := broken(files, docs); len(list) > 0 {
		t.Errorf("have broken links %q, want none", list)
	}
	front := docs["index.html"].text("main")
	for _, want := range []string{"New since HEAD", "1 number has another outcome", "1 claim has another outcome", "1 row has its first results", "dyck-m4, literal"} {
		if !strings.Contains(front, want) {
			t.Errorf("the front page has no %q", want)
		}
	}
	if all := junit(t, r); all.Failures != 1 {
		t.Errorf("JUnit: have %d failures, want the number that matched", all.Failures)
	}
	gone := now
	gone.Verdicts = now.Verdicts[1:]
	if without, err := golden.Format(&gone); err != nil {
		t.Fatal(err)
	} else {
		write(t, root, "golden/dyck/ci.txt", string(without))
	}
	if r, err = load(&options{root: root, since: "HEAD"}); err != nil {
		t.Fatal(err)
	}
	if all := junit(t, r); all.Failures != 1 {
		t.Errorf("JUnit: have %d failures, want the number that matched and has no outcome now", all.Failures)
	}
	write(t, root, "golden/dyck/ci.txt", string(text))

	git("commit", "-qam", "now")
	write(t, root, "golden/dyck/ci.txt", "suite: dyck\nAn old format\n")
	git("commit", "-qam", "a format that cannot be read")
	write(t, root, "golden/dyck/ci.txt", string(text))
	if _, err := load(&options{root: root, since: "HEAD"}); err == nil || !strings.Contains(err.Error(), "cannot read the golden files of that commit") {
		t.Errorf("have %v, want an error that says the format cannot be read", err)
	}
	r, err = load(&options{root: root, since: "HEAD~1"})
	if err != nil || len(r.Since.Cells)+len(r.Since.Claims)+len(r.Since.Rows) != 0 {
		t.Errorf("have %+v, %v, want nothing new", r.Since, err)
	}
}

func TestOtherRepositoriesStay(t *testing.T) { gittest.OthersStay(t, "^(TestSince|TestHistory)$") }
