package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// TestModelsHaveEveryNumber checks that the page of models by data leads once to each judged number,
// with its outcome.
func TestModelsHaveEveryNumber(t *testing.T) {
	r, s := ofRepository(t)
	text, n := string(s["models.html"]), 0
	for e := range r.numbers() {
		if link := `o-` + string(e.Result()) + `" href="` + e.Page() + `"`; e.Result() != shown {
			if n++; strings.Count(text, link) != 1 {
				t.Errorf("have %d times %s, want it once", strings.Count(text, link), link)
			}
		}
	}
	if have := strings.Count(text, `href="tables/`); have != n || n != r.All.Printed-r.All.Shown {
		t.Errorf("have %d links, want one for each of %d numbers", have, n)
	}
	for _, e := range r.Matrices()[1].At["LSTM"]["Palindrome"] {
		if row, _, _ := strings.Cut(string(e.Group), "/task="); row != "paper=diffstk/table=4/row=lstm" {
			t.Errorf("have %s for the LSTM on palindromes", e.Group)
		}
	}
}

// TestFarthestNumbersComeFirst checks the order of the numbers that differ.
func TestFarthestNumbersComeFirst(t *testing.T) {
	r, s := ofRepository(t)
	list := r.Differing()
	if have := strings.Count(string(s["differs.html"]), "<tr>") - 1; len(list) != r.All.Differs() || have != len(list) {
		t.Errorf("have %d lines of %d numbers, want all %d that differ", have, len(list), r.All.Differs())
	}
	if !slices.IsSortedFunc(list, func(a, b entry) int { return int(1e6 * (b.Widths() - a.Widths())) }) {
		t.Error("have another order, want the farthest first")
	}
	// Its interval begins at 3.79381, where 1.40 is printed, and may be 20 wide.
	if e := r.byKey["[diffstk:1:lstm:accuracy_percent:test_mean]"]; e.Low < 1.4 || e.Widths() != (e.Low-1.4)/20 {
		t.Errorf("have %v widths from the interval [%v, %v]", e.Widths(), e.Low, e.High)
	}
}

// TestUnfinishedRows checks that each unfinished number has its row in the list, and what is said of one of which only
// the first epoch has been run, and of runs in a state folder.
func TestUnfinishedRows(t *testing.T) {
	r, s := ofRepository(t)
	other, begun := *r, ahead{}
	for _, a := range r.Unfinished() {
		if a.Done == 0 && a.First != nil && a.Epochs > 0 {
			begun = a
		}
	}
	other.State = &state{byName: map[golden.Name][]*suite.Result{begun.Name: {{Scale: "paper"}, {Scale: "ci"}}}}
	list := other.Unfinished()
	for e := range r.numbers() {
		if !slices.ContainsFunc(list, func(a ahead) bool { return e.InPaper.Group() == string(a.Name) && a.Done == 0 }) && e.Result() == unfinished {
			t.Errorf("%v: have no line for its row, want one", e.InPaper.Key)
		}
	}
	if begun.First == nil {
		return // all of them are finished
	}
	minutes, _ := begun.First.Runs[0].Value("train-min")
	want := fmt.Sprintf("about %.1f, in the %v epochs of the paper", minutes*begun.Epochs*3/60, begun.Epochs)
	if !slices.ContainsFunc(list, func(a ahead) bool { return a.Name == begun.Name && a.Stored == 1 && a.Seeds == 3 && a.Hours() == want }) {
		t.Errorf("have %+v, %s, want three runs, one in the state folder, and %s", begun, begun.Hours(), want)
	}
	wants(t, string(s["unfinished.html"]), verdict.Title(begun.Name)+`</th><td>0 of 3</td><td><a href="rows/`+begun.First.Slug+`.html">first epoch</a></td><td>`+want)
}

// TestPairs checks that each variant stands beside its row, and what the page of one says.
func TestPairs(t *testing.T) {
	r, s := ofRepository(t)
	for _, x := range r.rows {
		if x.Of != nil && !slices.ContainsFunc(x.Of.Relatives, func(y relative) bool { return y.Row == x }) {
			t.Errorf("%s: have no link to this variant from its row", x.Name)
		}
	}
	a, b := r.byName["paper=diffstk/table=1/row=lstm/task=batch8"], r.byName["paper=diffstk/table=1/row=lstm"]
	p := a.Relatives[0].Pair
	list, err := p.Settings()
	if want := [][3]string{{"batch", "8", "1"}, {"rule.lr", "0.01", "0.002"}}; p.B != b || err != nil || !slices.Equal(list, want) {
		t.Errorf("have the settings %v, %v, want %v", list, err, want)
	}
	if c := p.Curves(); len(c.Lines) != 20 || c.Lines[9].Class != "" || c.Lines[10].Class != "second" {
		t.Errorf("have %d lines, want ten of each row", len(c.Lines))
	}
	wants(t, string(s["pairs/"+p.Slug()+".html"]), "<b>1.40</b>", "[3.79, 8.37]", "[4.28, 9.96]", `href="../rows/`+a.Slug+`.html"`)
}

// TestEvidence checks that claims have all their numbers, as printed and as measured.
func TestEvidence(t *testing.T) {
	r, s := ofRepository(t)
	said := make(map[string]string)
	for _, g := range r.Claims() {
		for _, c := range g.Claims {
			links := 0
			for _, line := range r.Evidence(c) {
				for _, p := range line {
					if said[c.ID] += p.Text; p.Page != "" {
						links++
					}
				}
				said[c.ID] += "\n"
			}
			if c.Relation != nil && links < len(c.Relation.Keys()) {
				t.Errorf("%s: have %d links, want one for each of the numbers of %s", c.ID, links, c.Relation)
			}
		}
	}
	wants(t, said["D01"], "the greatest of (rnn, D2, Test, best (printed 0.4, ours ", "lstm, D2, Test, best (printed 4.00, ours 10.13)", ") is at most 4")
	wants(t, said["R09"], "resurgence, section 6.2, dyck-m4-1d: test WCPA in % ")
	wants(t, string(s["claims.html"]), `<a href="tables/diffstk-table1.html#lstm.accuracy_percent.test_best">lstm, D2, Test, best</a>`)
}
