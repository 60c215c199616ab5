package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

//go:embed templates/*.tmpl templates/style.css
var assets embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"code": code, "mark": verdict.Symbol, "outcomes": golden.CellOutcomes, "paper": paperTitle, "title": title, "id": unitID, "cell": cellID, "short": short, "metric": verdict.MetricName,
	"dict": dict, "of": func(m map[golden.Outcome]int, o string) int { return m[golden.Outcome(o)] },
}).ParseFS(assets, "templates/*.tmpl"))

// dict returns a map of alternating keys and values, for the data of a template inside
// another one.
func dict(pairs ...any) (map[string]any, error) {
	m := make(map[string]any)
	for pair := range slices.Chunk(pairs, 2) {
		key, ok := pair[0].(string)
		if !ok || len(pair) != 2 {
			return nil, fmt.Errorf("dict: have %v, want a string and a value", pair)
		}
		m[key] = pair[1]
	}
	return m, nil
}

// short returns the first 12 characters of s.
func short(s string) string { return s[:min(len(s), 12)] }

// unitID returns a unit as the id of an element.
func unitID(unit string) string { return strings.ReplaceAll(unit, "%", "pct") }

// cellID returns the id of a printed number on the page of its table.
func cellID(k papers.Key) string { return k.Row + "." + k.Metric + "." + k.Stat }

// A span is a part of a text; Code reports whether it is code.
type span struct {
	Code bool
	Text string
}

// code splits a text at backquotes.
func code(text string) (list []span) {
	for i, part := range strings.Split(text, "`") {
		if part != "" {
			list = append(list, span{i%2 == 1, part})
		}
	}
	return list
}

// titles has the title of each paper.
var titles = map[string]string{
	"diffstk":           "Recognizing Long Grammatical Sequences using Recurrent Networks Augmented with an External Differentiable Stack",
	"resurgence":        "Second-order RNNs: Resurgence of Recurrence",
	"second-order-lstm": "Modeling Long-Distance Dependencies with Second-Order LSTMs",
	"stack-rnn":         "Inferring Algorithmic Patterns with Stack-Augmented Recurrent Nets",
}

func paperTitle(name string) string { return cmp.Or(titles[name], name) }

// title returns the name of a group in words, such as "resurgence, table 2, dyck-m4".
func title(group golden.Name) string { return verdict.Title(group) }

// A page is the data of a page.
type page struct {
	*report
	Root  string // the path from the page to the root of the site, "" or "../"
	Nav   string // the item of the navigation
	Title string
	About string // one line on what the page has
	Data  any
}

// A site is the text of the files of a site, by name.
type site map[string][]byte

// build returns the site.
func (r *report) build() (site, error) {
	files := make(site)
	style, err := assets.ReadFile("templates/style.css")
	if err != nil {
		return nil, err
	}
	files["style.css"] = style
	add := func(name, tmpl string, p page) {
		if err != nil {
			return
		}
		p.report, p.Root = r, strings.Repeat("../", strings.Count(name, "/"))
		var b bytes.Buffer
		if err = templates.ExecuteTemplate(&b, tmpl, p); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		if _, twice := files[name]; twice && err == nil {
			err = fmt.Errorf("%s: have a second page of this name, want one", name)
		}
		files[name] = b.Bytes()
	}
	add("index.html", "index", page{Nav: "index", Title: "pushdown", About: "What four papers print, and what we measure.", Data: r.front()})
	for i, t := range r.tables {
		var before, after *table
		if i > 0 {
			before = r.tables[i-1]
		}
		if i < len(r.tables)-1 {
			after = r.tables[i+1]
		}
		add("tables/"+t.Slug+".html", "table", page{Nav: "index", Title: t.Title(), About: t.Shape.Title, Data: r.tableView(t, before, after)})
	}
	for _, d := range r.drawings() {
		add("tables/"+d.Slug+".html", "drawing", page{Nav: "index", Title: d.Title(), About: d.Caption, Data: d})
	}
	for _, x := range r.rows {
		add("rows/"+x.Slug+".html", "row", page{Nav: "rows", Title: title(x.Name), About: fmt.Sprintf("Runs of %s.", title(x.Name)), Data: r.rowView(x)})
	}
	add("rows.html", "rows", page{Nav: "rows", Title: "Rows", About: "All rows with results."})
	add("claims.html", "claims", page{Nav: "claims", Title: "Claims", About: "What the papers say of their results, and whether it holds here.", Data: r.claimsView()})
	add("figures.html", "figures", page{Nav: "figures", Title: "Figures", About: "Figures drawn from the results."})
	add("speed.html", "speed", page{Nav: "speed", Title: "Speed", About: "Speed of training by commit.", Data: r.speed.view()})
	add("legend.html", "legend", page{Nav: "legend", Title: "How to read a table", About: "Marks, intervals and outcomes.", Data: map[string]any{"Example": verdict.Example, "Meanings": verdict.Meanings()}})
	for _, s := range r.Suites {
		for _, f := range s.Figures {
			text, fault := fs.ReadFile(r.fsys, f.Path)
			if err == nil && fault != nil {
				err = fault
			}
			files["figures/"+s.Name+"/"+path.Base(f.Path)] = text
		}
	}
	return files, err
}

