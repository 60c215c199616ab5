package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// junit parses the JUnit report.
func junit(t *testing.T, r *report) (all testSuites) {
	t.Helper()
	var b bytes.Buffer
	err := r.writeJUnit(&b)
	if err == nil {
		err = xml.Unmarshal(b.Bytes(), &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCounts checks that numbers.csv and the JUnit report have as many numbers of each outcome as
// the pages count, and that numbers.csv has each number once.
func TestCounts(t *testing.T) {
	r, _ := ofRepository(t)
	all := junit(t, r)
	n, skipped := r.All.Printed-r.All.Shown-r.All.Unfinished, r.All.Open()+r.All.ByOutcome[verdict.Misprinted]+r.All.ByOutcome[verdict.Undetermined]
	if all.Tests != n || all.Failures != 0 || all.Skipped != skipped {
		t.Errorf("have %d tests, %d failures, %d skipped, want %d, 0 and %d", all.Tests, all.Failures, all.Skipped, n, skipped)
	}
	cases := make(map[string]int)
	var sum tally
	for _, s := range all.Suites {
		sum = tally{sum.Tests + len(s.Cases), sum.Failures + s.Failures, sum.Skipped + s.Skipped}
		for _, c := range s.Cases {
			cases[c.Properties[0].Value]++
			if c.Properties[0].Name != "outcome" || !strings.HasPrefix(c.Output, "printed ") {
				t.Errorf("%s %s: have %+v, want an outcome and what is printed", c.Class, c.Name, c)
			}
		}
	}
	if sum != all.tally {
		t.Errorf("have %+v in all test suites, want %+v", sum, all.tally)
	}
	lines, err := csv.NewReader(strings.NewReader(r.csv())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	numbers, keys := make(map[string]int), make(map[string]bool)
	for _, line := range lines[1:] {
		of := make(map[string]string)
		for i, name := range lines[0] {
			of[name] = line[i]
		}
		numbers[of["outcome"]]++
		keys[strings.Join(line[:5], ":")] = true
		if (of["measured"] == "") != (of["n"] == "0") || (of["low"] == "") != (of["high"] == "") {
			t.Errorf("%v: has part of a result", line)
		}
	}
	if len(lines)-1 != r.All.Printed || len(keys) != r.All.Printed || numbers["shown"] != r.All.Shown || numbers["unfinished"] != r.All.Unfinished {
		t.Errorf("have %d lines with %d numbers, %v, want %+v", len(lines)-1, len(keys), numbers, r.All)
	}
	for _, o := range verdict.Outcomes() {
		if want := r.All.ByOutcome[o]; cases[string(o)] != want || numbers[string(o)] != want {
			t.Errorf("%s: have %d test cases and %d lines, want %d", o, cases[string(o)], numbers[string(o)], want)
		}
	}
}

// TestSince checks what is new since a commit in which a row has no result, a number matches
// that does not now, and a claim has another outcome.
func TestSince(t *testing.T) {
	root := planted(t)
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
	now.Rows, now.Trajectories = slices.Clone(then.Rows), slices.Clone(then.Trajectories)
	for i, row := range then.Rows {
		if !strings.Contains(string(row.Name), "row=dyck-m4/seed=") {
			continue
		}
		now.Rows[i].Values = slices.Clone(row.Values)
		for j, v := range row.Values {
			if v.Unit == "test-wcpa-%" {
				now.Rows[i].Values[j].Value = 50
			}
		}
		if row.Name.Seed() == 1 {
			added, trajectory := row, then.Trajectories[0]
			added.Name = "paper=resurgence/table=2/row=dyck-m4/task=literal/seed=1"
			trajectory.Name = added.Name
			now.Rows, now.Trajectories = append(now.Rows, added), append(now.Trajectories, trajectory)
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
	s, changed := r.Since, "[resurgence:2:dyck-m4:wcpa_percent:test]"
	if len(s.Numbers) != 1 || s.Numbers[0].InPaper.Key.String() != changed || s.Numbers[0].Was != verdict.Matches || s.Numbers[0].Now != verdict.Worse {
		t.Errorf("numbers: have %+v, want that %s matched and is worse now", s.Numbers, changed)
	}
	if len(s.Claims) != 1 || s.Claims[0].ID != "R07" || s.Claims[0].Now != verdict.Fails {
		t.Errorf("claims: have %+v, want that R07 fails now", s.Claims)
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
	wants(t, front, "New since HEAD", "1 number has another outcome", "1 claim has another outcome", "1 row has its first results", "dyck-m4, literal")
	if all := junit(t, r); all.Failures != 1 {
		t.Errorf("JUnit: have %d failures, want the number that matched", all.Failures)
	}
	gone := now
	gone.Rows = slices.Clone(now.Rows)
	for i, row := range gone.Rows {
		if row.Name.Group() == "paper=resurgence/table=2/row=dyck-m4" {
			gone.Rows[i].Values = slices.DeleteFunc(slices.Clone(row.Values), func(v golden.Value) bool { return v.Unit == "test-wcpa-%" })
		}
	}
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
	if err != nil || len(r.Since.Numbers)+len(r.Since.Claims)+len(r.Since.Rows) != 0 {
		t.Errorf("have %+v, %v, want nothing new", r.Since, err)
	}
}

func TestOtherRepositoriesStay(t *testing.T) { gittest.OthersStay(t, "^TestSince$") }
