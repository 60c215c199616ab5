package golden_test

import (
	"fmt"
	"log"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

func init() {
	golden.SetRules(verdict.Rules)
	verdict.RegisterMeasure(verdict.Measure{ // the only measured claim of the example
		Claim: "R09",
		Values: []verdict.MeasureValue{
			{Group: "paper=resurgence/section=6.2/row=dyck-m4-1d", Unit: "test-wcpa-%"},
			{Group: "paper=resurgence/section=6.2/row=dyck-m4-2d", Unit: "test-wcpa-%"},
		},
		Holds: func(v []float64) bool { return v[0] < 100 && v[1] == 100 },
	})
}

// This example compares a run with a golden file. It answers two separate
// questions: are the numbers unchanged, and are they those that the paper printed?
func Example() {
	file, err := golden.Read("testdata/dyck.txt")
	if err != nil {
		log.Fatal(err)
	}
	run := &golden.Run{
		Suite: "dyck", Scale: "ci", Contract: 1, Machine: "cpu generic",
		Units: []golden.Unit{
			{Name: "epochs", Better: "lower"},
			{Name: "params", Better: "lower", Exact: true},
			{Name: "test-wcpa-%", Better: "higher"},
			{Name: "train-min", Better: "lower"},
		},
		Tolerances: []golden.Tolerance{
			{Unit: "epochs", Reason: "equal bits"},
			{Unit: "params", Reason: "equal bits"},
			{Unit: "test-wcpa-%", Reason: "equal bits"},
			{Unit: "train-min", Any: true, Reason: "wall time"},
		},
		Rows: []golden.Row{{
			Name: "paper=resurgence/table=2/row=dyck-m4/seed=1",
			Values: []golden.Value{
				{Unit: "epochs", Value: 6.5}, {Unit: "params", Value: 5}, {Unit: "test-wcpa-%", Value: 100}, {Unit: "train-min", Value: 0.03},
			},
		}},
		Trajectories: []golden.Trajectory{{
			Name: "paper=resurgence/table=2/row=dyck-m4/seed=1",
			Points: []golden.Point{
				{At: 1, SHA256: file.Trajectories[0].Points[0].SHA256},
				{At: 10, SHA256: "beef" + file.Trajectories[0].Points[1].SHA256[4:]},
			},
		}},
		Judge: golden.Judge{Claims: []string{"R13"}},
	}
	differences, err := golden.Compare(file, run, verdict.Rules)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range differences {
		fmt.Println(d.Kind, d.Name)
		fmt.Println("  golden", d.Golden)
		fmt.Println("  run   ", d.Run)
		fmt.Println("  " + d.Note)
	}
	fmt.Println(file.Verdicts[1].Key, file.Verdicts[1].Outcome)
	fmt.Println(file.Claims[0].ID, file.Claims[0].Outcome)
	// Output:
	// metric paper=resurgence/table=2/row=dyck-m4/seed=1
	//   golden 4.015625
	//   run    6.5
	//   worse by 2.48, want equality (equal bits)
	// digest paper=resurgence/table=2/row=dyck-m4/seed=1
	//   golden 4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5
	//   run    beefdc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5
	//   sha256 differs first at update 10; equal up to update 1
	// [resurgence:1:dyck-m6:epochs_to_converge:reported] matches
	// R07 holds
}
