package golden

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/argument"
)

var _ = Flag() // registers -update in the processes that the tests start

func TestMain(m *testing.M) { argument.Main(m) }

// inProcess returns a command that runs the named test of this package in another process, with
// the given environment variable.
func inProcess(test, variable, value string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^" + test + "$"}, args...)...)
	cmd.Env = append(os.Environ(), variable+"="+value)
	return cmd
}

const (
	m4     = Name("paper=resurgence/table=2/row=dyck-m4")
	m4One  = m4 + "/seed=1"
	m4Two  = m4 + "/seed=2"
	oneDim = Name("paper=resurgence/section=6.2/row=dyck-m4-1d")
	table2 = "resurgence-table2.txt" // the golden file of m4 at scale paper
)

func sum(of ...any) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(fmt.Sprint(of...)))) }

// dyck returns a run like that of suites/dyck. It has three rows of table 2 and two rows of
// section 6.2, with five seeds each, and the trajectory of the first run.
func dyck() *Run {
	r := &Run{
		Suite: "dyck", Scale: "ci", Contract: 1, Machine: "cpu generic",
		Units: []Unit{
			{Name: "test-wcpa-%", Better: "higher"},
			{Name: "params", Better: "lower", Exact: true},
			{Name: "epochs", Better: "lower"},
			{Name: "train-min", Better: "lower", Clock: true},
		},
	}
	for i, row := range []Name{"dyck-m4", "dyck-m6", "dyck-m8"} {
		for seed := 1; seed <= 5; seed++ {
			r.Rows = append(r.Rows, Row{Name: ("paper=resurgence/table=2/row=" + row).WithSeed(seed), Values: []Value{
				{"epochs", []float64{4, 2, 1}[i] + 0.015625*float64(seed)}, {"params", 5},
				{"test-wcpa-%", 100}, {"train-min", 0.0625 * float64(seed+i)},
			}})
		}
	}
	for seed := 1; seed <= 5; seed++ {
		r.Rows = append(r.Rows,
			Row{Name: oneDim.WithSeed(seed), Values: []Value{{"test-wcpa-%", 37.5 + float64(seed)}}},
			Row{Name: Name("paper=resurgence/section=6.2/row=dyck-m4-2d").WithSeed(seed), Values: []Value{{"test-wcpa-%", 100}}})
	}
	r.Trajectories = []Trajectory{{Name: m4One, Points: []Point{
		{At: 1, SHA256: sum("1")},
		{At: 10, SHA256: sum("10")},
		{At: 500, SHA256: sum("500"), Extra: []Scalar{{"lr", 0.01}, {"valid-loss", 0.1}}},
		{At: Best, SHA256: sum("best")},
		{At: End, SHA256: sum("end"), State: sum("state")},
	}}}
	return r
}

// ranThrough returns the trajectory of a run of 1200 updates. It has a validation every 50
// updates. The learning rate is cut at updates 400 and 900, and the best loss is at 750.
func ranThrough(name Name) Trajectory {
	t := Trajectory{Name: name}
	rate := 0.1
	for n := 1; n <= 1200; n++ {
		if n%50 > 0 && !Step(n).Decade() {
			continue
		}
		p := Point{At: Step(n), SHA256: sum(name, n)}
		if n%50 == 0 {
			if n == 400 || n == 900 {
				rate /= 2
			}
			loss := lossAt(n)
			if n == 750 {
				p.SHA256, loss = sum(name, "best"), 0.1
			}
			p.State = sum(name, "state", n)
			p.Extra = []Scalar{{"lr", rate}, {"temperature", 1 / float64(n)}, {"valid-loss", loss}}
		}
		t.Points = append(t.Points, p)
	}
	last := t.Points[len(t.Points)-1]
	t.Points = append(t.Points, Point{At: Best, SHA256: sum(name, "best")}, Point{At: End, SHA256: last.SHA256, State: last.State, Extra: []Scalar{{"diverged", 1}}})
	return t
}

func lossAt(update int) float64 { return 0.1 + 1/float64(7+update) }

// atPaper returns the run that dyck makes at scale paper, where each row has a trajectory.
func atPaper() *Run {
	r := dyck()
	r.Scale, r.Trajectories = paperScale, nil
	for _, row := range r.Rows {
		r.Trajectories = append(r.Trajectories, ranThrough(row.Name))
	}
	return r
}

// ofTable2 returns the part of the run of atPaper that is in the file table2.
func ofTable2() *Run { return atPaper().Files()[table2] }

// set changes one value of a run.
func (r *Run) set(t testing.TB, name Name, unit string, value float64) {
	t.Helper()
	for _, row := range r.Rows {
		for i := range row.Values {
			if row.Name == name && row.Values[i].Unit == unit {
				row.Values[i].Value = value
				return
			}
		}
	}
	t.Fatalf("run has no %s of %s", unit, name)
}

// point returns a point of a trajectory.
func (t *Trajectory) point(at Step) *Point {
	for i := range t.Points {
		if t.Points[i].At == at {
			return &t.Points[i]
		}
	}
	panic(fmt.Sprintf("trajectory has no update %v", at))
}

// updated updates the golden file at path and returns it.
func updated(t testing.TB, path string, run *Run, reason string) *File {
	t.Helper()
	if _, err := UpdateFile(path, run, reason); err != nil {
		t.Fatal(err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// filed writes a run to a new golden file and returns it.
func filed(t testing.TB, run *Run) *File {
	t.Helper()
	name := "ci.txt"
	if run.Scale == paperScale {
		name = table2
	}
	return updated(t, filepath.Join(t.TempDir(), name), run, "first run")
}

func (f *File) row(t testing.TB, name Name) Row {
	t.Helper()
	i, ok := indexBy(f.Rows, Row.name)[name]
	if !ok {
		t.Fatalf("file has no row %s", name)
	}
	return f.Rows[i]
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// textOf returns the text of a file, or "" if there is none.
func textOf(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// formatted returns the text of f.
func formatted(t testing.TB, f *File) string {
	t.Helper()
	text, err := Format(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// entries returns the names of the files in a folder.
func entries(t testing.TB, folder string) string {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// wantError checks that err has all the given parts.
func wantError(t testing.TB, what string, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: have error %v, want one with %q", what, err, part)
		}
	}
}

func stat(t testing.TB, name string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info
}