// generator is the name that pages give to the program that wrote them. A folder whose
// index.html has it is a site of this command.
const generator = `<meta name="generator" content="pushdown report">`

// writeSite writes the site into a folder. It replaces a site that is there, and refuses a
// folder with other files.
func (r *report) writeSite(stdout io.Writer, folder string) error {
	files, err := r.build()
	if err != nil {
		return err
	}
	old, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) > 0:
		index, err := os.ReadFile(filepath.Join(folder, "index.html"))
		if err != nil || !bytes.Contains(index, []byte(generator)) {
			return fmt.Errorf("-o %s: have a folder with other files, want a new or empty one, or a site of this command", folder)
		}
		for _, name := range []string{"tables", "rows", "figures"} {
			if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	pages, size := 0, 0
	for name, text := range files {
		if path.Ext(name) == ".html" {
			pages++
		}
		size += len(text)
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "%d pages, %.1f MB: open %s\n", pages, float64(size)/1e6, filepath.Join(folder, "index.html"))
	return err
}

// A front is the data of the front page.
type front struct {
	All     sum
	Papers  []sum
	Pending []pending
}

// A sum is the outcomes of the numbers of a paper, a table or all.
type sum struct {
	Name, Title string
	Counts      verdict.Counts
	Bar         []slice
	Tables      []*tableSum
	Drawings    []drawing // tables without numbers to judge
}

// A tableSum is a table with its bar.
type tableSum struct {
	*table
	Bar []slice
}

// front returns the data of the front page.
func (r *report) front() (f front) {
	names, counts := r.Count(func(k papers.Key) string { return k.Paper })
	f.All.Counts.ByOutcome = make(map[golden.Outcome]int)
	for _, name := range names {
		c := *counts[name]
		s := sum{Name: name, Title: paperTitle(name), Counts: c, Bar: bar(c)}
		for _, t := range r.tables {
			if t.Paper == name {
				s.Tables = append(s.Tables, &tableSum{t, bar(t.Counts)})
			}
		}
		for _, d := range r.drawings() {
			if d.Paper == name {
				s.Drawings = append(s.Drawings, d)
			}
		}
		f.Papers = append(f.Papers, s)
		f.All.Counts.Printed += c.Printed
		f.All.Counts.Shown += c.Shown
		f.All.Counts.Unfinished += c.Unfinished
		for o, n := range c.ByOutcome { // sums do not depend on the order
			f.All.Counts.ByOutcome[o] += n
		}
	}
	f.All.Bar = bar(f.All.Counts)
	f.Pending = r.State.notTaken(r)
	return f
}

// A pending row is a row with runs in the state folder that the golden file does not have.
type pending struct {
	Name golden.Name
	Row  *row // nil if it has no page
	Runs int
}

// notTaken lists the rows with runs that the golden files do not have.
func (s *state) notTaken(r *report) (list []pending) {
	if s == nil {
		return nil
	}
	for _, name := range slices.SortedFunc(maps.Keys(s.byName), golden.CompareNames) {
		x := r.byName[name]
		n := 0
		for _, res := range s.byName[name] {
			if x == nil || x.File.Scale != res.Scale {
				n++
			} else if _, ok := x.runs[res.Row.Name.Seed()]; !ok {
				n++
			}
		}
		if n > 0 {
			list = append(list, pending{name, x, n})
		}
	}
	return list
}
