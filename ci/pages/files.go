package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pushdown/harness/disk"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
)

// A file is a file of the repository that is generated, as a whole or in part.
type file struct{ name, text string }

// regenerate writes the files that are not current. If check is set, it returns an error if there is
// one.
func (r *report) regenerate(fsys disk.FS, root string, check bool) error {
	list, err := r.files()
	if err != nil {
		return err
	}
	var stale []string
	for _, f := range list {
		name := filepath.Join(root, filepath.FromSlash(f.name))
		have, err := os.ReadFile(name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err == nil && string(have) == f.text:
		case check:
			stale = append(stale, f.name)
		default:
			if err := fsys.WriteFile(name, []byte(f.text)); err != nil {
				return err
			}
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("%s: not current: run go run ./ci/pages -w", strings.Join(stale, ", "))
	}
	return nil
}

// files generates all files of the repository.
func (r *report) files() (list []file, err error) {
	add := func(name, tmpl string, data any) {
		var b strings.Builder
		if err == nil {
			err = inMarkdown.ExecuteTemplate(&b, tmpl, data)
		}
		list = append(list, file{name, b.String()})
	}
	for _, s := range r.Suites {
		add("golden/"+s.Name+"/README.md", "suite", r.suitePage(s))
	}
	add("golden/README.md", "results", r)
	add("golden/CLAIMS.md", "claims", r)
	list = append(list, file{"golden/numbers.csv", r.csv()})
	sums, fault := r.sums()
	err = cmp.Or(err, fault)
	list = append(list, file{"golden/sums.txt", sums})
	printouts, fault := r.readMeasured()
	err = cmp.Or(err, fault)
	for _, p := range printouts {
		if !p.isGrowth() {
			continue
		}
		var svg strings.Builder
		g, fault := p.growth()
		if fault == nil {
			fault = plot.SVG(&svg, g)
		}
		err = cmp.Or(err, fault)
		list = append(list, file{p.drawing(), svg.String()})
	}
	sentence, fault := speedSentence(printouts)
	err = cmp.Or(err, fault)
	reached, fault := aimTable(printouts)
	err = cmp.Or(err, fault)
	part := func(name string, sections ...string) { // each section is followed by its text
		page, fault := fs.ReadFile(r.fsys, name)
		text := string(page)
		for i := 0; i < len(sections) && fault == nil; i += 2 {
			if text, fault = fill(text, sections[i], sections[i+1]); fault != nil {
				fault = fmt.Errorf("%s: %w", name, fault)
			}
		}
		err = cmp.Or(err, fault)
		list = append(list, file{name, text})
	}
	part("README.md", "speed", sentence, "results", r.headline())
	part("ci/README.md", "environment", environment())
	part("ci/baselines/README.md", "aims", reached, "measured", peerTables(printouts))
	return list, err
}

// uncomputed matches the files with facts of which a plain go test computes little or nothing again, speeds among them, those whose
// provenance nothing else repeats, and those that say what continuous integration runs.
var uncomputed = []string{".ci/run", ".github/workflows/*", "golden/*/ci.txt", "suites/*/testdata/trajectory.txt", "golden/papers/tables/*", "golden/*/smoke.txt", "golden/*/traces/*", "golden/*/*-*.txt", "golden/external/*", "ci/baselines/measured/*.txt", "suites/*/testdata/prefix.txt", "suites/*/sample/*"}

// sums lists the SHA-256 of these files. A change of one is then a change of two files, as it is if a
// page or a figure shows the fact.
func (r *report) sums() (string, error) {
	var b strings.Builder
	for _, pattern := range uncomputed {
		names, err := fs.Glob(r.fsys, pattern)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			text, err := fs.ReadFile(r.fsys, name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), name)
		}
	}
	return b.String(), nil
}

// environment returns a Markdown table of the environment variables.
func environment() string {
	lines := [][]string{{"variable", "takes", "unset means", "for"}}
	for _, v := range suite.Variables() {
		lines = append(lines, []string{"`" + v.Name + "`", v.Values, v.Default, v.Meaning})
	}
	return markdownRows(lines)
}

// fill puts text between the two markers of a section of a page. It returns an error if the page
// does not have exactly these two, or markers of another section between them.
func fill(page, section, text string) (string, error) {
	begin, end := "<!-- begin "+section+" -->\n", "<!-- end "+section+" -->\n"
	before, rest, _ := strings.Cut(page, begin)
	_, after, ok := strings.Cut(rest, end)
	inside, _, _ := strings.Cut(rest, end)
	if a, b := strings.Count(page, begin), strings.Count(page, end); !ok || a != 1 || b != 1 || strings.Contains(inside, "<!-- begin ") || strings.Contains(inside, "<!-- end ") {
		return "", fmt.Errorf("have %d markers that begin the section and %d that end it, want a line %s and then a line %s alone", a, b, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + strings.TrimRight(text, "\n") + "\n" + end + after, nil
}
