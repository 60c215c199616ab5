package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/suites"
)

// A source holds what pages show of a suite: what it declares, its golden files and its figures. They
// come from the working tree or, without figures, from a commit.
//
// Pages show the results at the scale of the paper, and those at scale ci only where there are none
// at the scale of the paper. Scale smoke is left out: its experiments only test the pipeline, and
// say nothing about a paper.
type source struct {
	Name     string
	Files    []*golden.File // its golden files, largest scale first; see readSources
	Figures  []*figure
	declared *suite.Suite
}

// tableCommand returns the shell command that runs a table of a suite at the scale of the paper.
func tableCommand(d *suite.Suite, t suite.Table) string {
	return fmt.Sprintf("PUSHDOWN_SCALE=paper go test ./suites/%s -run '^%s$' -v -timeout 0", d.Name, t.Test)
}

// A figure is a drawing made from the results of a suite.
type figure struct {
	Suite, Name string // such as figure2
	Path        string // of its SVG file in the repository, with slashes
	Caption     string
	// A drawing of a table that has no numbers to judge, such as the trace of a run, also has
	// the paper, the table, our own table in the same shape (its heading and its lines), and the
	// shell command that runs the table, if there is one.
	Paper, Table, Command string
	Lines                 [][]string
}

// Title returns the heading of the table, or "" if the figure is of no table.
func (f *figure) Title() string {
	if f.Table == "" {
		return ""
	}
	return titleOf(f.Paper, f.Table)
}

// Slug returns the name of the page of the table, without extension.
func (f *figure) Slug() string { return f.Paper + "-table" + f.Table }

// scales lists the scales whose results are shown, largest first.
var scales = []string{"paper", "ci"}

// readSources reads the suites of a repository, sorted by name. A golden file of a smaller scale has
// only the rows that no file of a larger scale has. It is an error if a golden
// file cannot be read or belongs to no suite, if there is none, or if a figure has no caption.
func readSources(fsys fs.FS) ([]source, error) {
	list, err := readGoldens(fsys)
	if err != nil {
		return nil, err
	}
	for i := range list {
		s := &list[i]
		at := slices.IndexFunc(suites.All, func(d *suite.Suite) bool { return d.Name == s.Name })
		if at < 0 {
			return nil, fmt.Errorf("golden/%s: have no suite of this name, want it in suites.All", s.Name)
		}
		s.declared = suites.All[at]
		if err := s.addFigures(fsys); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readGoldens is like readSources, but reads only the golden files.
func readGoldens(fsys fs.FS) ([]source, error) {
	all, err := fs.Glob(fsys, "golden/*/*.txt")
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, name := range all {
		folders = append(folders, path.Dir(name))
	}
	var list []source
	for _, folder := range slices.Compact(folders) {
		sub, err := fs.Sub(fsys, folder)
		if err != nil {
			return nil, err
		}
		s := source{Name: path.Base(folder)}
		for _, scale := range scales {
			f, err := golden.ReadScale(sub, scale, folder)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			s.Files = append(s.Files, missing(f, s.Files))
		}
		if len(s.Files) > 0 {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("golden: have no golden file, want golden/<suite>/<scale>.txt")
	}
	return list, nil
}

// filesOf returns the golden files of all suites.
func filesOf(sources []source) (files []*golden.File) {
	for _, s := range sources {
		files = append(files, s.Files...)
	}
	return files
}

// groups returns the groups of all files.
func (s source) groups() (list []golden.Name) {
	for _, f := range s.Files {
		list = append(list, f.Groups()...)
	}
	return list
}

// missing returns the parts of f that no file of a larger scale has.
func missing(f *golden.File, larger []*golden.File) *golden.File {
	has := make(map[golden.Name]bool)
	for _, l := range larger {
		for _, g := range l.Groups() {
			has[g] = true
		}
	}
	rest := *f
	rest.Rows = slices.DeleteFunc(slices.Clone(f.Rows), func(r golden.Row) bool { return has[r.Name.Group()] })
	rest.Trajectories = slices.DeleteFunc(slices.Clone(f.Trajectories), func(t golden.Trajectory) bool { return has[t.Name.Group()] })
	return &rest
}

// A declaration is what a suite declares about a row at a scale.
type declaration struct {
	Suite   string
	Seeds   int       // how many runs it wants
	Command string    // the shell command that runs these seeds
	Table   string    // the shell command that runs its table at the scale of the paper
	row     suite.Row // nil for a row without training
}

// declared has the declarations of all suites by scale and group.
var declared = sync.OnceValue(func() map[string]map[golden.Name]declaration {
	all := make(map[string]map[golden.Name]declaration)
	for _, scale := range scales {
		all[scale] = make(map[golden.Name]declaration)
		for _, s := range suites.All {
			for _, t := range s.Tables {
				add := func(g golden.Name, seeds int, row suite.Row) {
					pattern := "^" + t.Test + "$"
					for _, p := range g.Parts() {
						pattern += "/^" + regexp.QuoteMeta(p.Key+"="+p.Value) + "$"
					}
					command := fmt.Sprintf("PUSHDOWN_SCALE=%s go test ./suites/%s -run '%s/^seed=' -v -timeout 0", scale, s.Name, pattern)
					all[scale][g] = declaration{s.Name, seeds, command, tableCommand(s, t), row}
				}
				p := t.At(suite.Scale(scale))
				for _, x := range p.Runs {
					add(x.ID().Group(), x.Seeds, x.Row)
				}
				for _, x := range p.Computed {
					add(x.ID.Group(), x.Seeds, nil)
				}
			}
		}
	}
	return all
})

// addFigures adds the figures of the suite.
func (s *source) addFigures(fsys fs.FS) error {
	names, err := fs.Glob(fsys, path.Join("golden", s.Name, "figures", "*.svg"))
	if err != nil {
		return err
	}
	for _, name := range names {
		f := &figure{Suite: s.Name, Name: strings.TrimSuffix(path.Base(name), ".svg"), Path: name}
		if f.Caption = s.declared.Captions[f.Name]; f.Caption == "" {
			return fmt.Errorf("%s: have no caption, want one in Captions of the suite %s", name, s.Name)
		}
		if f.Table = strings.TrimPrefix(f.Name, "table"); f.Table == f.Name {
			f.Table = ""
		} else {
			_, paper, _ := strings.Cut(f.Caption, " of ")
			if f.Paper, f.Caption, _ = strings.Cut(paper, ": "); f.Caption == "" {
				return fmt.Errorf("%s: have the caption %q, want one such as Table 1 of a-paper: what it shows", name, s.declared.Captions[f.Name])
			}
			f.Caption = strings.ToUpper(f.Caption[:1]) + f.Caption[1:]
			text, err := fs.ReadFile(fsys, strings.TrimSuffix(name, ".svg")+".txt")
			if err != nil {
				return err
			}
			if at := slices.IndexFunc(s.declared.Tables, func(t suite.Table) bool {
				return t.Paper == f.Paper && strings.HasPrefix(t.Name+" ", "table "+f.Table+" ")
			}); at >= 0 {
				f.Command = tableCommand(s.declared, s.declared.Tables[at])
			}
			for line := range strings.Lines(string(text)) {
				f.Lines = append(f.Lines, strings.Fields(line))
			}
		}
		s.Figures = append(s.Figures, f)
	}
	return nil
}
