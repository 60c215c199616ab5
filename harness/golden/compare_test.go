package golden

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wantDifferences compares a run with a golden file. Each string is a part of one of the
// differences, in order.
func wantDifferences(t *testing.T, g *File, run *Run, want ...string) {
	t.Helper()
	differences, err := Compare(g, run)
	if err != nil {
		t.Error(err)
		return
	}
	for i, d := range differences {
		if i >= len(want) || !strings.Contains(d.String(), want[i]) {
			t.Errorf("difference %d: have %v", i+1, d)
		}
	}
	if len(differences) != len(want) {
		t.Errorf("have %d differences, want %d:\n%s", len(differences), len(want), strings.Join(want, "\n"))
	}
}

func TestCompare(t *testing.T) {
	g := filed(t, dyck())
	before := formatted(t, g)
	first := func(r *Run) *Trajectory { return &r.Trajectories[0] }
	for _, test := range []struct {
		name   string
		change func(*Run)
		want   []string // a part of each difference, in order
	}{
		{"same", func(*Run) {}, nil},
		{"partial", func(r *Run) { r.Rows, r.Trajectories = r.Rows[:3], nil }, nil},
		{"another order", func(r *Run) { slices.Reverse(r.Rows); slices.Reverse(r.Rows[0].Values); slices.Reverse(r.Units) }, nil},
		{"complete", func(r *Run) { r.Complete = true }, nil},
		{"slower", func(r *Run) { r.set(t, m4One, "train-min", 1e6) }, nil},
		{"nothing", func(r *Run) { r.Units, r.Rows, r.Trajectories = nil, nil, nil }, nil},

		{"worse", func(r *Run) { r.set(t, m4Two, "test-wcpa-%", 99.9) }, []string{
			"metric: " + string(m4Two) + ": test-wcpa-%: golden 100, run 99.9: worse by 0.1, want equality"}},
		{"better", func(r *Run) { r.set(t, oneDim+"/seed=1", "test-wcpa-%", 39) }, []string{
			"metric: " + string(oneDim) + "/seed=1: test-wcpa-%: golden 38.5, run 39: better by 0.5, want equality"}},
		{"fewer epochs are better", func(r *Run) { r.set(t, m4One, "epochs", 4) }, []string{"golden 4.015625, run 4: better by 0.0156"}},
		{"last bit", func(r *Run) { r.set(t, m4One, "epochs", math.Nextafter(4.015625, 5)) }, []string{"golden 4.015625, run 4.015625000000001: worse by 8.88e-16"}},
		{"in the order of the file", func(r *Run) {
			r.set(t, m4One, "params", 6)
			r.set(t, m4One, "epochs", 6)
			r.set(t, oneDim+"/seed=5", "test-wcpa-%", 6)
			first(r).Points[0].SHA256 = sum("x")
			r.Units[0].Exact = true
			slices.Reverse(r.Rows)
		}, []string{"definition: test-wcpa-%", "metric: " + string(oneDim), "m4/seed=1: epochs", "m4/seed=1: params", "digest: " + string(m4One)}},
		{"missing unit", func(r *Run) { r.Rows[0].Values = r.Rows[0].Values[1:3] }, []string{
			"missing: " + string(m4One) + ": epochs: golden 4.015625, run nothing", "missing: " + string(m4One) + ": train-min: golden 0.0625, run nothing"}},
		{"new unit", func(r *Run) {
			r.Units = append(r.Units, Unit{Name: "valid-wcpa-%", Better: "higher"})
			r.Rows[0].Values = append(r.Rows[0].Values, Value{"valid-wcpa-%", 99})
		}, []string{"new: " + string(m4One) + ": valid-wcpa-%: golden nothing, run 99"}},
		{"new row", func(r *Run) { r.Rows[0].Name = m4 + "/seed=6" }, []string{"new: " + string(m4) + "/seed=6: golden nothing, run a row"}},
		{"new trajectory", func(r *Run) { first(r).Name = m4Two }, []string{"new: " + string(m4Two) + ": golden nothing, run a trajectory"}},
		{"missing row", func(r *Run) { r.Rows, r.Complete = r.Rows[:24], true }, []string{"missing: paper=resurgence/section=6.2/row=dyck-m4-2d/seed=5: golden a row, run nothing"}},
		{"missing trajectory", func(r *Run) { r.Trajectories, r.Complete = nil, true }, []string{"missing: " + string(m4One) + ": golden a trajectory, run nothing"}},
		{"unit", func(r *Run) { r.Units[1].Exact = false }, []string{"definition: params: golden Unit params better=lower assume=exact, run Unit params better=lower"}},
		{"clock", func(r *Run) { r.Units[2].Clock = true; r.set(t, m4One, "epochs", 9) }, []string{
			"definition: epochs: golden Unit epochs better=lower, run Unit epochs better=lower clock=true", "golden 4.015625, run 9"}},
		{"contract", func(r *Run) { r.Contract = 2 }, []string{"contract: " + string(oneDim) + "/seed=1: golden contract version 1, run contract version 2"}},
		{"contract, trajectory alone", func(r *Run) { r.Contract, r.Units, r.Rows = 2, nil, nil }, []string{"contract: " + string(m4One)}},

		{"digest", func(r *Run) {
			first(r).Points[2].SHA256, first(r).Points[3].SHA256 = sum("x"), sum("y")
		}, []string{"digest: " + string(m4One) + ": golden " + sum("500") + ", run " + sum("x") + ": sha256 differs first at update 500; equal up to update 10"}},
		{"first digest", func(r *Run) { first(r).Points[0].SHA256 = sum("x") }, []string{"sha256 differs first at update 1; nothing before it agrees"}},
		{"loss by one bit", func(r *Run) { first(r).Points[2].Extra[1].Value = math.Nextafter(0.1, 1) }, []string{
			"golden 0x1.999999999999ap-04, run 0x1.999999999999bp-04: valid-loss differs first at update 500"}},
		{"missing loss", func(r *Run) { first(r).Points[2].Extra = first(r).Points[2].Extra[:1] }, []string{"golden 0x1.999999999999ap-04, run nothing: valid-loss differs"}},
		{"new number", func(r *Run) { first(r).Points[1].Extra = []Scalar{{"lr", 1}} }, []string{"golden nothing, run 0x1p+00: lr differs first at update 10"}},
		{"state", func(r *Run) { first(r).Points[4].State = sum("x") }, []string{"state differs first at update end; equal up to update best"}},
		{"other points", func(r *Run) { first(r).Points[1].At = 20 }, []string{"golden update 10, run update 20: the runs have different points from there on; equal up to update 1"}},
		{"ended early", func(r *Run) { first(r).Points[2].At, first(r).Points = End, first(r).Points[:3] }, []string{"golden update 500, run update end"}},
		{"prefix", func(r *Run) { first(r).Points = first(r).Points[:2] }, nil},
		{"prefix alone", func(r *Run) { r.Units, r.Rows, first(r).Points = nil, nil, first(r).Points[:2] }, nil},
		{"prefix that diverges", func(r *Run) {
			first(r).Points = first(r).Points[:2]
			first(r).Points[1].SHA256 = sum("x")
		}, []string{"sha256 differs first at update 10; equal up to update 1"}},

		{"row alone read back", func(r *Run) {
			r.Rows[0].Origin = elsewhere
			r.set(t, m4One, "epochs", 4)
			first(r).Points[0].SHA256 = sum("x")
		}, []string{"epochs: golden 4.015625, read back 4", ", run " + sum("x")}},
		{"read back", func(r *Run) {
			r.Rows[0].Origin, first(r).Origin = elsewhere, elsewhere
			r.set(t, m4One, "epochs", 4)
			r.set(t, m4Two, "epochs", 5)
			first(r).Points[0].SHA256 = sum("x")
		}, []string{
			"metric: " + string(m4One) + ": epochs: golden 4.015625, read back 4: better by 0.0156, want equality; read back, commit 0123456789ab",
			"metric: " + string(m4Two) + ": epochs: golden 4.03125, run 5: worse by 0.969, want equality",
			"digest: " + string(m4One) + ": golden " + sum("1") + ", read back " + sum("x") + ": sha256 differs first at update 1; nothing before it agrees; read back, commit 0123456789ab"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := dyck()
			test.change(run)
			wantDifferences(t, g, run, test.want...)
		})
	}
	if d := cmp.Diff(before, formatted(t, g)); d != "" {
		t.Errorf("Compare changed the golden file (-before +after)\n%s", d)
	}
	short := dyck()
	short.Trajectories[0].Points = short.Trajectories[0].Points[:2]
	wantDifferences(t, filed(t, short), dyck(), "the golden trajectory stops before it; equal up to update 10")
	if have := FirstDifference(short.Trajectories[0], dyck().Trajectories[0]); !strings.Contains(have, "stops before it") {
		t.Errorf("first difference: have %q", have)
	}
	if have := FirstDifference(dyck().Trajectories[0], short.Trajectories[0]); have != "" {
		t.Errorf("first difference of a prefix: have %q, want none", have)
	}
}

