package main

import (
	"regexp"
	"strings"
	"testing"

	"pushdown/harness/verdict"
)

// TestClaimsAreInWords checks that the page of claims names rows and units in words, and links to
// the rows.
func TestClaimsAreInWords(t *testing.T) {
	_, s := ofRepository(t)
	text := string(s["claims.html"])
	if key := regexp.MustCompile(`\b(paper|table|row|task)=|\b(test|valid|train)-[a-z]`).FindString(text); key != "" {
		t.Errorf("claims.html: have %q, want words", key)
	}
	if n := strings.Count(text, " runs of <a href=\"rows/") + strings.Count(text, " runs of <a href=\"tables/"); n == 0 {
		t.Error("claims.html: have no link to a row whose runs are missing or too few, want some")
	}
}

// TestWarningsAreSeen checks that what a reader must know of the outcomes stands right below the
// bar that counts them, above the papers.
func TestWarningsAreSeen(t *testing.T) {
	r, s := ofRepository(t)
	text := string(s["index.html"])
	bar, care, first := strings.Index(text, `id="all"`), strings.Index(text, `id="care"`), strings.Index(text, `<h2 id="`+r.tables[0].Paper+`"`)
	if bar < 0 || care < bar || first < care {
		t.Errorf("have the bar at %d, the warnings at %d and a paper at %d, want them in this order", bar, care, first)
	}
}

// TestRowsThatNoPaperHasStandBesideOthers checks that the page of a row which a table shows and the
// paper does not print has the rows of the paper, with their printed numbers.
func TestRowsThatNoPaperHasStandBesideOthers(t *testing.T) {
	r, s := ofRepository(t)
	found := 0
	for _, table := range r.tables {
		for _, own := range table.Lines {
			for i, e := range own.Entries {
				x := r.byName[e.Group]
				if own.Kind != verdict.OtherLine || x == nil {
					continue
				}
				found++
				_, part, ok := strings.Cut(string(s["rows/"+x.Slug+".html"]), `id="beside"`)
				part, _, _ = strings.Cut(part, "</section>")
				if !ok || !strings.Contains(part, ">"+own.Labels[0]+"</th>") || !strings.Contains(part, ">"+table.Columns[i].Head+"</th>") {
					t.Errorf("%s: have %q, want it in a part of %s with the column %s", x.Name, part, table.Title(), table.Columns[i].Head)
				}
				for _, line := range table.Lines {
					if p := line.Entries[i]; line.Kind == verdict.PrintedLine && p.Printed && !strings.Contains(part, "<b>"+p.Cell.AsPrinted()+"</b>") {
						t.Errorf("%s: have no %s of %v beside it, want it", x.Name, p.Cell.AsPrinted(), p.Cell.Key)
					}
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("have %d numbers of rows that no paper has, want at least 10", found)
	}
}

// TestAxesHaveNames checks that each chart of a row names both axes.
func TestAxesHaveNames(t *testing.T) {
	r, s := ofRepository(t)
	charts := 0
	for _, x := range r.rows {
		text := string(s["rows/"+x.Slug+".html"])
		n := strings.Count(text, `<figure class="chart">`)
		charts += n
		for _, axis := range []string{`class="axis-x"[^>]*>[a-z][^<]*<`, `class="axis-y"[^>]*>[A-Za-z][^<]*, [^<]*<`} {
			if have := len(regexp.MustCompile(axis).FindAllString(text, -1)); have != n {
				t.Errorf("%s: have %d axes like %s in %d charts, want one in each", x.Name, have, axis, n)
			}
		}
	}
	if charts < 100 {
		t.Errorf("have %d charts, want at least 100", charts)
	}
}

// TestTablesWithoutNumbersHavePages checks that a table which only shows the trace of a run has a
// page, to which its rows and the front page lead.
func TestTablesWithoutNumbersHavePages(t *testing.T) {
	r, s := ofRepository(t)
	list := r.drawings()
	if len(list) == 0 {
		t.Fatal("have no table without numbers, want table 3 of stack-rnn")
	}
	for _, d := range list {
		name := "tables/" + d.Slug + ".html"
		text := string(s[name])
		if n := strings.Count(text, "<tr>"); n != len(d.Lines) || n < 2 || d.Command == "" || !strings.Contains(text, d.Command[:30]) {
			t.Errorf("%s: have %d lines and the command %q, want %d and a command", name, n, d.Command, len(d.Lines))
		}
		if !strings.Contains(string(s["index.html"]), `href="`+name+`"`) || len(d.Rows) == 0 {
			t.Errorf("%s: have no link on the front page or no rows, want both", name)
		}
		for _, x := range d.Rows {
			if !strings.Contains(string(s["rows/"+x.Slug+".html"]), `href="../`+name+`"`) {
				t.Errorf("%s: have no link to %s, want one", x.Name, name)
			}
		}
	}
}
