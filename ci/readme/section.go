package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"pushdown/golden"
	"pushdown/harness/bench"
)

// A section is a generated part of the README.
type section struct{ name, text string }

// sections makes the parts from the repository in the given folder.
func sections(root string) ([]section, error) {
	results, err := results(root)
	if err != nil {
		return nil, err
	}
	return []section{{"results", results}, {"environment", environment()}}, nil
}

// results shows all golden files, in order of their names.
func results(root string) (string, error) {
	names, err := filepath.Glob(filepath.Join(root, "golden", "*", "*.txt"))
	if err != nil {
		return "", err
	}
	var files []*golden.File
	for _, name := range names {
		if filepath.Base(filepath.Dir(name)) == "testdata" {
			continue
		}
		f, err := golden.Read(name)
		if err != nil {
			return "", err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return "", fmt.Errorf("%s: no golden file, need golden/<suite>/<scale>.txt", root)
	}
	return golden.Markdown(files...), nil
}

// environment shows the variables.
func environment() string {
	var b strings.Builder
	b.WriteString("| variable | takes | unset means | for |\n| --- | --- | --- | --- |\n")
	for _, v := range bench.Variables() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, v.Values, v.Default, v.Meaning)
	}
	return b.String()
}

// fill replaces what stands between the markers of each section.
func fill(text string, parts []section) (string, error) {
	for _, p := range parts {
		begin, end := "<!-- begin "+p.name+" -->\n", "<!-- end "+p.name+" -->\n"
		if a, b := strings.Count(text, begin), strings.Count(text, end); a != 1 || b != 1 {
			return "", fmt.Errorf("section %s: have %d lines %q and %d lines %q, need one of each", p.name, a, strings.TrimSpace(begin), b, strings.TrimSpace(end))
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
