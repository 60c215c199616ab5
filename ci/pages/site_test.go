package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pushdown/ci/git"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

func TestMain(m *testing.M) { suite.Main(m) }

// repository loads the report of this repository once, with benchmark text.
var repository = sync.OnceValues(func() (*report, error) {
	root, err := golden.Root()
	if err != nil {
		return nil, err
	}
	return load(&options{root: root, bench: []string{filepath.Join("testdata", "commits.txt"), filepath.Join("testdata", "baselines.txt")}})
})

// siteOfRepository builds the site of this repository once.
var siteOfRepository = sync.OnceValues(func() (site, error) {
	r, err := repository()
	if err != nil {
		return nil, err
	}
	return r.build()
})

// readSite parses the pages of that site once.
var readSite = sync.OnceValue(func() map[string]*document {
	s, _ := siteOfRepository()
	return documents(s)
})

func ofRepository(t *testing.T) (*report, site) {
	t.Helper()
	r, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	s, err := siteOfRepository()
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}

// A document is what tests look at in a page.
type document struct {
	faults []string
	ids    map[string]string           // the classes of the element with an id
	texts  map[string]*strings.Builder // the text of that element
	links  []string                    // targets of links, pictures and style sheets
	title  string
}

// void lists the elements without an end tag.
var void = []string{"meta", "link", "img"}

// labelled lists the elements that need one of these attributes.
var labelled = map[string][]string{"img": {"alt"}, "svg": {"aria-label", "aria-hidden", "viewBox", "class"}, "th": {"scope"}, "nav": {"aria-label"}, "html": {"lang"}, "table": nil}

// parse reads a page. Its faults are elements that are not closed in order, ids that occur
// twice, headings of tables without a scope, pictures without a text, and scripts.
func parse(text []byte) *document {
	d := &document{ids: make(map[string]string), texts: make(map[string]*strings.Builder)}
	fault := func(format string, args ...any) { d.faults = append(d.faults, fmt.Sprintf(format, args...)) }
	x := xml.NewDecoder(bytes.NewReader(text))
	x.Strict, x.Entity = false, xml.HTMLEntity
	type open struct{ name, id string }
	var stack []open
	for {
		token, err := x.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			fault("%v", err)
			break
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			of := make(map[string]string)
			for _, a := range token.Attr {
				of[a.Name.Local] = a.Value
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
					fault("<%s %s>: have a script or a style, want neither", name, a.Name.Local)
				}
			}
			if want := labelled[name]; len(want) > 0 && !slices.ContainsFunc(want, func(a string) bool { return of[a] != "" }) {
				fault("<%s>: have none of %v, want one", name, want)
			}
			if id, ok := of["id"]; ok {
				if _, twice := d.ids[id]; twice || id == "" {
					fault("<%s>: have the id %q again, want it once and not empty", name, id)
				}
				d.ids[id] = of["class"]
			}
			for _, a := range []string{"href", "src"} {
				if target, ok := of[a]; ok {
					d.links = append(d.links, target)
				}
			}
			if name == "script" {
				fault("have a script, want none")
			}
			if !slices.Contains(void, name) {
				stack = append(stack, open{name, of["id"]})
			}
		case xml.EndElement:
			name := token.Name.Local
			if slices.Contains(void, name) {
				continue // <img/>
			}
			if len(stack) == 0 || stack[len(stack)-1].name != name {
				fault("</%s>: have %v open, want it last", name, stack)
				return d
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			for _, o := range stack {
				if o.id != "" {
					if d.texts[o.id] == nil {
						d.texts[o.id] = new(strings.Builder)
					}
					d.texts[o.id].Write(token)
				}
				if o.name == "title" && len(stack) == 3 {
					d.title += string(token)
				}
			}
		}
	}
	if len(stack) > 0 {
		fault("have %v open at the end, want none", stack)
	}
	return d
}

// text returns the text of the element with an id.
func (d *document) text(id string) string {
	if b := d.texts[id]; b != nil {
		return b.String()
	}
	return ""
}

// documents parses all pages of a site.
func documents(s site) map[string]*document {
	list := make(map[string]*document)
	for name, text := range s {
		if path.Ext(name) == ".html" {
			list[name] = parse(text)
		}
	}
	return list
}

// broken returns the links of a site that lead to no file or no element.
func broken(s site, docs map[string]*document) (followed int, list []string) {
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		for _, link := range docs[name].links {
			if link == "data:," {
				continue
			}
			followed++
			u, err := url.Parse(link)
			if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") {
				list = append(list, name+": "+link+": want a relative link")
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			_, ok := s[target]
			if d := docs[target]; ok && u.Fragment != "" && d != nil {
				_, ok = d.ids[u.Fragment]
			}
			if !ok {
				list = append(list, name+": "+link+": have nothing there")
			}
		}
	}
	return followed, list
}