func TestCompareRefuses(t *testing.T) {
	g := filed(t, dyck())
	for want, change := range map[string]func(*Run){
		"golden file: have dyck/ci":                     func(r *Run) { r.Scale = "smoke" },
		"run of charlm/ci: golden file: have dyck/ci":   func(r *Run) { r.Suite = "charlm" },
		"contract: have 0":                              func(r *Run) { r.Contract = 0 },
		string(m4One) + ": have it twice":               func(r *Run) { r.Rows[1].Name = r.Rows[0].Name },
		string(m4One) + ": have it twice, want it once": func(r *Run) { r.Trajectories = append(r.Trajectories, r.Trajectories[0]) },
		"epochs: have NaN":                              func(r *Run) { r.set(t, m4One, "epochs", math.NaN()) },
		"unit epochs: have no Unit line":                func(r *Run) { r.Units = append(r.Units[:2], r.Units[3]) },
		"update 500: valid-loss: have NaN":              func(r *Run) { r.Trajectories[0].Points[2].Extra[1].Value = math.NaN() },
		"have no points":                                func(r *Run) { r.Trajectories[0].Points = nil },
		`digest of the state: have "beef"`:              func(r *Run) { r.Trajectories[0].Points[0].State = "beef" },
		`extra: have the name "Loss", want lower-case`:  func(r *Run) { r.Trajectories[0].Points[2].Extra[1].Key = "Loss" },
		"have no such update, want one below 1<<63":     func(r *Run) { r.Trajectories[0].Points[2].At = End + 1 },
		`origin: commit: have "x"`:                      func(r *Run) { r.Rows[0].Origin = Origin{Commit: "x"} },
	} {
		run := dyck()
		change(run)
		_, err := Compare(g, run)
		wantError(t, "comparison", err, want)
	}
}
