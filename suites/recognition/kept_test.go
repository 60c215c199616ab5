package recognition

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// trace is what the figures show of a run.
func (e Experiment) trace(dev kernel.Device, seed int, res *train.Result) (t Trace, err error) {
	t.Seed = seed
	for _, c := range res.Checks {
		t.Epochs = append(t.Epochs, traces.Rounded(c.Figures[0]))
	}
	if t.Lengths, err = e.Lengths(dev, res.Params, uint64(seed)); err != nil {
		return t, err
	}
	t.Steps, err = e.Actions(dev, res.Params, uint64(seed))
	for i := range t.Steps {
		s := &t.Steps[i]
		s.Push, s.Pop, s.Noop, s.Top = traces.Rounded(s.Push), traces.Rounded(s.Pop), traces.Rounded(s.Noop), traces.Rounded(s.Top)
	}
	return t, err
}

// drawn tells whether figures show the row: those of tables 1 to 4.
func (e Experiment) drawn() bool { return e.Row.Table != "" && e.Row.Table < "5" }

// traced collects the traces of the runs of a test, row by row.
type traced struct{ rows []Shown }

// add takes a run in.
func (s *traced) add(e Experiment, t Trace) error {
	at := slices.IndexFunc(s.rows, func(r Shown) bool { return r.Of.Row == e.Row })
	if at < 0 {
		at = len(s.rows)
		s.rows = append(s.rows, Shown{Of: e, Runs: &Traces{Row: group(e.Row)}})
	}
	return s.rows[at].Runs.Merge(t)
}

// draw leaves the figures of all that is there as artifacts.
func (s *traced) draw(t *testing.T) {
	t.Helper()
	list := Figures(s.rows)
	for _, f := range list {
		suite.Artifact(t, f.Name+".svg", func(w io.Writer) error { return plot.SVG(w, f.Drawing) })
		suite.Artifact(t, f.Name+".png", func(w io.Writer) error { return plot.PNG(w, f.Drawing) })
	}
}

// keep takes the traces into those that stand in a folder.
func (s *traced) keep(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.rows {
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

// traceFile is the name of the kept traces of a row.
func traceFile(e Experiment) string {
	name := "table" + e.Row.Table + "-" + e.Row.Row
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

// figureFolder is where traces and figures stand.
func figureFolder(t *testing.T) string {
	t.Helper()
	path, err := golden.Path("recognition", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(filepath.Dir(path), "figures")
}

// keptTraces reads the traces of a folder. Each file has to be one of a row.
func keptTraces(t *testing.T, folder string) *traced {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := &traced{}
	for _, e := range every() {
		at := slices.Index(files, filepath.Join(folder, traceFile(e)))
		if !e.drawn() || at < 0 {
			continue
		}
		all, err := readTraces(files[at])
		if err != nil {
			t.Fatal(err)
		}
		if all.Row != group(e.Row) {
			t.Errorf("%s: have %s, need %s", files[at], all.Row, group(e.Row))
		}
		files = slices.Delete(files, at, at+1)
		s.rows = append(s.rows, Shown{e, all})
	}
	if len(files) > 0 {
		t.Errorf("%s: there are no such rows", strings.Join(files, " "))
	}
	return s
}

// shown are the figures that stand beside the traces and in the README: those of the
// first table.
func shown(f Figure) bool { return strings.HasSuffix(f.Name, "-table1-quick") }

// TestFigures draws the figures from the kept traces, and holds those that stand
// beside them against it.
func TestFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws every figure anew: go test ./suites/recognition -run Figures")
	}
	folder := figureFolder(t)
	kept := keptTraces(t, folder)
	kept.draw(t)
	list := Figures(kept.rows)
	old, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !shown(f) {
			continue
		}
		if path := "(golden/recognition/figures/" + f.Name + ".svg)"; !bytes.Contains(page, []byte(path)) {
			t.Errorf("README.md does not show %s", path)
		}
		var text bytes.Buffer
		if err := plot.SVG(&text, f.Drawing); err != nil {
			t.Fatal(err)
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
		const again = `go test ./suites/recognition -run Figures -update "<reason>" draws it anew`
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
