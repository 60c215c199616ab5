package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// read returns the text of a file.
func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exampleText returns the example file of package golden.
func exampleText(t testing.TB) string {
	t.Helper()
	return read(t, filepath.Join("..", "..", "harness", "golden", "testdata", "dyck.txt"))
}

func exampleFile(t testing.TB) *golden.File {
	t.Helper()
	f, err := golden.Parse("dyck.txt", []byte(exampleText(t)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fileOf returns a golden file with the given samples by group, in one unit.
func fileOf(unit golden.Unit, samples map[golden.Name][]float64) *golden.File {
	f := &golden.File{Suite: "x", Scale: "paper", Units: []golden.Unit{unit}}
	for group, values := range samples {
		for i, v := range values {
			f.Rows = append(f.Rows, golden.Row{Name: group.WithSeed(i + 1), Values: []golden.Value{{Unit: unit.Name, Value: v}}})
		}
	}
	slices.SortFunc(f.Rows, func(a, b golden.Row) int { return golden.CompareNames(a.Name, b.Name) })
	return f
}

// cell returns a printed number.
func cell(t testing.TB, key string) papers.Number {
	t.Helper()
	k, err := papers.ParseKey(key)
	c, ok := papers.Published().Number(k)
	if err != nil || !ok {
		t.Fatalf("%s: have no such number, want one: %v", key, err)
	}
	return c
}

// repositoryRoot returns the root of this repository.
func repositoryRoot(t testing.TB) string {
	t.Helper()
	root, err := golden.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// plant makes a repository in a folder, with a golden file and pages that are not current.
func plant(t testing.TB, root string) {
	t.Helper()
	for name, text := range map[string]string{
		"go.mod": "module x\n", "golden/dyck/ci.txt": exampleText(t), "golden/dyck/smoke.txt": "not looked at\n", "golden/dyck/figures/figure2.svg": "<svg/>",
		"README.md":              "# x\n<!-- begin speed -->\n<!-- end speed -->\n<!-- begin results -->\n<!-- end results -->\n",
		"ci/baselines/README.md": "# z\n<!-- begin aims -->\n<!-- end aims -->\n<!-- begin measured -->\n<!-- end measured -->\n", "ci/baselines/measured/some.txt": read(t, filepath.Join("testdata", "measured.txt")),
		"ci/README.md": "# y\n<!-- begin environment -->\n<!-- end environment -->\n",
	} {
		write(t, root, name, text)
	}
}

// planted makes the repository of plant in a folder of its own.
func planted(t testing.TB) (root string) {
	t.Helper()
	root = t.TempDir()
	plant(t, root)
	return root
}

// write writes a file that can be run, and the folders above it.
func write(t testing.TB, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// reportOf returns a report of golden files, each of a suite of its own.
func reportOf(files ...*golden.File) *report {
	r := &report{Results: verdict.NewResults(files), byName: make(map[golden.Name]*row)}
	for _, f := range files {
		r.Suites = append(r.Suites, source{Name: f.Suite, Files: []*golden.File{f}, declared: new(suite.Suite)})
	}
	r.addTables()
	return r
}

// suiteText returns the page in Markdown of the suite of the first golden file.
func suiteText(t testing.TB, files ...*golden.File) string {
	t.Helper()
	r := reportOf(files...)
	return markdownOf(t, "suite", r.suitePage(r.Suites[0]))
}

func markdownOf(t testing.TB, tmpl string, data any) string {
	t.Helper()
	var b strings.Builder
	if err := inMarkdown.ExecuteTemplate(&b, tmpl, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wants checks that a text has some parts.
func wants(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("have no %q in\n%s", part, text)
		}
	}
}

// runs runs the command, checks its status and what it complains of, and returns what it prints.
func runs(t testing.TB, status int, complaint string, args ...string) string {
	t.Helper()
	var out, err strings.Builder
	if have := run(&out, &err, args); have != status || !strings.Contains(err.String(), complaint) {
		t.Errorf("%v: have status %d, %q, want %d and %q", args, have, err.String(), status, complaint)
	}
	return out.String()
}
