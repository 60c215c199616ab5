package suite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/plot"
	"pushdown/harness/traces"
)

// folder returns the folder of the given name beside the golden files of the suite.
func (s *Suite) folder(name string) (string, error) {
	folder, err := golden.Folder(s.Name)
	return filepath.Join(folder, name), err
}

// FigureFolder returns the folder with the figures of the suite. The page with its results
// shows them.
func (s *Suite) FigureFolder() (string, error) { return s.folder("figures") }

// TraceFolder returns the folder of the traces that are kept in the repository.
func (s *Suite) TraceFolder() (string, error) { return s.folder("traces") }

// TraceFile returns the file name of the kept traces of a row.
func TraceFile(r Row) string { return r.ID().File() + ".jsonl" }

// Traces reads the kept traces of a row. There may be none.
func (s *Suite) Traces(r Row) ([]traces.Run, error) {
	folder, err := s.TraceFolder()
	if err != nil {
		return nil, err
	}
	return readTraces(disk.FS{}, folder, r)
}

func readTraces(fsys disk.FS, folder string, r Row) ([]traces.Run, error) {
	name := filepath.Join(folder, TraceFile(r))
	text, err := fsys.ReadFile(name)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := traces.Parse(name, text)
	if err == nil && list[0].Row != r.ID().Group() {
		err = fmt.Errorf("%s: have traces of %s, want those of %s", name, list[0].Row, r.ID().Group())
	}
	return list, err
}

// keepTraces merges traces of a row into its file in a folder. It writes the file once, so that it has all of
// them or none. It locks the file, because other processes may write the same file.
func keepTraces(fsys disk.FS, folder string, r Row, runs []traces.Run) (err error) {
	if err := fsys.MkdirAll(folder); err != nil {
		return err
	}
	name := filepath.Join(folder, TraceFile(r))
	release, err := golden.Lock(fsys, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	list, err := readTraces(fsys, folder, r)
	if err != nil {
		return err
	}
	text, err := traces.Format(traces.Merge(list, runs...))
	if err != nil {
		return err
	}
	return fsys.WriteFile(name, text)
}

// draw writes the traces and the figures of the finished runs as artifacts of the test. If
// the parameter keep is set and the suite has figures, the files of TraceFolder are updated,
// too, for the runs whose field Traced is set.
func (s *Suite) draw(t *testing.T, part Part, ended []*finished, keep bool) {
	t.Helper()
	folder, err := s.TraceFolder()
	if err != nil {
		t.Fatal(err)
	}
	var rows []Traced
	for _, r := range part.Runs {
		var list []traces.Run
		for _, e := range ended {
			if e.Trace.Trace != nil && e.runs.ID() == r.ID() {
				list = traces.Merge(list, e.Trace)
			}
		}
		if len(list) == 0 {
			continue
		}
		rows = append(rows, Traced{r.Row, list})
		artifact(t, "traces/"+TraceFile(r), func(w io.Writer) error {
			text, err := traces.Format(list)
			return errors.Join(err, write(w, text))
		})
		if keep && s.Figures != nil && r.Traced {
			if err := keepTraces(s.disk, folder, r, list); err != nil {
				t.Error(err)
			}
		}
	}
	if s.Figures == nil || len(rows) == 0 {
		return
	}
	list, err := s.Figures(rows)
	if err != nil {
		t.Error(err)
	}
	for _, f := range list {
		f.Artifacts(t)
	}
}

// DecodeRuns decodes the trace of each run of a row.
func DecodeRuns[T any](r Traced, decode func(traces.Run) (T, error)) ([]T, error) {
	var list []T
	for _, run := range r.Runs {
		t, err := decode(run)
		if err != nil {
			return nil, fmt.Errorf("traces of %s: %w", r.Row.ID().Group(), err)
		}
		list = append(list, t)
	}
	return list, nil
}

// SeedsText describes how many seeds the rows of a figure have, such as "10 seeds"
// or "1 to 3 seeds".
func SeedsText(seeds ...int) string {
	least, most := slices.Min(seeds), slices.Max(seeds)
	switch {
	case least < most:
		return fmt.Sprintf("%d to %d seeds", least, most)
	case most == 1:
		return "1 seed"
	}
	return fmt.Sprintf("%d seeds", most)
}

// Artifacts writes the figure as artifacts of the test: as SVG, as PNG and, if Text
// is not nil, as a text file.
func (f Figure) Artifacts(t testing.TB) {
	t.Helper()
	artifact(t, f.Name+".svg", func(w io.Writer) error { return plot.SVG(w, f.Drawing) })
	artifact(t, f.Name+".png", func(w io.Writer) error { return plot.PNG(w, f.Drawing) })
	if f.Text != nil {
		artifact(t, f.Name+".txt", func(w io.Writer) error { return write(w, f.Text) })
	}
}

func write(w io.Writer, text []byte) error { _, err := w.Write(text); return err }

// artifact writes an output file of the test. go test keeps the file if it was given the flag
// -artifacts, and then -v shows the folder. name is a relative path with forward slashes. A test
// may use each name only once.
func artifact(t testing.TB, name string, write func(io.Writer) error) {
	t.Helper()
	root, err := os.OpenRoot(t.ArtifactDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		t.Fatalf("artifact %s: %v", name, err)
	}
}

// Kept returns the rows at paper scale that have kept traces, with these traces.
func (s *Suite) Kept() ([]Traced, error) {
	var rows []Traced
	for _, r := range s.Rows(Paper) {
		if !r.Traced {
			continue
		}
		list, err := s.Traces(r)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			rows = append(rows, Traced{r.Row, list})
		}
	}
	return rows, nil
}