func TestPagesAreSound(t *testing.T) {
	_, s := ofRepository(t)
	docs := readSite()
	if len(docs) < 300 {
		t.Errorf("have %d pages, want at least 300", len(docs))
	}
	titles := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		d := docs[name]
		for _, f := range d.faults {
			t.Errorf("%s: %s", name, f)
		}
		if other, twice := titles[d.title]; twice || d.title == "" {
			t.Errorf("%s: have the title %q of %s, want one of its own", name, d.title, other)
		}
		titles[d.title] = name
	}
	followed, list := broken(s, docs)
	if followed < 5000 {
		t.Errorf("have %d links, want at least 5000", followed)
	}
	for _, b := range list {
		t.Error(b)
	}
}

func TestFaultsAreFound(t *testing.T) {
	for want, text := range map[string]string{
		"have the id":                    `<p id="a"></p><p id="a"></p>`,
		"</p>: have":                     `<p><b></p></b>`,
		"open at the end":                `<p>`,
		"have a script, want none":       `<script></script>`,
		"<p onclick>":                    `<p onclick="x"></p>`,
		"<th>: have none of [scope]":     `<table><th>a</th></table>`,
		"<img>: have none of [alt]":      `<img src="a.svg">`,
		"<html>: have none of [lang]":    `<html></html>`,
		"<svg>: have none of":            `<svg></svg>`,
		"<nav>: have none of":            `<nav></nav>`,
		"have the id \"\" again":         `<p id=""></p>`,
		"have [{main }] open at the end": `<main>`,
	} {
		if d := parse([]byte(text)); len(d.faults) != 1 || !strings.Contains(d.faults[0], want) {
			t.Errorf("%s: have %q, want one with %q", text, d.faults, want)
		}
	}
	s := site{"a/b.html": []byte(`<p id="x"><a href="../c.html#y"></a><a href="#x"></a><a href="d.html"></a><a href="#z"></a><a href="https://example.org/"></a><a href="/c.html"></a></p>`), "c.html": []byte(`<i id="y"></i>`)}
	if followed, list := broken(s, documents(s)); followed != 6 || len(list) != 4 {
		t.Errorf("have %d links with %q, want 6 with 4 broken", followed, list)
	}
}

// TestEveryNumberAppears checks that the page of its table shows each printed number that runs
// measure, with the outcome of its verdict, and that the page of each row has its runs.
func TestEveryNumberAppears(t *testing.T) {
	r, s := ofRepository(t)
	docs := readSite()
	judged := 0
	for _, c := range papers.Published().Numbers {
		if c.Quantity.Unit == "" {
			continue
		}
		d := docs["tables/"+c.Paper+"-table"+c.Table+".html"]
		if d == nil {
			t.Fatalf("%v: have no page of its table", c.Key)
		}
		id := cellID(c.Key)
		class, ok := d.ids[id]
		text := d.text(id)
		if !ok || !strings.HasPrefix(text, c.AsPrinted()) {
			t.Errorf("%v: have %q, want one that starts with %s", c.Key, text, c.AsPrinted())
		}
		v, has := r.Verdict(c.Key)
		if !has {
			continue
		}
		judged++
		if class != "o-"+string(v.Outcome) || !strings.Contains(text, v.Outcome.Description()) {
			t.Errorf("%v: have class %q and text %q, want those of %s", c.Key, class, text, v.Outcome)
		}
	}
	for _, f := range r.Files() {
		for _, run := range f.Rows {
			d := docs["rows/"+slug(run.Name.Group())+".html"]
			if d == nil {
				t.Fatalf("%s: have no page", run.Name)
			}
			if want := verdict.Title(run.Name.Group()) + " · pushdown"; d.title != want {
				t.Errorf("%s: its page has the title %q, want %q", run.Name, d.title, want)
			}
		}
	}
	if want := r.All.Printed - r.All.Shown - r.All.Unfinished; judged != want || judged == 0 {
		t.Errorf("have %d numbers with an outcome, want %d", judged, want)
	}
	for _, x := range r.rows {
		if x.Command == "" {
			t.Errorf("%s: have no command that repeats it, want one", x.Name)
		}
		text := string(s["rows/"+x.Slug+".html"])
		for seed := range x.runs {
			if d := x.runs[seed].Result(); !strings.Contains(text, d) {
				t.Errorf("%s: seed %d: its digest %s is not on the page", x.Name, seed, d)
			}
		}
	}
}

