package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

//go:embed templates
var assets embed.FS

var inHTML = template.Must(template.New("").Funcs(template.FuncMap{
	"externalColumns": func() string { return verdict.ExternalColumns },
	"text":            markUp, "mark": func(o verdict.Outcome) string { return marks[o] }, "outcomes": verdict.Outcomes, "paper": func(name string) string { return titles[name] },
	"title": verdict.Title, "metric": verdict.MetricName, "values": valuesOf, "bar": bar,
	"base": path.Base, "id": unitID, "cell": cellID, "of": func(m map[verdict.Outcome]int, o verdict.Outcome) int { return m[o] },
	"menu": func() []page { return menu }, "example": func() string { return example }, "fitted": func() string { return fitted }, "meanings": func() any { return meanings },
}).ParseFS(assets, "templates/*.html"))

// unitID returns a unit as the id of an element.
func unitID(unit string) string { return strings.ReplaceAll(unit, "%", "pct") }

// cellID returns the id of a printed number on the page of its table.
func cellID(k papers.Key) string { return k.Row + "." + k.Metric + "." + k.Stat }

// markUp returns a text in HTML, with what stands between backquotes as code.
func markUp(text string) template.HTML {
	return template.HTML(between.ReplaceAllString(html.EscapeString(text), "<code>$1</code>"))
}

var between = regexp.MustCompile("`([^`]*)`")

// titles has the title of each paper.
var titles = map[string]string{
	"diffstk":           "Recognizing Long Grammatical Sequences using Recurrent Networks Augmented with an External Differentiable Stack",
	"resurgence":        "Second-order RNNs: Resurgence of Recurrence",
	"second-order-lstm": "Modeling Long-Distance Dependencies with Second-Order LSTMs",
	"stack-rnn":         "Inferring Algorithmic Patterns with Stack-Augmented Recurrent Nets",
}

// A page is the data of a page.
type page struct {
	*report
	Root  string // the path from the page to the root of the site, "" or "../"
	Nav   string // the name of the page in the menu
	Item  string // what the menu calls it
	Title string
	About string // one line on what the page has
	Data  any
}

// menu has the pages to which each page leads.
var menu = []page{
	{Nav: "index", Item: "Tables", Title: "pushdown", About: "What four papers print, and what we measure."},
	{Nav: "models", Item: "Models", Title: "Models by data", About: "The outcomes of each model on each kind of data."},
	{Nav: "differs", Item: "Differs", Title: "What differs most", About: "The numbers that differ, the farthest from our interval first."},
	{Nav: "unfinished", Item: "Unfinished", Title: "Unfinished rows", About: "Rows with fewer runs than their suites want."},
	{Nav: "claims", Item: "Claims", Title: "Claims", About: "What the papers say of their results, and whether it holds here."},
	{Nav: "rows", Item: "Rows", Title: "Rows", About: "All rows with results."},
	{Nav: "figures", Item: "Figures", Title: "Figures", About: "Figures drawn from the results."},
	{Nav: "speed", Item: "Speed", Title: "Speed", About: "Speed of training by commit."},
	{Nav: "legend", Item: "How to read", Title: "How to read a table", About: "Marks, intervals and outcomes."},
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
		if err = inHTML.ExecuteTemplate(&b, tmpl, p); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		if _, twice := files[name]; twice && err == nil {
			err = fmt.Errorf("%s: have a second page of this name, want one", name)
		}
		files[name] = b.Bytes()
	}
	for _, p := range menu {
		add(p.Nav+".html", p.Nav, p)
	}
	for _, t := range r.Tables {
		add("tables/"+t.Slug+".html", "table", page{Nav: "index", Title: t.Title(), About: t.Shape.Title, Data: t})
	}
	for _, f := range r.Drawings() {
		add("tables/"+f.Slug()+".html", "drawing", page{Nav: "index", Title: f.Title(), About: f.Caption, Data: f})
	}
	for _, x := range r.rows {
		add("rows/"+x.Slug+".html", "row", page{Nav: "rows", Title: verdict.Title(x.Name), About: fmt.Sprintf("Runs of %s.", verdict.Title(x.Name)), Data: x})
	}
	for _, p := range r.Pairs {
		title := verdict.Title(p.A.Name) + " beside " + verdict.Title(p.B.Name)
		add("pairs/"+p.Slug()+".html", "pair", page{Nav: "rows", Title: title, About: "Two rows side by side.", Data: p})
	}
	for _, s := range r.Suites {
		for _, f := range s.Figures {
			text, fault := fs.ReadFile(r.fsys, f.Path)
			if err == nil && fault != nil {
				err = fault
			}
			files["figures/"+s.Name+"/"+path.Base(f.Path)] = text
		}
	}
	grown, fault := r.Grown()
	err = cmp.Or(err, fault)
	for _, name := range grown {
		text, fault := fs.ReadFile(r.fsys, name)
		err = cmp.Or(err, fault)
		files["figures/speed/"+path.Base(name)] = text
	}
	return files, err
}

// generator is the name that pages give to the program that wrote them. A folder whose
// index.html has it is a site of this command.
const generator = `<meta name="generator" content="pushdown`

// siteIn reports whether a folder has a site. It returns an error if the folder has other files.
func siteIn(folder string) (bool, error) {
	list, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || len(list) == 0 {
		return false, err
	}
	index, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil || !bytes.Contains(index, []byte(generator)) {
		return false, fmt.Errorf("-o %s: have a folder with other files, want a new or empty one, or a site of this command", folder)
	}
	return true, nil
}

// writeSite writes the site into a folder. If old is true, the folder has a site, which is replaced.
func (r *report) writeSite(stdout io.Writer, folder string, old bool) error {
	files, err := r.build()
	if err != nil {
		return err
	}
	if old {
		for _, name := range []string{"tables", "rows", "pairs", "figures"} {
			if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	pages, size := 0, 0
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(n string) bool { return n == "index.html" })
	names = slices.Insert(names, 0, "index.html") // first, so that an interrupted site is known as one
	for _, name := range names {
		text := files[name]
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

// A pending row is a row with runs in the state folder that the golden file does not have.
type pending struct {
	Name golden.Name
	Row  *row // nil if it has no page
	Runs int
}

// Pending lists the rows with runs in the state folder that the golden files do not have.
func (r *report) Pending() (list []pending) {
	if r.State == nil {
		return nil
	}
	for _, name := range slices.SortedFunc(maps.Keys(r.State.byName), golden.CompareNames) {
		x := r.byName[name]
		n := 0
		for _, res := range r.State.byName[name] {
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
