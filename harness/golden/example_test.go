package golden_test

import (
	"fmt"
	"log"

	"pushdown/harness/golden"
)

// This example compares a run with a golden file.
func Example() {
	file, err := golden.Read("testdata/dyck.txt")
	if err != nil {
		log.Fatal(err)
	}
	first := file.Trajectories[0].Points
	run := &golden.Run{
		Suite: "dyck", Scale: "ci", Contract: 1, Machine: "cpu generic",
		Units: []golden.Unit{
			{Name: "epochs", Better: "lower"},
			{Name: "params", Better: "lower", Exact: true},
			{Name: "test-wcpa-%", Better: "higher"},
			{Name: "train-min", Better: "lower", Clock: true},
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
				{At: 1, SHA256: first[0].SHA256},
				{At: 10, SHA256: "beef" + first[1].SHA256[4:]},
			},
		}},
	}
	differences, err := golden.Compare(file, run)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range differences {
		fmt.Println(d.Kind, d.Name)
		fmt.Println("  golden", d.Golden)
		fmt.Println("  run   ", d.Run)
		fmt.Println("  " + d.Note)
	}
	// Output:
	// metric paper=resurgence/table=2/row=dyck-m4/seed=1
	//   golden 4.015625
	//   run    6.5
	//   worse by 2.48, want equality
	// digest paper=resurgence/table=2/row=dyck-m4/seed=1
	//   golden 4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5
	//   run    beefdc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5
	//   sha256 differs first at update 10; equal up to update 1
}