// TestTitlesAreThoseOfTheREADME checks that each paper has the title that README.md gives it.
func TestTitlesAreThoseOfTheREADME(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range papers.Published().Numbers {
		if titles[c.Paper] == "" || !strings.Contains(string(text), titles[c.Paper]) {
			t.Fatalf("%s: have the title %q, want one as in README.md", c.Paper, titles[c.Paper])
		}
	}
}

func TestSameInputSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds the site again: go test ./ci/pages -run SameInput")
	}
	_, first := ofRepository(t)
	r, err := load(&options{root: filepath.Join("..", ".."), bench: []string{filepath.Join("testdata", "commits.txt"), filepath.Join("testdata", "baselines.txt")}})
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.build()
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != len(second) {
		t.Errorf("have %d files and then %d, want the same", len(first), len(second))
	}
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s: has other bytes the second time", name)
		}
	}
}

// TestTextIsEscaped checks that text with code between backquotes cannot become part of a page.
func TestTextIsEscaped(t *testing.T) {
	if have := markUp("<script> and `a<b`"); have != "&lt;script&gt; and <code>a&lt;b</code>" {
		t.Errorf("have %s", have)
	}
}

func TestFlatten(t *testing.T) {
	have, err := flatten([]byte(`{"place":{"paper":"x"},"m":4,"min":0,"rule":{"lr":1e-3,"clip":0,"on":true,"off":false},"networks":[{"kind":"rnn"},{"kind":"lstm","text":""}]}`))
	want := []setting{{"m", "4"}, {"rule.lr", "1e-3"}, {"rule.on", "true"}, {"networks.1.kind", "rnn"}, {"networks.2.kind", "lstm"}}
	if err != nil || !slices.Equal(have, want) {
		t.Errorf("have %v, %v, want %v", have, err, want)
	}
	if _, err := flatten([]byte(`{"m":`)); err == nil {
		t.Error("half an object: have no error, want one")
	}
}

func TestRanges(t *testing.T) {
	if have := ranges([]int{1, 2, 3, 5, 7, 8}); have != "1–3, 5, 7–8" {
		t.Errorf("have %s", have)
	}
}

// TestRunRefuses checks wrong arguments, and that the command does not write into a folder
// that has other files.
func TestRun(t *testing.T) {
	command := func(want int, complaint string, args ...string) string { return runs(t, want, complaint, args...) }
	command(0, "write a site into", "-h")
	command(2, "not defined", "-x")
	command(2, `have the argument "y"`, "-o", "x", "y")
	command(2, "have 0 of -w, -check, -o, -junit and -jsonl")
	command(2, "have 2 of -w, -check, -o, -junit and -jsonl", "-w", "-check")
	command(2, "have -since with -w, -check or -jsonl", "-w", "-since", "x")
	command(2, "have -state or -bench without -o", "-junit", "-state", "x")
	root := planted(t)
	folder := filepath.Join(t.TempDir(), "site")
	if have := command(0, "", "-root", root, "-o", folder); !strings.HasSuffix(have, "open "+filepath.Join(folder, "index.html")+"\n") {
		t.Errorf("have %q", have)
	}
	stale := filepath.Join(folder, "rows", "stale.html")
	if err := os.WriteFile(stale, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	command(0, "", "-root", root, "-o", folder)
	if _, err := os.Stat(stale); err == nil {
		t.Error("a page of the site before is still there")
	}
	command(1, "have a folder with other files", "-root", root, "-o", root)
	nothing := t.TempDir() // of which the rest of the work could not be done
	command(1, "have a folder with other files", "-root", nothing, "-o", root)
	command(1, "have no result in", "-root", nothing, "-o", folder, "-state", root)
	noCommit := `-since: have "0000", want a commit of this repository: `
	if git.Need("") != nil {
		noCommit = "have no git, want it to read the files of 0000"
	}
	command(1, noCommit, "-root", root, "-o", folder, "-since", "0000")
	command(1, "have no result in", "-root", root, "-o", folder, "-state", root)
	command(1, "no such file", "-root", root, "-o", folder, "-bench", filepath.Join(root, "x"))
	command(1, "have no benchmark result", "-root", root, "-o", folder, "-bench", filepath.Join(root, "go.mod"))
	if have := command(0, "", "-root", root, "-junit"); !strings.HasPrefix(have, "<?xml") {
		t.Errorf("have %.20q, want a report", have)
	}
	if err := os.WriteFile(filepath.Join(root, "golden", "dyck", "ci.txt"), []byte("suite: dyck\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command(1, "golden/dyck/ci.txt:", "-root", root, "-o", folder)
}
