package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// ExternalFolder is the folder of the repository in which results of models made elsewhere are kept, each
// in a file whose name without .json is the name of the result.
const ExternalFolder = "golden/external"

// An External is what command score has measured of a model made elsewhere on a row at the scale of the
// paper, with a run for each seed. Its predictions are not kept; whoever has them can measure it again, see [External.Same].
type External struct {
	Suite     string        `json:"suite"`
	Row       golden.Name   `json:"row"`
	Data      string        `json:"data"` // digest of the data set
	Contract  int           `json:"contract"`
	Commit    string        `json:"commit"` // that scored it
	Date      string        `json:"date"`   // on which it was scored
	Who       string        `json:"who"`
	Framework string        `json:"framework"`
	Link      string        `json:"link"` // to the model: https://..., or a file of the repository
	Runs      []ExternalRun `json:"runs"`
}

// An ExternalRun is one run of an [External].
type ExternalRun struct {
	Predictions string             `json:"predictions"` // SHA-256 of the file
	Values      map[string]float64 `json:"values"`      // by unit
}

// Text returns the text of the file.
func (e *External) Text() ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	err := to.Encode(e)
	return b.Bytes(), err
}

// File returns the values as a golden file, with the units of the suite.
func (e *External) File(of *suite.Suite) *golden.File {
	f := &golden.File{Suite: e.Suite, Scale: string(suite.Paper)}
	for i, run := range e.Runs {
		row := golden.Row{Name: e.Row.WithSeed(i + 1)}
		for _, u := range of.Units {
			if v, ok := run.Values[u.Name]; ok {
				row.Values = append(row.Values, golden.Value{Unit: u.Name, Value: v})
				if i == 0 {
					f.Units = append(f.Units, u.Unit)
				}
			}
		}
		f.Rows = append(f.Rows, row)
	}
	return f
}

