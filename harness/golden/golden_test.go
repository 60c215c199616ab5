package golden

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"
)

// rules are the rules of package verdict, set by package golden_test.
var rules Rules

// SetRules sets the rules that the tests use. The tests of this package cannot
// import package verdict, because verdict imports this package.
func SetRules(r Rules) { rules = r }

// dyck returns a run like that of suites/dyck. It has three rows of table 2 and two
// rows of section 6.2, with five seeds each, and the trajectory of the first run.
func dyck() *Run {
	r := &Run{
		Suite: "dyck", Scale: "ci", Contract: 1, Machine: "cpu generic",
		Units: []Unit{
			{Name: "test-wcpa-%", Better: "higher"},
			{Name: "params", Better: "lower", Exact: true},
			{Name: "epochs", Better: "lower"},
			{Name: "train-min", Better: "lower"},
		},
		Tolerances: []Tolerance{
			{Unit: "test-wcpa-%", Reason: "equal bits"},
			{Unit: "params", Reason: "equal bits"},
			{Unit: "epochs", Reason: "equal bits"},
			{Unit: "train-min", Any: true, Reason: "wall time"},
		},
		Judge: Judge{Claims: []string{"R07", "R09", "R13"}},
	}
	for i, row := range []string{"dyck-m4", "dyck-m6", "dyck-m8"} {
		group := Name("paper=resurgence/table=2/row=" + row)
		r.Judge.Groups = append(r.Judge.Groups, group)
		for seed := 1; seed <= 5; seed++ {
			r.Rows = append(r.Rows, Row{Name: group.WithSeed(seed), Values: []Value{
				{"test-wcpa-%", 100}, {"params", 5},
				{"epochs", []float64{4, 2, 1}[i] + 0.015625*float64(seed)},
				{"train-min", 0.0625 * float64(seed+i)},
			}})
		}
	}
	for seed := 1; seed <= 5; seed++ {
		r.Rows = append(r.Rows,
			Row{Name: Name("paper=resurgence/section=6.2/row=dyck-m4-1d").WithSeed(seed), Values: []Value{{"test-wcpa-%", 37.5 + float64(seed)}}},
			Row{Name: Name("paper=resurgence/section=6.2/row=dyck-m4-2d").WithSeed(seed), Values: []Value{{"test-wcpa-%", 100}}})
	}
	r.Trajectories = []Trajectory{{
		Name: "paper=resurgence/table=2/row=dyck-m4/seed=1",
		Points: []Point{
			{At: 1, SHA256: digest("1")},
			{At: 10, SHA256: digest("10")},
			{At: 500, SHA256: digest("500"), Extra: []Scalar{{"rate", 0.01}, {"valid-loss", 0.1}}},
			{At: Best, SHA256: digest("best")},
			{At: End, SHA256: digest("end"), State: digest("state")},
		},
	}}
	return r
}

func digest(of string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(of))) }

// filed writes the results of run to a new golden file and returns it.
func filed(t testing.TB, run *Run) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "golden.txt")
	if _, err := UpdateFile(path, run, "first run", rules); err != nil {
		t.Fatal(err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// set changes one value of a run.
func (r *Run) set(t *testing.T, name Name, unit string, value float64) {
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
