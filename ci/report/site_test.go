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
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pushdown/ci/git"
	"pushdown/ci/results"
	"pushdown/golden/papers"
	"pushdown/harness/suite"
)

func TestMain(m *testing.M) { suite.Main(m) }

// repository loads the report of this repository once, with benchmark text.
var repository = sync.OnceValues(func() (*report, error) {
	root, err := results.Root(".")
	if err != nil {
		return nil, err
	}
	return load(&options{root: root, bench: []string{filepath.Join("testdata", "commits.txt"), filepath.Join("testdata", "baselines.txt")}})
})

// built builds the site of this repository once.
var built = sync.OnceValues(func() (site, error) {
	r, err := repository()
	if err != nil {
		return nil, err
	}
	return r.build()
})

// read parses the pages of that site once.
var read = sync.OnceValue(func() map[string]*document {
	s, _ := built()
	return documents(s)
})

func ofRepository(t *testing.T) (*report, site) {
	t.Helper()
	r, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	s, err := built()
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
	count  map[string]int // elements by name
}

// void lists the elements without an end tag.
var void = []string{"meta", "link", "img"}

// labelled lists the elements that need one of these attributes.
var labelled = map[string][]string{"img": {"alt"}, "svg": {"aria-label", "aria-hidden", "viewBox", "class"}, "th": {"scope"}, "nav": {"aria-label"}, "html": {"lang"}, "table": nil}

// parse reads a page. Its faults are elements that are not closed in order, ids that occur
// twice, headings of tables without a scope, pictures without a text, and scripts.
func parse(text []byte) *document {
	d := &document{ids: make(map[string]string), texts: make(map[string]*strings.Builder), count: make(map[string]int)}
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
			d.count[name]++
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
	docs := read()
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
		for _, once := range []string{"h1", "main", "header", "footer", "title"} {
			n := d.count[once]
			if once == "title" {
				n = min(n, 1) // drawings have titles, too
			}
			if n != 1 {
				t.Errorf("%s: have %d <%s>, want 1", name, n, once)
			}
		}
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
	docs := read()
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
	verdicts := 0
	for _, f := range r.Files() {
		verdicts += len(f.Verdicts)
		for _, run := range f.Rows {
			d := docs["rows/"+slug(run.Name.Group())+".html"]
			if d == nil {
				t.Fatalf("%s: have no page", run.Name)
			}
			if want := title(run.Name.Group()) + " · pushdown"; d.title != want {
				t.Errorf("%s: its page has the title %q, want %q", run.Name, d.title, want)
			}
		}
	}
	if judged != verdicts || judged == 0 {
		t.Errorf("have %d numbers with an outcome, want %d as in the golden files", judged, verdicts)
	}
	for _, x := range r.rows {
		if x.Command == "" {
			t.Errorf("%s: have no command that repeats it, want one", x.Name)
		}
		text := string(s["rows/"+x.Slug+".html"])
		for seed := range x.runs {
			if d := suite.ResultDigest(x.runs[seed]); !strings.Contains(text, d) {
				t.Errorf("%s: seed %d: its digest %s is not on the page", x.Name, seed, d)
			}
		}
	}
}

// TestHeadings checks that a table has a heading for each column and for each line, also if the
// paper prints our columns as rows.
func TestHeadings(t *testing.T) {
	_, s := ofRepository(t)
	for name, want := range map[string][]string{
		"tables/stack-rnn-table4.html": {`<th scope="col">Model</th><th scope="col">`, `<tr><th scope="row">Validation</th><td`, `<tr><th scope="row">Runs</th><td`},
		"tables/diffstk-table1.html":   {`<th scope="col">Model</th><th scope="col">Train, mean</th>`, `<tr><th scope="row">LSTM</th><td`, `<th scope="row" class="variant">↳ 8 strings an update, rate 1e-2</th><td`},
	} {
		for _, text := range want {
			if !strings.Contains(string(s[name]), text) {
				t.Errorf("%s: have no %s", name, text)
			}
		}
	}
}

