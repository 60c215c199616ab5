package dyck

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// trace is what the figures show of a run.
func (e LanguageModel) trace(seed int, res *train.Result, out *Outcome) (Trace, error) {
	t := Trace{Seed: seed, LDPA: out.Test.LDPA.Counts()}
	for _, c := range res.Checks {
		t.WCPA = append(t.WCPA, traces.Rounded(c.Figures[0]))
	}
	if e.Kind != Attention {
		return t, nil
	}
	all, err := angles(res.Params, e.Cells)
	if err != nil {
		return t, err
	}
	for i, cosine := range e.randomCosines() {
		t.Random = append(t.Random, traces.Rounded(degrees(cosine)))
		t.Angles = append(t.Angles, traces.Rounded(degrees(all[0][i])))
	}
	if e.M != 4 {
		return t, nil
	}
	lang, err := e.Language()
	if err != nil {
		return t, err
	}
	list, err := shades(res.Params, best(res.Checks).Scalars[0])
	if err != nil {
		return t, err
	}
	for i, s := range list {
		t.Cells = append(t.Cells, Cell{Symbol: lang.Token(uint8(i)), Cell: s.cell + 1, Weight: traces.Rounded(s.by)})
	}
	return t, nil
}

// traced collects the traces of the runs of a test, row by row.
type traced struct{ rows []Shown }

// add takes a run in.
func (s *traced) add(e LanguageModel, t Trace) error {
	at := slices.IndexFunc(s.rows, func(r Shown) bool { return r.Of.Row == e.Row })
	if at < 0 {
		at = len(s.rows)
		s.rows = append(s.rows, Shown{Of: e, Runs: &Traces{Row: group(e.Row)}})
	}
	return s.rows[at].Runs.Merge(t)
}

// draw leaves the figures of all that ran as artifacts.
func (s *traced) draw(t *testing.T) {
	t.Helper()
	list, err := Figures(s.rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		artifacts(t, f)
	}
}

// artifacts writes a figure in both forms.
func artifacts(t *testing.T, f Figure) {
	t.Helper()
	suite.Artifact(t, f.Name+".svg", func(w io.Writer) error { return plot.SVG(w, f.Drawing) })
	suite.Artifact(t, f.Name+".png", func(w io.Writer) error { return plot.PNG(w, f.Drawing) })
}

// keep takes the traces into those that stand in a folder.
func (s *traced) keep(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.rows {
		if r.Of.Kind == Assignment {
			continue // no figure shows it
		}
		name := filepath.Join(folder, traceFile(r.Of))
		all, err := readTraces(name)
		if errors.Is(err, fs.ErrNotExist) {
			all, err = &Traces{Row: r.Runs.Row}, nil
		}
		if err == nil {
			err = all.Merge(r.Runs.Runs...)
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := all.Format()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// figureFolder is where traces and figures stand.
func figureFolder(t *testing.T) string {
	t.Helper()
	name, err := golden.Path("dyck", path.Join("figures", "x"))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(name)
}

// traceFile is the file of the kept traces of a row.
func traceFile(e LanguageModel) string {
	name := e.Row.Row
	if e.Row.Task != "" {
		name += "-" + e.Row.Task
	}
	return name + ".txt"
}

func readTraces(name string) (*Traces, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return ParseTraces(name, text)
}

// keptTraces reads the traces of the rows that have some in a folder, and holds their
// names against the rows.
func keptTraces(t *testing.T, folder string) *traced {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := &traced{}
	for _, x := range languageModels(suite.Paper).list {
		e := x.(LanguageModel)
		name := filepath.Join(folder, traceFile(e))
		at := slices.Index(names, name)
		if at < 0 {
			continue
		}
		names = slices.Delete(names, at, at+1)
		all, err := readTraces(name)
		if err != nil {
			t.Fatal(err)
		}
		if want := group(e.Row); all.Row != want {
			t.Errorf("%s: have the row %s, need %s", name, all.Row, want)
		}
		s.rows = append(s.rows, Shown{e, all})
	}
	if len(names) > 0 {
		t.Errorf("%s: no row has these traces", strings.Join(names, " "))
	}
	return s
}

// shown is the task whose figures the README has: at the rate that the paper states,
// as its claims are judged.
const shown = ""

// TestFigures draws the figures from the kept traces, and holds those of the README
// against what stands there.
func TestFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws every figure anew: go test ./suites/dyck -run Figures")
	}
	folder := figureFolder(t)
	list, err := Figures(keptTraces(t, folder).rows)
	if err != nil {
		t.Fatal(err)
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		artifacts(t, f)
		if f.Task != shown {
			continue
		}
		var text bytes.Buffer
		if err := plot.SVG(&text, f.Drawing); err != nil {
			t.Fatal(err)
		}
		if path := "(golden/dyck/figures/" + f.Name + ".svg)"; !bytes.Contains(page, []byte(path)) {
			t.Errorf("README.md does not show %s", path)
		}
		name := filepath.Join(folder, f.Name+".svg")
		if at := slices.Index(old, name); at >= 0 {
			old = slices.Delete(old, at, at+1)
		}
		if *golden.Flag() != "" {
			if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		const again = `go test ./suites/dyck -run Figures -update "<reason>" draws it anew`
		if kept, err := os.ReadFile(name); err != nil {
			t.Errorf("%v; %s", err, again)
		} else if err := traces.Same(name, text.Bytes(), kept); err != nil {
			t.Errorf("%v; %s", err, again)
		}
	}
	if len(old) > 0 {
		t.Errorf("%s: no kept traces make these figures", strings.Join(old, " "))
	}
}
