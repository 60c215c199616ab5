package verdict

import (
	"os"
	"path/filepath"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// example is the example file of package golden.
var example = filepath.Join("..", "golden", "testdata", "dyck.txt")

const (
	m4     = golden.Name("paper=resurgence/table=2/row=dyck-m4")
	oneDim = golden.Name("paper=resurgence/section=6.2/row=dyck-m4-1d")
)

// TestMain registers the measure of the example, as the Main of a suite does.
func TestMain(m *testing.M) {
	RegisterMeasure(Measure{
		Claim: "R09",
		Values: []MeasureValue{
			{Group: "paper=resurgence/section=6.2/row=dyck-m4-1d", Unit: "test-wcpa-%"},
			{Group: "paper=resurgence/section=6.2/row=dyck-m4-2d", Unit: "test-wcpa-%"},
		},
		Holds: func(v []float64) bool { return v[0] < 100 && v[1] == 100 },
	})
	os.Exit(m.Run())
}

// dyck returns a run with the rows of the example file.
func dyck(t *testing.T) *golden.Run {
	t.Helper()
	f, err := golden.Read(example)
	if err != nil {
		t.Fatal(err)
	}
	r := &golden.Run{
		Suite: f.Suite, Scale: f.Scale, Contract: 1, Units: f.Units, Tolerances: f.Tolerances,
		Trajectories: f.Trajectories, Judge: golden.Judge{Claims: []string{"R07", "R09", "R13"}},
	}
	for _, row := range []string{"dyck-m4", "dyck-m6", "dyck-m8"} {
		group := golden.Name("paper=resurgence/table=2/row=" + row)
		r.Judge.Groups = append(r.Judge.Groups, group)
		r.Rows = append(r.Rows, f.Seeds(group)...)
	}
	r.Rows = append(append(r.Rows, f.Seeds(oneDim)...), f.Seeds("paper=resurgence/section=6.2/row=dyck-m4-2d")...)
	return r
}

// filed writes the results of run to a new golden file and returns it.
func filed(t *testing.T, run *golden.Run) *golden.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "golden.txt")
	if _, err := golden.UpdateFile(path, run, "first run", Rules); err != nil {
		t.Fatal(err)
	}
	f, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// set changes one value of a run.
func set(t *testing.T, run *golden.Run, name golden.Name, unit string, value float64) {
	t.Helper()
	for _, row := range run.Rows {
		for i := range row.Values {
			if row.Name == name && row.Values[i].Unit == unit {
				row.Values[i].Value = value
				return
			}
		}
	}
	t.Fatalf("run has no %s of %s", unit, name)
}

// cell returns a published cell.
func cell(t *testing.T, key string) papers.Number {
	t.Helper()
	k, err := papers.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := papers.Published().Number(k)
	if !ok {
		t.Fatalf("no cell %s", key)
	}
	return c
}
