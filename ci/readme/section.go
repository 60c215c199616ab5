package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pushdown/golden/papers"
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
	suites, err := results(root)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(suites...)
	commands := make(map[string][]string)
	for _, files := range suites {
		if err := addCommands(commands, root, files[0].Suite); err != nil {
			return nil, err
		}
	}
	var list []page
	for _, files := range suites {
		name := files[0].Suite
		drawn, err := figures(root, name)
		if err != nil {
			return nil, err
		}
		list = append(list, page{
			name: filepath.Join("golden", name, "README.md"),
			text: fmt.Sprintf("# Results of suites/%s\n\n%s%s\n%s%s", name, written, verdict.Key, verdict.Page(commands, files, all...), drawn),
		})
	}
	list = append(list,
		page{filepath.Join("golden", "README.md"), "# Results\n\n" + written + "## How to read a table\n\n" + verdict.Legend +
			"\nPackage [verdict](../harness/verdict/doc.go) has the rules in full. [Claims](CLAIMS.md) has what the papers say of their tables.\n\n## All tables\n\n" + verdict.Overview(suites...)},
		page{filepath.Join("golden", "CLAIMS.md"), "# Claims\n\n" + written + "What the papers say of their results, in our words; a few are statements of ours about their tables, and say so. *In its own tables* says " +
			"whether the numbers that the paper prints bear the claim out (*no table*: it prints none). *Here* says whether our runs do: a claim holds if it is true in " +
			"more than 95 per cent of 10,000 resamplings of our runs, and fails if it is true in less than 5, both by more than the error of counting; otherwise, or where " +
			"runs are missing, it is undecided. … is a claim whose suite is still to come.\n" + verdict.Claims(all...)},
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

// runs matches the test function of a suite that runs a table of a paper. The
// submatches are the name of the function, the paper and the table.
var runs = regexp.MustCompile(`func (Test\w+)\(t \*testing\.T\) *\{ *Suite\.Run\(t, "([^"]+)", "([^"]+)"\) *\}`)

// addCommands adds to a map the commands that run the tables of a suite at paper scale. A
// key of the map is a paper and a table, such as "resurgence 2".
func addCommands(list map[string][]string, root, suite string) error {
	names, err := filepath.Glob(filepath.Join(root, "suites", suite, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range runs.FindAllStringSubmatch(string(text), -1) {
			table := m[2] + " " + m[3]
			list[table] = append(list[table], fmt.Sprintf("PUSHDOWN_SCALE=paper go test ./suites/%s -run '^%s$' -v -timeout 0", suite, m[1]))
		}
	}
	return nil
}

// captions has the caption of each figure. The keys are the suite and the name of the
// figure's file without .svg.
var captions = map[string]string{
	"dyck/figure2":                        "Figure 2 of second-order-lstm: accuracy at each distance between brackets, at the stated learning rate of 1e-4, a column for each m.",
	"dyck/figure3":                        "Figure 3 of second-order-lstm: WCPA on validation strings by epoch, of the same runs.",
	"dyck/figure4":                        "Figure 4 of second-order-lstm: principal angles between the hidden-to-hidden matrices of the two cells, beside those of random matrices.",
	"dyck/figure6":                        "Figure 6 of second-order-lstm: the cell that each symbol of the paper's own string goes to, and its weight.",
	"recognition/learning-table1-printed": "Table 1 of diffstk: the share of validation strings that each run classifies correctly, by epoch.",
	"recognition/lengths-table1-printed":  "Table 1 of diffstk: the share of longer strings classified correctly, by length. Strings in training have at most 54 symbols.",
	"recognition/actions-table1-printed":  "Table 1 of diffstk: the actions of differentiable stacks while they read a string.",
	"patterns/figure2":                    "Figure 2 of stack-rnn: memorization and binary addition by length, a panel for each network and a line for each restart.",
	"patterns/figure3":                    "Figure 3 of stack-rnn: ten stacks during an addition, of a network of ours that has not learnt to add.",
	"patterns/table3":                     "Table 3 of stack-rnn: a rounded network of two stacks on aⁿb²ⁿ, of the restart that validation chooses.",
}

// figures returns, in Markdown, the figures of a suite with their captions.
func figures(root, suite string) (string, error) {
	names, err := filepath.Glob(filepath.Join(root, "golden", suite, "figures", "*.svg"))
	if err != nil || len(names) == 0 {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n## Figures\n\nDrawn from `traces`; a test draws them again. PNGs, and figures of other rows: " +
		"`go test ./suites/" + suite + " -run Suite/Figures -v -artifacts -outputdir ..`\n")
	for _, name := range names {
		base := filepath.Base(name)
		caption, ok := captions[suite+"/"+strings.TrimSuffix(base, ".svg")]
		if !ok {
			return "", fmt.Errorf("%s: have no caption, want one in ci/readme", name)
		}
		fmt.Fprintf(&b, "\n![%s](figures/%s)\n\n%s\n", strings.TrimSuffix(base, ".svg"), base, caption)
	}
	return b.String(), nil
}

// scales lists the scales whose results are shown, largest first. Smoke is left out: its
// experiments only test the pipeline, and say nothing about a paper.
var scales = []suite.Scale{suite.Paper, suite.CI}

// results reads the golden files that are shown. It returns a list of files for each
// suite, largest scale first.
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

// missing returns the parts of f that no file of a larger scale has. It leaves out the
// units of f in which no paper prints a number.
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
