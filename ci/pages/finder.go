package main

import (
	"cmp"
	"fmt"
	"slices"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// A matrix has the judged numbers of a paper by model and data, in the order of the tables.
type matrix struct {
	Paper        string
	Models, Data []string
	At           map[string]map[string][]entry
}

// Matrices returns a matrix for each paper.
func (r *report) Matrices() (list []*matrix) {
	for e := range r.numbers() {
		if e.Result() == shown {
			continue
		}
		if len(list) == 0 || list[len(list)-1].Paper != e.InPaper.Paper {
			list = append(list, &matrix{Paper: e.InPaper.Paper, At: make(map[string]map[string][]entry)})
		}
		m, model, data := list[len(list)-1], modelOf(e.InPaper), e.InPaper.Dataset
		if m.Models = with(m.Models, model); m.At[model] == nil {
			m.At[model] = make(map[string][]entry)
		}
		m.Data = with(m.Data, data)
		m.At[model][data] = append(m.At[model][data], e)
	}
	return list
}

// Differing returns the numbers that differ, those farthest outside our intervals first.
func (r *report) Differing() (list []entry) {
	for e := range r.numbers() {
		if e.Result().Differs() {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(b.Widths(), a.Widths()) })
	return list
}

// Widths returns the distance of the printed number from our interval, or from our number if there is no interval, in
// units of the width up to which an interval can match. If there is no such width, the printed number takes its place.
func (e entry) Widths() float64 {
	low, high := e.Low, e.High
	if !e.Verdict.Interval {
		low, high = e.Value, e.Value
	}
	return max(low-e.InPaper.Published, e.InPaper.Published-high) / cmp.Or(e.Width, e.InPaper.Published)
}

// An ahead is a row with fewer runs at the scale of the paper than its suite wants.
type ahead struct {
	declaration
	Name       golden.Name
	Row, First *row // the row and that of its first epoch, or nil
	Done       int  // the number of its runs in the golden file
	Stored     int  // the number of its runs in the state folder
	Minutes    float64
	Epochs     float64 // those that a run takes in print, or 0
}

// Unfinished returns the rows that are not finished. Those without runs come first, and of them those whose first epoch has been run.
func (r *report) Unfinished() (list []ahead) {
	for name, d := range declared()["paper"] {
		if _, first := verdict.WholeOf(name); first {
			continue
		}
		a := ahead{declaration: d, Name: name, First: r.byName[verdict.FirstEpochOf(name)]}
		if x := r.byName[name]; x != nil && x.File.Scale == "paper" {
			a.Row, a.Done = x, len(x.Runs)
		}
		if r.State != nil {
			for _, res := range r.State.byName[name] {
				if res.Scale == "paper" {
					a.Stored++
				}
			}
		}
		if of := cmp.Or(a.Row, a.First); of != nil {
			if v := of.File.Values(of.Name, suite.TrainMinutes.Name); len(v) > 0 {
				a.Minutes = golden.Mean(v)
			}
		}
		if list := papers.Published().Measured(string(name), "epochs"); len(list) > 0 {
			a.Epochs = list[0].Published
		}
		if a.Done < a.Seeds {
			list = append(list, a)
		}
	}
	rank := func(a ahead) int {
		switch {
		case a.Done > 0:
			return 3
		case a.First == nil:
			return 2
		}
		return 1
	}
	slices.SortFunc(list, func(a, b ahead) int { return cmp.Or(rank(a)-rank(b), golden.CompareNames(a.Name, b.Name)) })
	return list
}

// Hours says how long the runs take that are not in the golden file.
func (a ahead) Hours() string {
	hours := a.Minutes * float64(a.Seeds-a.Done) / 60
	switch {
	case a.row == nil:
		return "no training"
	case a.Minutes == 0:
		return "not known"
	case a.Done > 0:
		return fmt.Sprintf("about %.1f", hours)
	case a.Epochs > 0:
		return fmt.Sprintf("about %.1f, in the %s epochs of the paper", hours*a.Epochs, verdict.Short(a.Epochs))
	}
	return fmt.Sprintf("about %.1f for each epoch", hours)
}