var (
	externalName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,63}\.json$`)
	digestText   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	plainText    = regexp.MustCompile(`^[\pL0-9(][\pL\pM0-9 .,:;+/@&()'’-]{0,119}$`)
	webLink      = regexp.MustCompile(`^https://[A-Za-z0-9][A-Za-z0-9._~/?#=&%+@:-]*$`)
	fileLink     = regexp.MustCompile(`^[a-z][A-Za-z0-9._/-]*$`)
)

// Check returns an error unless the result is well-formed and of a row of the suites. The parameter name is
// that of the file. It returns the suite otherwise.
func (e *External) Check(name string, all []*suite.Suite) (*suite.Suite, error) {
	of, row, err := Find(all, e.Suite, suite.Paper, string(e.Row))
	if err != nil {
		return nil, err
	}
	if row.ID().Group() != e.Row {
		return nil, fmt.Errorf("row: have %q, want %q", e.Row, row.ID().Group())
	}
	for _, f := range []struct {
		name, have string
		ok         bool
		want       string
	}{
		{"name", path.Base(name), externalName.MatchString(path.Base(name)), "small letters, digits, dots and hyphens, and .json"},
		{"data", e.Data, digestText.MatchString(e.Data), "64 hexadecimal digits"},
		{"contract", fmt.Sprint(e.Contract), e.Contract > 0, "a number of at least 1"},
		{"commit", e.Commit, plainText.MatchString(e.Commit), "a commit"},
		{"date", e.Date, date(e.Date), "a date such as 2026-01-31"},
		{"who", e.Who, plainText.MatchString(e.Who), "a name of letters, digits and simple punctuation"},
		{"framework", e.Framework, plainText.MatchString(e.Framework), "a name of letters, digits and simple punctuation"},
		{"link", e.Link, webLink.MatchString(e.Link) || fileLink.MatchString(e.Link) && fs.ValidPath(e.Link), "https://... or a file of the repository"},
		{"runs", fmt.Sprint(len(e.Runs)), len(e.Runs) > 0, "at least 1"},
	} {
		if !f.ok {
			return nil, fmt.Errorf("%s: have %.80q, want %s", f.name, f.have, f.want)
		}
	}
	seen := map[string]bool{}
	for i, run := range e.Runs {
		if !digestText.MatchString(run.Predictions) || seen[run.Predictions] {
			return nil, fmt.Errorf("run %d: predictions: have %.80q, want 64 hexadecimal digits that no other run has", i+1, run.Predictions)
		}
		seen[run.Predictions] = true
		for unit, v := range run.Values {
			if !slices.ContainsFunc(of.Units, func(u suite.Unit) bool { return u.Name == unit }) {
				return nil, fmt.Errorf("run %d: values: have %.40q, want units of the suite %s", i+1, unit, of.Name)
			}
			if strings.HasSuffix(unit, "-%") && (v < 0 || v > 100) {
				return nil, fmt.Errorf("run %d: %s: have %v, want a number from 0 to 100", i+1, unit, v)
			}
		}
		for _, r := range (&External{Row: e.Row, Runs: []ExternalRun{run}}).File(of).Rows {
			if err := suite.Contradiction(r, golden.Trajectory{}); err != nil {
				return nil, fmt.Errorf("run %d: %w", i+1, err)
			}
		}
		if have, want := keys(run.Values), keys(e.Runs[0].Values); len(have) == 0 || !slices.Equal(have, want) {
			return nil, fmt.Errorf("run %d: values: have %q, want those of run 1, %q, at least one", i+1, have, want)
		}
	}
	return of, nil
}

func date(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func keys(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }

// ReadExternals reads the results that a repository keeps and checks them, by name without .json.
func ReadExternals(fsys fs.FS, all []*suite.Suite) (map[string]*External, error) {
	names, err := fs.Glob(fsys, ExternalFolder+"/*")
	if err != nil {
		return nil, err
	}
	list := make(map[string]*External)
	for _, name := range names {
		e, err := ReadExternal(fsys, name, all)
		if err == nil && !webLink.MatchString(e.Link) {
			_, err = fs.Stat(fsys, e.Link)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list[strings.TrimSuffix(path.Base(name), ".json")] = e
	}
	return list, nil
}

// ReadExternal reads a result of the given name and checks it.
func ReadExternal(fsys fs.FS, name string, all []*suite.Suite) (*External, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return parseExternal(name, text, all)
}

// Same returns an error unless two results have the same data and the same runs.
func (e *External) Same(want *External) error {
	if e.Row != want.Row || e.Data != want.Data {
		return fmt.Errorf("have the row %s with the data %s, want %s with %s", e.Row, e.Data, want.Row, want.Data)
	}
	if len(e.Runs) != len(want.Runs) {
		return fmt.Errorf("have %d runs, want %d", len(e.Runs), len(want.Runs))
	}
	for i, run := range e.Runs {
		other := want.Runs[i]
		if run.Predictions != other.Predictions {
			return fmt.Errorf("run %d: have predictions with the SHA-256 sum %s, want %s", i+1, run.Predictions, other.Predictions)
		}
		units := slices.Sorted(maps.Keys(other.Values))
		if have := slices.Sorted(maps.Keys(run.Values)); !slices.Equal(have, units) {
			return fmt.Errorf("run %d: have values of %q, want %q", i+1, have, units)
		}
		for _, unit := range units {
			if run.Values[unit] != other.Values[unit] {
				return fmt.Errorf("run %d: %s: have %v, want %v", i+1, unit, run.Values[unit], other.Values[unit])
			}
		}
	}
	return nil
}

// parseExternal parses and checks a file of the given name. It accepts only the text that Text writes.
func parseExternal(name string, text []byte, all []*suite.Suite) (*External, error) {
	var e External
	err := json.Unmarshal(text, &e)
	if err == nil {
		_, err = e.Check(name, all)
	}
	if err != nil {
		return nil, err
	}
	again, err := e.Text()
	if err == nil && !bytes.Equal(text, again) {
		err = fmt.Errorf("have another text than command score writes for the same result, want that one")
	}
	return &e, err
}
