package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pushdown/ci/results"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// A section is a generated part of a page, between two markers with its name.
type section struct{ name, text string }

// A page is a file of the repository that is generated, as a whole or in parts.
type page struct{ name, text string }

// written is the first paragraph of each page that is generated as a whole.
const written = "Written by `go run ./ci/readme -w` from the golden files.\n\n"

// pages generates all pages. The parameter readme is the present text of README.md.
func pages(root, readme string) ([]page, error) {
	suites, err := results.Read(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	all := results.Files(suites)
	var files [][]*golden.File
	commands := make(map[string][]string)
	for _, s := range suites {
		files = append(files, s.Files)
		for _, c := range s.Commands {
			table := c.Paper + " " + c.Table
			commands[table] = append(commands[table], c.String())
		}
	}
	var list []page
	for _, s := range suites {
		list = append(list, page{
			name: filepath.Join("golden", s.Name, "README.md"),
			text: fmt.Sprintf("# Results of suites/%s\n\n%s%s\n%s%s", s.Name, written, verdict.Key, verdict.Page(commands, s.Files, all...), figures(s)),
		})
	}
	list = append(list,
		page{filepath.Join("golden", "README.md"), "# Results\n\n" + written + "## How to read a table\n\n" + verdict.Legend() +
			"\nPackage [verdict](../harness/verdict/doc.go) has the rules in full. [Claims](CLAIMS.md) has what the papers say of their tables. [numbers.csv](numbers.csv) has a line for " +
			"each printed number, in the unit of the golden files; the column printed has the text of the paper.\n\n## All tables\n\nTable 1 of stack-rnn has examples of strings, and [table 3](patterns/README.md#table-3-of-stack-rnn) the " +
			"trace of a run: neither has numbers to count.\n\n" + verdict.Overview(files...)},
		page{filepath.Join("golden", "CLAIMS.md"), "# Claims\n\n" + written + "What the papers say of their results, in our words; a few are statements of ours about their tables, and say so. *In its own tables* says " +
			"whether the numbers that the paper prints bear the claim out (*no table*: it prints none). *Here* says whether our runs do: a claim holds if it is true in " +
			"more than 95 per cent of 10,000 resamplings of our runs, and fails if it is false in as many, both by more than the error of counting; otherwise, where " +
			"runs are missing, or where our networks do not do what the claim presumes, it is undecided. … is a claim that is not judged, because it is about minutes or about the printed numbers themselves.\n" + verdict.Claims(all...)},
		page{filepath.Join("golden", "numbers.csv"), verdict.NewResults(all...).CSV()},
	)
	for _, p := range []struct {
		name, text string
		parts      []section
	}{
		{"README.md", readme, []section{{"results", verdict.Headline(all...)}}},
		{filepath.Join("ci", "README.md"), "", []section{{"environment", environment()}}},
	} {
		text := p.text
		if text == "" {
			b, err := os.ReadFile(filepath.Join(root, p.name))
			if err != nil {
				return nil, err
			}
			text = string(b)
		}
		text, err := fill(text, p.parts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		list = append(list, page{p.name, text})
	}
	return list, nil
}

// figures returns, in Markdown, the figures of a suite with their captions. Those of tables come
// first, with the table in words.
func figures(s results.Suite) string {
	var b, rest strings.Builder
	for _, f := range s.Figures {
		picture := fmt.Sprintf("\n![%s](figures/%s)\n", f.Name, path.Base(f.Path))
		if f.Table == "" {
			fmt.Fprintf(&rest, "%s\n%s\n", picture, f.Caption)
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", f.Title(), f.Caption)
		for i, line := range f.Lines {
			b.WriteString("| " + strings.Join(line, " | ") + " |\n")
			if i == 0 {
				b.WriteString("|" + strings.Repeat(" --- |", len(line)) + "\n")
			}
		}
		fmt.Fprintf(&b, "%s\nRun it: `%s`\n", picture, s.CommandOf(f))
	}
	if rest.Len() > 0 {
		b.WriteString("\n## Figures\n\nDrawn from `traces`; a test draws them again. PNGs, and figures of other rows: " +
			"`go test ./suites/" + s.Name + " -run Suite/Figures -v -artifacts -outputdir ..`\n" + rest.String())
	}
	return b.String()
}

// environment returns a Markdown table of the environment variables.
func environment() string {
	var b strings.Builder
	b.WriteString("| variable | takes | unset means | for |\n| --- | --- | --- | --- |\n")
	for _, v := range suite.Variables() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, v.Values, v.Default, v.Meaning)
	}
	return b.String()
}

// fill replaces the text between the markers of each section. It returns an error if a
// section does not have exactly one pair of markers, or a marker has no section.
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
