package main

import (
	"fmt"

	"pushdown/ci/git"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

// A since lists what is new since a commit.
type since struct {
	Commit  string // as given
	Numbers []change
	Claims  []change
	Rows    []*row // rows that had no results
	then    *verdict.Results
}

// A change is a number or a claim whose outcome has changed.
type change struct {
	entry           // of a number
	ID       string // of a claim
	Was, Now verdict.Outcome
}

// changes compares the results with those of a commit.
func (r *report) changes(root, commit string) (*since, error) {
	fsys, err := git.At(root, commit, "golden")
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	sources, err := readGoldens(fsys)
	if err != nil {
		return nil, fmt.Errorf("-since %s: this program cannot read the golden files of that commit, want a later one: %w", commit, err)
	}
	s := &since{Commit: commit, then: verdict.NewResults(filesOf(sources), suites.Measures()...)}
	for e := range r.numbers() {
		was, _ := s.then.Verdict(e.InPaper.Key)
		now, _ := r.Verdict(e.InPaper.Key)
		if was.Outcome != now.Outcome {
			s.Numbers = append(s.Numbers, change{entry: e, Was: was.Outcome, Now: now.Outcome})
		}
	}
	before := make(map[string]verdict.Outcome)
	for _, c := range s.then.Claims() {
		before[c.ID] = c.Verdict.Outcome
	}
	for _, c := range r.Results.Claims() {
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
