package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"pushdown/ci/git"
	"pushdown/ci/results"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

// A report holds everything that the pages and the other formats show.
type report struct {
	fsys   fs.FS // the repository
	Commit string
	Suites []results.Suite
	*verdict.Results
	tables []*table
	rows   []*row // sorted by name
	byName map[golden.Name]*row
	Since  *since // nil without -since
	State  *state // nil without -state
	speed  *speed // nil without -bench
}

// A table is a table of a paper.
type table struct {
	*verdict.Layout
	Slug     string // the name of its page, without extension
	Counts   verdict.Counts
	Commands []string
}

// Title returns the heading of the table.
func (t *table) Title() string { return fmt.Sprintf("Table %s of %s", t.Table, t.Paper) }

// A place is where a table shows a row.
type place struct {
	Table  *table
	Line   verdict.Line
	Column string
	verdict.Entry
}

// A row is a group of runs, which differ only in their seeds.
type row struct {
	Name     golden.Name
	Slug     string // the name of its page, without extension
	File     *golden.File
	Runs     []golden.Row // by seed
	Places   []place      // where tables show the row
	Settings []setting
	Command  string // the shell command that repeats the runs
	Of       *row   // the printed row of which this row is a variant, or nil
	Variants []*row
	Traced   []trace // by seed
	TraceAt  string  // the path of the trace in the repository
	runs     map[int]golden.Trajectory
}

// slug returns the name of a group as a file name without extension.
func slug(group golden.Name) string {
	var b strings.Builder
	for i, p := range group.Parts() {
		if i > 0 {
			b.WriteByte('-')
		}
		switch p.Key {
		case "paper", "row", "task":
		default:
			b.WriteString(p.Key)
		}
		b.WriteString(p.Value)
	}
	return b.String()
}

