package main

import (
	"strings"
	"testing"
)

// TestRowsThatNoPaperHasStandBesideOthers checks that the page of a row which a table shows and the
// paper does not print has the rows of the paper, with their printed numbers.
func TestRowsThatNoPaperHasStandBesideOthers(t *testing.T) {
	r, s := ofRepository(t)
	found := 0
	for _, table := range r.Tables {
		for _, own := range table.Lines {
			for i, e := range own.Entries {
				if own.Kind != otherLine || e.Row == nil {
					continue
				}
				found++
				_, part, _ := strings.Cut(string(s["rows/"+e.Row.Slug+".html"]), `id="beside"`)
				part, _, _ = strings.Cut(part, "</section>")
				wants(t, part, ">"+own.Labels[0]+"</th>", ">"+e.Column+"</th>")
				for _, line := range table.Lines {
					if p := line.Entries[i]; line.Kind == printedLine && p.Printed {
						wants(t, part, "<b>"+p.InPaper.AsPrinted()+"</b>")
					}
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("have %d numbers of rows that no paper has, want at least 10", found)
	}
}

// TestTablesWithoutNumbersHavePages checks that a table which only shows the trace of a run has a
// page, to which its rows and the front page lead.
func TestTablesWithoutNumbersHavePages(t *testing.T) {
	r, s := ofRepository(t)
	list := r.Drawings()
	if len(list) == 0 {
		t.Fatal("have no table without numbers, want table 3 of stack-rnn")
	}
	for _, f := range list {
		name := "tables/" + f.Slug() + ".html"
		wants(t, string(s[name]), f.Title(), f.Command[:30])
		wants(t, string(s["index.html"]), `href="`+name+`"`)
		for _, x := range r.RowsOf(f) {
			wants(t, string(s["rows/"+x.Slug+".html"]), `href="../`+name+`"`)
		}
	}
}