// TestCountsAreThoseOfTheREADME compares the counts of the front page with those of README.md
// and golden/README.md.
func TestCountsAreThoseOfTheREADME(t *testing.T) {
	_, s := ofRepository(t)
	var text []byte
	for _, name := range []string{"README.md", filepath.Join("golden", "README.md")} {
		page, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, page...)
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	have := make(map[string]string)
	_, table, _ := strings.Cut(string(s["index.html"]), "<tbody>")
	for row := range strings.SplitSeq(table, "<tr>") {
		link := regexp.MustCompile(`(?:tables/|"#)([\w-]+)`).FindStringSubmatch(row)
		if link == nil {
			continue
		}
		var counts []string
		for _, m := range regexp.MustCompile(`(?s)<td class="n.*?</td>`).FindAllString(row, -1) {
			counts = append(counts, tags.ReplaceAllString(m, ""))
		}
		have[link[1]] = strings.Join(counts, " ")
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		m := regexp.MustCompile(`^\| \[?([\w-]+)(?:, table (\d+)\D.*)? \| \d+ \|`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n++
		var counts []string
		for _, column := range strings.Split(line, "|")[2:9] {
			counts = append(counts, strings.Fields(column)[0])
		}
		key := m[1]
		if m[2] != "" {
			key += "-table" + m[2]
		}
		if want := strings.Join(counts, " "); have[key] != want {
			t.Errorf("%s: have %s, want %s", key, have[key], want)
		}
	}
	if n != len(have) || n < 14 {
		t.Errorf("have %d papers and tables in the pages in Markdown and %d on the front page, want the same", n, len(have))
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
		t.Skip("-short: builds the site again: go test ./ci/report -run SameInput")
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

// TestTextIsEscaped checks that text of golden files cannot become part of a page.
func TestTextIsEscaped(t *testing.T) {
	r, _ := ofRepository(t)
	x := *r.rows[0]
	f := *x.File
	f.Provenance = slices.Clone(f.Provenance)
	for i := range f.Provenance {
		f.Provenance[i].Reason = `<script>alert("x")</script>`
	}
	x.File = &f
	other := *r
	other.rows = []*row{&x}
	s, err := other.build()
	if err != nil {
		t.Fatal(err)
	}
	text := string(s["rows/"+x.Slug+".html"])
	if !strings.Contains(text, "&lt;script&gt;") || strings.Contains(text, "<script") {
		t.Errorf("the reason of an origin is not escaped")
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

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{100: "100", 0.1174949: "0.11749", 1234567.8: "1234600", 1e-9: "1e-09", -3.25: "-3.25"} {
		if have := number(v); have != want {
			t.Errorf("%v: have %s, want %s", v, have, want)
		}
	}
}

// TestRunRefuses checks wrong arguments, and that the command does not write into a folder
// that has other files.
func TestRun(t *testing.T) {
	command := func(want int, complaint string, args ...string) string {
		t.Helper()
		var out, err bytes.Buffer
		if have := run(&out, &err, args); have != want || !strings.Contains(err.String(), complaint) {
			t.Errorf("%v: have status %d, %q, want %d and %q", args, have, err.String(), want, complaint)
		}
		return out.String()
	}
	command(0, "the folder of the site", "-h")
	command(2, "not defined", "-x")
	command(2, `have the argument "y"`, "-o", "x", "y")
	command(2, `-format: have "pdf"`, "-format", "pdf")
	command(2, "have no -o")
	command(2, "want them with html only", "-format", "junit", "-state", "x")
	root := small(t)
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
	noCommit := "git rev-parse"
	if git.Need("") != nil {
		noCommit = "have no git, want it to read the files of 0000"
	}
	command(1, noCommit, "-root", root, "-o", folder, "-since", "0000")
	command(1, "have no result in", "-root", root, "-o", folder, "-state", root)
	command(1, "no such file", "-root", root, "-o", folder, "-bench", filepath.Join(root, "x"))
	command(1, "have no benchmark result", "-root", root, "-o", folder, "-bench", filepath.Join(root, "go.mod"))
	file := filepath.Join(t.TempDir(), "new", "x.xml")
	command(0, "", "-root", root, "-format", "junit", "-o", file)
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "<?xml") {
		t.Errorf("have %.20q, %v, want a report", text, err)
	}
	if err := os.WriteFile(filepath.Join(root, "golden", "dyck", "ci.txt"), []byte("suite: dyck\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command(1, "golden/dyck/ci.txt:", "-root", root, "-o", folder)
}

// small makes a repository with one golden file.
func small(t *testing.T) (root string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "harness", "golden", "testdata", "dyck.txt"))
	if err != nil {
		t.Fatal(err)
	}
	root = t.TempDir()
	write(t, root, "go.mod", "module x\n")
	write(t, root, "suites/dyck/dyck_test.go", "package dyck\n\nfunc TestWCPA(t *testing.T) { Suite.Run(t) }\n")
	write(t, root, "golden/dyck/ci.txt", string(text))
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestUnknownSuite checks that a suite that this command does not import is an error.
func TestUnknownSuite(t *testing.T) {
	if _, _, err := declaration(results.Suite{Name: "other"}, suite.CI); err == nil || !strings.Contains(err.Error(), "golden/other: have no suite") {
		t.Errorf("have %v, want an error", err)
	}
}
