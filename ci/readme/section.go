package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// A section is a generated part of the README.
type section struct{ name, text string }

// A page is a file of the repository with generated parts, or one that is
// generated whole.
type page struct{ name, text string }

// pages makes README.md, whose text is given, and the page of each suite anew.
func pages(root, readme string) ([]page, error) {
	suites, err := results(root)
	if err != nil {
		return nil, err
	}
	var all []*golden.File
	var list []page
	for _, files := range suites {
		all = append(all, files...)
		name := files[0].Suite
		list = append(list, page{
			name: filepath.Join("golden", name, "README.md"),
			text: fmt.Sprintf("# Results of suites/%s\n\nWritten by `go run ./ci/readme -w` from the golden files beside it; README.md of the repository says how to read it.\n\n%s", name, verdict.Markdown(files...)),
		})
	}
	text, err := fill(readme, []section{{"results", verdict.Summary(all...)}, {"environment", environment()}})
	if err != nil {
		return nil, fmt.Errorf("README.md: %w", err)
	}
	return append(list, page{"README.md", text}), nil
}

// scales are those whose results are shown, largest first. Shrunken experiments
// test the pipeline and say nothing about a paper.
var scales = []suite.Scale{suite.Paper, suite.CI}

// results reads the golden files that are shown, suite by suite.
func results(root string) ([][]*golden.File, error) {
	all, err := filepath.Glob(filepath.Join(root, "golden", "*", "*.txt"))
	if err != nil {
		return nil, err
	}
	var suites []string
	for _, name := range all {
		suites = append(suites, filepath.Dir(name))
	}
	var files [][]*golden.File
	for _, suite := range slices.Compact(suites) {
		var shown []*golden.File
		for _, scale := range scales {
			name := filepath.Join(suite, golden.FileName(string(scale)))
			if !slices.Contains(all, name) {
				continue
			}
			f, err := golden.Read(name)
			if err != nil {
				return nil, err
			}
			shown = append(shown, missing(f, shown))
		}
		if len(shown) > 0 {
			files = append(files, shown)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no golden file, want golden/<suite>/<scale>.txt", root)
	}
	return files, nil
}

// missing returns what f has and the files of larger scales lack. Units that no
// paper prints are left out.
func missing(f *golden.File, larger []*golden.File) *golden.File {
	rest := &golden.File{Suite: f.Suite, Scale: f.Scale}
	for _, u := range f.Units {
		if _, printed := papers.Published().Unit(u.Name); printed {
			rest.Units = append(rest.Units, u)
		}
	}
	groups := map[golden.Name]bool{}
	claims, cells := map[string]bool{}, map[string]bool{}
	for _, l := range larger {
		for _, v := range l.Verdicts {
			cells[v.Key] = true
		}
		for _, g := range l.Groups() {
			groups[g] = true
		}
		for _, c := range l.Claims {
			claims[c.ID] = true
		}
	}
	for _, r := range f.Rows {
		if !groups[r.Name.Group()] {
			rest.Rows = append(rest.Rows, r)
		}
	}
	for _, v := range f.Verdicts {
		if !cells[v.Key] {
			rest.Verdicts = append(rest.Verdicts, v)
		}
	}
	for _, c := range f.Claims {
		if !claims[c.ID] {
			rest.Claims = append(rest.Claims, c)
		}
	}
	return rest
}

// environment shows the variables.
func environment() string {
	var b strings.Builder
	b.WriteString("| variable | takes | unset means | for |\n| --- | --- | --- | --- |\n")
	for _, v := range suite.Variables() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, v.Values, v.Default, v.Meaning)
	}
	return b.String()
}

// fill replaces what stands between the markers of each section.
func fill(text string, parts []section) (string, error) {
	for _, p := range parts {
		begin, end := "<!-- begin "+p.name+" -->\n", "<!-- end "+p.name+" -->\n"
		if a, b := strings.Count(text, begin), strings.Count(text, end); a != 1 || b != 1 {
			return "", fmt.Errorf("section %s: have %d lines %q and %d lines %q, want one of each", p.name, a, strings.TrimSpace(begin), b, strings.TrimSpace(end))
		}
		before, rest, _ := strings.Cut(text, begin)
		_, after, ok := strings.Cut(rest, end)
		if !ok {
			return "", fmt.Errorf("section %s: ends before it begins", p.name)
		}
		text = before + begin + strings.TrimRight(p.text, "\n") + "\n" + end + after
	}
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(line, "<!-- begin ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		known := false
		for _, p := range parts {
			known = known || p.name == name
		}
		if !known {
			return "", fmt.Errorf("section %s: nothing generates it", name)
		}
	}
	return text, nil
}
