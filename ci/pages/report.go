package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"pushdown/ci/git"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/traces"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

// A report holds everything that the pages and the other formats show.
type report struct {
	fsys   fs.FS // the repository
	Commit string
	Suites []source
	*verdict.Results
	Tables []*table
	Papers []*paper
	All    verdict.Counts
	rows   []*row // sorted by name
	byName map[golden.Name]*row
	byKey  map[string]entry // the numbers that runs measure, by their keys
	Pairs  []*pair
	Since  *since // nil without -since
	State  *state // nil without -state
	Speed  *speed // nil without -bench

	externals []*external // by name
}

// A table is a table of a paper.
type table struct {
	*layout
	Slug          string // the name of its page, without extension
	Counts        verdict.Counts
	Suites        []string // those with runs in it
	Commands      []string
	Misprints     []string // what contradicts its misprints
	Readings      []papers.Interpretations
	PostHoc       []string // the readings that were decided after results were seen
	Externals     []*external
	Before, After *table // nil at the ends
}

// Title returns the heading of the table.
func (t *table) Title() string { return titleOf(t.Paper, t.Table) }

// titleOf returns the heading of a table.
func titleOf(paper, table string) string { return fmt.Sprintf("Table %s of %s", table, paper) }

// named reports whether a group is named after a table.
func named(g golden.Name, paper, table string) bool {
	return strings.HasPrefix(string(g), "paper="+paper+"/table="+table+"/")
}

// A paper has the outcomes of its numbers.
type paper struct {
	Name   string
	Counts verdict.Counts
	Tables []*table
}

// load reads everything that the report shows.
func load(o *options) (*report, error) {
	r := &report{fsys: os.DirFS(o.root), byName: make(map[golden.Name]*row), byKey: make(map[string]entry)}
	if out, err := git.Output(git.Command(context.Background(), o.root, "rev-parse", "--short=12", "HEAD")); err == nil {
		r.Commit = strings.TrimSpace(out)
	}
	var err error
	// What the flags name comes first, as the rest takes seconds.
	if o.state != "" {
		if r.State, err = readState(o.state); err != nil {
			return nil, err
		}
	}
	if len(o.bench) > 0 {
		if r.Speed, err = readSpeed(o.bench); err != nil {
			return nil, err
		}
	}
	if r.Suites, err = readSources(r.fsys); err != nil {
		return nil, err
	}
	r.Results = verdict.NewResults(filesOf(r.Suites), suites.Measures()...)
	if err := r.addRows(); err != nil {
		return nil, err
	}
	r.addTables()
	if err := r.addExternals(); err != nil {
		return nil, err
	}
	for e := range r.numbers() {
		r.byKey[e.InPaper.Key.String()] = e
	}
	r.addPairs()
	if o.since != "" {
		r.Since, err = r.changes(o.root, o.since)
	}
	return r, err
}

// addRows adds a row for each group of the golden files.
func (r *report) addRows() error {
	for _, s := range r.Suites {
		for _, f := range s.Files {
			for _, g := range f.Groups() {
				x := &row{declaration: declared()[f.Scale][g], Name: g, Slug: slug(g), File: f, Runs: f.Seeds(g), runs: make(map[int]golden.Trajectory)}
				r.byName[g], r.rows = x, append(r.rows, x)
			}
			for _, t := range f.Trajectories {
				if x := r.byName[t.Name.Group()]; x != nil && x.File == f {
					x.runs[t.Name.Seed()] = t
				}
			}
			if err := r.addTraces(s.Name, f.Scale); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(r.rows, func(a, b *row) int { return golden.CompareNames(a.Name, b.Name) })
	for _, x := range r.rows {
		if printed, ok := verdict.VariantOf(x.Name); ok && x.File.Scale == "paper" && printed != x.Name && r.byName[printed] != nil {
			x.Of = r.byName[printed]
		}
	}
	return nil
}

// addTraces reads the traces of a suite. They are those of runs at the scale of the paper.
func (r *report) addTraces(suite, scale string) error {
	if scale != "paper" {
		return nil
	}
	names, err := fs.Glob(r.fsys, path.Join("golden", suite, "traces", "*.jsonl"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(r.fsys, name)
		if err != nil {
			return err
		}
		list, err := traces.Parse(name, text)
		if err != nil {
			return err
		}
		if x := r.byName[list[0].Row]; x != nil {
			x.TraceAt = name
			for _, run := range list {
				t := trace{seed: run.Seed}
				if err := json.Unmarshal(run.Trace, &t); err != nil {
					return fmt.Errorf("%s: seed %d: %w", name, run.Seed, err)
				}
				x.Traced = append(x.Traced, t)
			}
		}
	}
	return nil
}

// addTables lays out the tables, records where they show each row, and sums up their outcomes.
func (r *report) addTables() {
	_, all := r.Count(func(papers.Key) string { return "" })
	r.All = *all[""]
	names, ofPaper := r.Count(func(k papers.Key) string { return k.Paper })
	_, ofTable := r.Count(func(k papers.Key) string { return k.Paper + " " + k.Table })
	for _, name := range names {
		r.Papers = append(r.Papers, &paper{Name: name, Counts: *ofPaper[name]})
	}
	var last *table
	for _, s := range papers.Shapes() {
		l := layOut(r.Results, s)
		t := &table{layout: l, Slug: s.Paper + "-table" + s.Table, Commands: l.commands(), Misprints: r.Misprints(s), Readings: r.Interpretations(s), Before: last}
		if last != nil {
			last.After = t
		}
		last = t
		if c := ofTable[s.Paper+" "+s.Table]; c != nil {
			t.Counts = *c
		}
		t.PostHoc = postHoc(slices.Collect(maps.Keys(t.Groups)))
		for _, s := range r.Suites {
			if slices.ContainsFunc(s.groups(), func(g golden.Name) bool { return t.Groups[g] }) {
				t.Suites = append(t.Suites, s.Name)
			}
		}
		r.Tables = append(r.Tables, t)
		p := r.Papers[slices.Index(names, s.Paper)]
		p.Tables = append(p.Tables, t)
		for _, line := range t.Lines {
			for i := range line.Entries {
				e := &line.Entries[i]
				e.Table, e.Column, e.Row = t, t.Columns[i].Head, r.byName[e.Group]
				if e.Row != nil && !e.Empty() && (e.Runs > 0 || e.FirstEpoch) {
					e.Row.Places = append(e.Row.Places, *e)
				}
			}
		}
	}
}

// postHoc returns the readings that were decided after results were seen and that apply to some
// groups.
func postHoc(groups []golden.Name) []string {
	return verdict.PostHoc(func(applies func(golden.Name) bool) bool {
		return slices.ContainsFunc(groups, func(g golden.Name) bool { return applies(g.WithSeed(1)) })
	})
}
