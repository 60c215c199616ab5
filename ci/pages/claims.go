package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

// A claimGroup holds the claims of a paper.
type claimGroup struct {
	Paper  string
	Claims []claim
	Counts map[verdict.Outcome]int
}

// A claim is a claim with the tables whose numbers it is about.
type claim struct {
	verdict.ClaimLine
	Tables []*table
	Why    []phrase
	Suites []string // those that run what it depends on, sorted
}

// A phrase is a part of a text, with the places to which it leads, or "".
type phrase struct {
	Text    string
	Page    string // in the site
	Section string // in the folder golden
}

// Claims returns the claims by paper.
func (r *report) Claims() (list []*claimGroup) {
	for _, l := range r.Results.Claims() {
		if len(list) == 0 || list[len(list)-1].Paper != l.Paper {
			list = append(list, &claimGroup{Paper: l.Paper, Counts: make(map[verdict.Outcome]int)})
		}
		c := claim{ClaimLine: l}
		for _, p := range l.Why {
			c.Why = append(c.Why, r.lead(p))
		}
		for _, g := range l.Groups {
			if s := declared()["paper"][g].Suite; s != "" {
				c.Suites = with(c.Suites, s)
			}
		}
		slices.Sort(c.Suites)
		for _, t := range r.Tables {
			if l.Relation != nil && slices.ContainsFunc(l.Relation.Keys(), func(k papers.Key) bool { return k.Paper == t.Paper && k.Table == t.Shape.Table }) {
				c.Tables = append(c.Tables, t)
			}
		}
		g := list[len(list)-1]
		g.Claims = append(g.Claims, c)
		g.Counts[l.Verdict.Outcome]++
	}
	return list
}

// lead returns a phrase with what its group leads to: in the site the page of the runs or, if there
// are none, of their table; in the folder golden the table on the page of a suite, if it is there.
func (r *report) lead(p verdict.Phrase) phrase {
	suite := declared()["paper"][p.Group].Suite
	lead := phrase{Text: p.Text}
	for _, t := range r.Tables {
		if named(p.Group, t.Paper, t.Table) {
			lead.Page = "tables/" + t.Slug + ".html"
			if slices.Contains(t.Suites, suite) {
				lead.Section = t.section(suite)
			}
		}
	}
	if x := r.byName[p.Group]; x != nil {
		lead.Page = "rows/" + x.Slug + ".html"
	}
	return lead
}

// inWords has the words for what stands between the numbers of a relation.
var inWords = strings.NewReplacer(" <= ", " is at most ", " >= ", " is at least ", " < ", " is below ", " > ", " is above ", " == ", " is equal to ",
	"max(", "the greatest of (", "min(", "the least of (", "absdiff(", "the distance between (", ",", ", ")

// Evidence says what a claim compares, on a line for each comparison of printed numbers and for each value that a suite
// measures. It leads to the printed numbers and to the rows.
func (r *report) Evidence(c claim) (list [][]phrase) {
	if c.Relation != nil {
		for text := range strings.SplitSeq(c.Relation.String(), " & ") {
			var line []phrase
			for key := ""; ; {
				before, rest, more := strings.Cut(text, "[")
				line = append(line, phrase{Text: inWords.Replace(before)})
				if !more {
					break
				}
				key, text, _ = strings.Cut(rest, "]")
				e := r.byKey["["+key+"]"]
				line = append(line, phrase{Text: fmt.Sprintf("%s, %s, %s", e.InPaper.Row, e.InPaper.Dataset, e.Column), Page: e.Page()},
					phrase{Text: fmt.Sprintf(" (printed %s, ours %s)", e.InPaper.AsPrinted(), cmp.Or(strings.TrimSpace(e.Number()+" "+e.Remark()), "not measured yet"))})
			}
			list = append(list, line)
		}
	}
	for _, m := range suites.Measures() {
		for _, v := range m.Values {
			if m.Claim != c.ID {
				continue
			}
			text := ""
			if f := r.FileOf(v.Group); f != nil {
				text = meanText(f.Values(v.Group, v.Unit), v.Unit)
			}
			list = append(list, []phrase{r.lead(verdict.Phrase{Text: verdict.Title(v.Group), Group: v.Group}), {Text: ": " + verdict.MetricName(v.Unit) + " " + cmp.Or(text, "not measured yet")}})
		}
	}
	return list
}
