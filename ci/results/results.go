// Package results reads what pages about the results show: the golden files of each suite, the
// commands that run its tables, and its figures. It reads them from the working tree or from a
// commit.
//
// A page shows the results at the scale of the paper. It shows those at scale ci only where
// there are none at the scale of the paper. Scale smoke is left out: its experiments only
// test the pipeline, and say nothing about a paper.
package results

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/suites"
)

// A Suite holds what pages show of a suite.
type Suite struct {
	Name     string
	Files    []*golden.File // its golden files, largest scale first; see Read
	Commands []Command
	Figures  []Figure
}

// A Command is the test function that runs a table of a paper.
type Command struct {
	Suite string
	Test  string // the name of the function
	Paper string
	Table string // such as 2, section 6.2 or figure 2
}

// String returns the shell command that runs the table at the scale of the paper.
func (c Command) String() string {
	return fmt.Sprintf("PUSHDOWN_SCALE=paper go test ./suites/%s -run '^%s$' -v -timeout 0", c.Suite, c.Test)
}

// Row returns the shell command that runs the seeds of a group at a scale.
func (c Command) Row(group golden.Name, scale string) string {
	pattern := "^" + c.Test + "$"
	for _, p := range group.Parts() {
		pattern += "/^" + regexp.QuoteMeta(p.Key+"="+p.Value) + "$"
	}
	return fmt.Sprintf("PUSHDOWN_SCALE=%s go test ./suites/%s -run '%s/^seed=' -v -timeout 0", scale, c.Suite, pattern)
}

// A Figure is a drawing made from the results of a suite.
type Figure struct {
	Name    string // such as figure2
	Path    string // of its SVG file in the repository, with slashes
	Caption string
	// A drawing of a table that has no numbers to judge, such as the trace of a run, also has
	// the paper, the table, and our own table in the same shape: its heading and its lines.
	Paper, Table string
	Lines        [][]string
}

// Title returns the heading of the table, or "" if the figure is of no table.
func (f Figure) Title() string {
	if f.Table == "" {
		return ""
	}
	return fmt.Sprintf("Table %s of %s", f.Table, f.Paper)
}

// CommandOf returns the shell command that runs the table of a figure, or "" if there is none.
func (s Suite) CommandOf(f Figure) string {
	for _, c := range s.Commands {
		if c.Paper == f.Paper && strings.HasPrefix(c.Table+" ", "table "+f.Table+" ") {
			return c.String()
		}
	}
	return ""
}

// scales lists the scales whose results are shown, largest first.
var scales = []string{"paper", "ci"}

// Read reads the suites of a repository, sorted by name. A golden file of a smaller scale has
// only the rows, verdicts and claims that no file of a larger scale has. Read returns an error
// if a golden file cannot be read, if there is none, or if a figure has no caption.
func Read(fsys fs.FS) ([]Suite, error) {
	list, err := Goldens(fsys)
	if err != nil {
		return nil, err
	}
	for i := range list {
		s, captions := &list[i], map[string]string(nil)
		if at := slices.IndexFunc(suites.All, func(d *suite.Suite) bool { return d.Name == s.Name }); at >= 0 {
			for _, t := range suites.All[at].Tables {
				s.Commands = append(s.Commands, Command{Suite: s.Name, Test: t.Test, Paper: t.Paper, Table: t.Name})
			}
			captions = suites.All[at].Captions
		}
		if err := s.addFigures(fsys, captions); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Goldens is like Read, but reads only the golden files.
func Goldens(fsys fs.FS) ([]Suite, error) {
	all, err := fs.Glob(fsys, "golden/*/*.txt")
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, name := range all {
		folders = append(folders, path.Dir(name))
	}
	var suites []Suite
	for _, folder := range slices.Compact(folders) {
		s := Suite{Name: path.Base(folder)}
		for _, scale := range scales {
			name := path.Join(folder, golden.FileName(scale))
			if !slices.Contains(all, name) {
				continue
			}
			f, err := golden.ReadFS(fsys, name)
			if err != nil {
				return nil, err
			}
			s.Files = append(s.Files, missing(f, s.Files))
		}
		if len(s.Files) > 0 {
			suites = append(suites, s)
		}
	}
	if len(suites) == 0 {
		return nil, fmt.Errorf("golden: have no golden file, want golden/<suite>/<scale>.txt")
	}
	return suites, nil
}

// Files returns the golden files of all suites.
func Files(suites []Suite) (files []*golden.File) {
	for _, s := range suites {
		files = append(files, s.Files...)
	}
	return files
}

// missing returns the parts of f that no file of a larger scale has.
func missing(f *golden.File, larger []*golden.File) *golden.File {
	if len(larger) == 0 {
		return f
	}
	rest := &golden.File{Suite: f.Suite, Scale: f.Scale, Provenance: f.Provenance, Units: f.Units}
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
	for _, t := range f.Trajectories {
		if !groups[t.Name.Group()] {
			rest.Trajectories = append(rest.Trajectories, t)
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

// addFigures adds the figures of the suite with their captions.
func (s *Suite) addFigures(fsys fs.FS, captions map[string]string) error {
	names, err := fs.Glob(fsys, path.Join("golden", s.Name, "figures", "*.svg"))
	if err != nil {
		return err
	}
	for _, name := range names {
		f := Figure{Name: strings.TrimSuffix(path.Base(name), ".svg"), Path: name}
		if f.Caption = captions[f.Name]; f.Caption == "" {
			return fmt.Errorf("%s: have no caption, want one in Captions of the suite %s", name, s.Name)
		}
		if f.Table = strings.TrimPrefix(f.Name, "table"); f.Table == f.Name {
			f.Table = ""
		} else {
			_, paper, _ := strings.Cut(f.Caption, " of ")
			f.Paper, f.Caption, _ = strings.Cut(paper, ": ")
			f.Caption = strings.ToUpper(f.Caption[:1]) + f.Caption[1:]
			text, err := fs.ReadFile(fsys, strings.TrimSuffix(name, ".svg")+".txt")
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(text)) {
				f.Lines = append(f.Lines, strings.Fields(line))
			}
		}
		s.Figures = append(s.Figures, f)
	}
	return nil
}

// Root returns the root folder of the module that contains dir.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s: no go.mod in it or above, want the repository", dir)
		}
	}
}