// load reads everything that the report shows.
func load(o *options) (*report, error) {
	r := &report{fsys: os.DirFS(o.root), byName: make(map[golden.Name]*row)}
	if out, err := git.Output(git.Command(context.Background(), o.root, "rev-parse", "--short=12", "HEAD")); err == nil {
		r.Commit = strings.TrimSpace(out)
	}
	var err error
	if r.Suites, err = results.Read(r.fsys); err != nil {
		return nil, err
	}
	r.Results = verdict.NewResults(results.Files(r.Suites)...)
	if err := r.addRows(); err != nil {
		return nil, err
	}
	r.addTables()
	if o.since != "" {
		if r.Since, err = r.changes(o.root, o.since); err != nil {
			return nil, err
		}
	}
	if o.state != "" {
		if r.State, err = readState(o.state); err != nil {
			return nil, err
		}
	}
	if len(o.bench) > 0 {
		if r.speed, err = readSpeed(o.root, o.bench); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addRows adds a row for each group of the golden files.
func (r *report) addRows() error {
	seen := make(map[string]golden.Name)
	for _, s := range r.Suites {
		for _, f := range s.Files {
			settings, commands, err := declaration(s, suite.Scale(f.Scale))
			if err != nil {
				return err
			}
			at := make(map[golden.Name]*row)
			for _, run := range f.Rows {
				g := run.Name.Group()
				x := at[g]
				if x == nil {
					x = &row{Name: g, Slug: slug(g), File: f, Settings: settings[g], Command: commands[g], runs: make(map[int]golden.Trajectory)}
					if other, twice := seen[strings.ToLower(x.Slug)]; twice {
						return fmt.Errorf("%s: have the page rows/%s.html of %s, want one of its own", g, x.Slug, other)
					}
					seen[strings.ToLower(x.Slug)] = g
					at[g], r.byName[g] = x, x
					r.rows = append(r.rows, x)
				}
				x.Runs = append(x.Runs, run)
			}
			for _, t := range f.Trajectories {
				if x := at[t.Name.Group()]; x != nil {
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
		slices.SortFunc(x.Runs, func(a, b golden.Row) int { return cmp.Compare(a.Name.Seed(), b.Name.Seed()) })
		if printed, ok := verdict.VariantOf(x.Name); ok && x.File.Scale == "paper" && printed != x.Name && r.byName[printed] != nil {
			x.Of = r.byName[printed]
			x.Of.Variants = append(x.Of.Variants, x)
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

// addTables lays out the tables and records where they show each row.
func (r *report) addTables() {
	commands := make(map[string][]string)
	for _, s := range r.Suites {
		for _, c := range s.Commands {
			commands[c.Paper+" "+c.Table] = append(commands[c.Paper+" "+c.Table], c.String())
		}
	}
	_, counts := r.Count(func(k papers.Key) string { return k.Paper + " " + k.Table })
	for _, s := range papers.Shapes() {
		l := r.Layout(s)
		t := &table{Layout: l, Slug: s.Paper + "-table" + s.Table, Commands: l.Commands(commands)}
		if c := counts[s.Paper+" "+s.Table]; c != nil {
			t.Counts = *c
		}
		r.tables = append(r.tables, t)
		for _, line := range t.Lines {
			for i, e := range line.Entries {
				if x := r.byName[e.Group]; x != nil && !e.Empty() && (e.Runs > 0 || e.FirstEpoch) {
					x.Places = append(x.Places, place{Table: t, Line: line, Column: t.Columns[i].Head, Entry: e})
				}
			}
		}
	}
}

// A setting is a hyper-parameter of a row.
type setting struct{ Name, Value string }

// declaration returns what a suite declares about its rows at a scale: the settings of each
// row, and the command that repeats its runs.
func declaration(s results.Suite, scale suite.Scale) (settings map[golden.Name][]setting, commands map[golden.Name]string, err error) {
	settings, commands = make(map[golden.Name][]setting), make(map[golden.Name]string)
	i := slices.IndexFunc(suites.All, func(d *suite.Suite) bool { return d.Name == s.Name })
	if i < 0 {
		return nil, nil, fmt.Errorf("golden/%s: have no suite of this name, want it in suites.All", s.Name)
	}
	for _, t := range suites.All[i].Tables {
		command := func(g golden.Name) {
			for _, c := range s.Commands {
				if c.Paper == t.Paper && c.Table == t.Name {
					commands[g] = c.Row(g, string(scale))
				}
			}
		}
		p := t.At(scale)
		for _, x := range p.Runs {
			g := x.ID().Group()
			text, err := json.Marshal(x.Row)
			if err != nil {
				return nil, nil, fmt.Errorf("settings of %s: %w", g, err)
			}
			if settings[g], err = flatten(text); err != nil {
				return nil, nil, fmt.Errorf("settings of %s: %w", g, err)
			}
			command(g)
		}
		for _, x := range p.Computed {
			command(x.ID.Group())
		}
	}
	return settings, commands, nil
}

// flatten lists the values of a JSON object in their order. It leaves out values that are
// zero, false or empty, and the place of the row, which its name has already. The names of
// values inside other objects are joined by dots.
func flatten(text []byte) (list []setting, err error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var value func(name string) error
	value = func(name string) error {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case json.Delim:
			for i := 0; d.More(); i++ {
				inner := fmt.Sprintf("%s.%d", name, i+1)
				if t == '{' {
					key, err := d.Token()
					if err != nil {
						return err
					}
					inner = strings.TrimPrefix(name+"."+key.(string), ".")
				}
				if err := value(inner); err != nil {
					return err
				}
			}
			_, err := d.Token()
			return err
		case json.Number:
			if t != "0" && !strings.HasPrefix(name, "place.") {
				list = append(list, setting{name, t.String()})
			}
		case string:
			if t != "" && !strings.HasPrefix(name, "place.") {
				list = append(list, setting{name, t})
			}
		case bool:
			if t {
				list = append(list, setting{name, "true"})
			}
		}
		return nil
	}
	err = value("")
	return list, err
}
