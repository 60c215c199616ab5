package main

import (
	"fmt"

	"pushdown/ci/results"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// A since lists what is new since a commit.
type since struct {
	Commit string // as given
	Cells  []change
	Claims []change
	Rows   []*row // rows that had no results
	then   *verdict.Results
}

// A change is a number or a claim whose outcome has changed.
type change struct {
	Cell     papers.Number // of a number
	ID       string      // of a claim
	Was, Now golden.Outcome
	Table    *table
	Column   string
	Row      *row // nil if the row has no page
}

// changes compares the results with those of a commit.
func (r *report) changes(root, commit string) (*since, error) {
	fsys, err := results.At(root, commit)
	if err != nil {
		return nil, err
	}
	suites, err := results.Goldens(fsys)
	if err != nil {
		return nil, fmt.Errorf("-since %s: this program cannot read the golden files of that commit, want a later one: %w", commit, err)
	}
	s := &since{Commit: commit, then: verdict.NewResults(results.Files(suites)...)}
	for _, t := range r.tables {
		for _, line := range t.Lines {
			if line.Kind != verdict.PrintedLine {
				continue
			}
			for i, e := range line.Entries {
				was, _ := s.then.Verdict(e.Cell.Key)
				now, _ := r.Verdict(e.Cell.Key)
				if was.Outcome != now.Outcome {
					s.Cells = append(s.Cells, change{Cell: e.Cell, Was: was.Outcome, Now: now.Outcome, Table: t, Column: t.Columns[i].Head, Row: r.byName[golden.Name(e.Cell.Group())]})
				}
			}
		}
	}
	before := make(map[string]golden.Outcome)
	for _, c := range s.then.Claims() {
		before[c.ID] = c.Verdict.Outcome
	}
	for _, c := range r.Claims() {
		if was := before[c.ID]; was != c.Verdict.Outcome {
			s.Claims = append(s.Claims, change{ID: c.ID, Was: was, Now: c.Verdict.Outcome})
		}
	}
	for _, x := range r.rows {
		if s.then.FileOf(x.Name) == nil {
			s.Rows = append(s.Rows, x)
		}
	}
	return s, nil
}
