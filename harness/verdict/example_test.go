package verdict_test

import (
	"fmt"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// This example says what three runs have on the numbers that a paper prints for a row, and on a claim.
func Example() {
	run := &golden.Run{Suite: "dyck", Scale: "paper", Contract: 1, Units: []golden.Unit{
		{Name: "epochs", Better: "lower"}, {Name: "params", Better: "lower", Exact: true}, {Name: "test-wcpa-%", Better: "higher"},
	}}
	for seed, epochs := range []float64{4, 4, 4.25} {
		run.Rows = append(run.Rows, golden.Row{
			Name:   golden.Name("paper=resurgence/table=2/row=dyck-m4").WithSeed(seed + 1),
			Values: []golden.Value{{Unit: "epochs", Value: epochs}, {Unit: "params", Value: 5}, {Unit: "test-wcpa-%", Value: 100}},
		})
	}
	file := run.File()
	r := verdict.NewResults([]*golden.File{file})
	for _, n := range papers.Published().Numbers {
		if v, ok := r.Verdict(n.Key); ok {
			fmt.Printf("%v %s: %s\n\t%v\n", n.Key, n.Value, v.Outcome.Description(), v)
		}
	}
	fmt.Print("\n", verdict.Table(r, file, run))
	theirs := &golden.File{Scale: "paper", Units: file.Units[2:], Rows: []golden.Row{{Name: file.Rows[0].Name, Values: []golden.Value{{Unit: "test-wcpa-%", Value: 99.5}}}}}
	fmt.Print("\n", verdict.External(r, file, theirs, file.Rows[0].Name.Group()))
	// Output:
	// [resurgence:1:dyck-m4:epochs_to_converge:reported] 4: open (runs)
	// 	runs=3 need=3 value=4.0833 sd=0.14434 low=3.36622 high=4.80044 margin=0.5 width=0.8
	// [resurgence:2:dyck-m4:parameters:reported] 5: matches
	// 	runs=3 need=1 value=5
	// [resurgence:2:dyck-m4:wcpa_percent:test] 100: matches
	// 	runs=3 need=3 value=100 sd=0 low=100 high=100 margin=0.5 width=20
	//
	// row                                   metric       paper  golden               run                  verdict
	// paper=resurgence/table=2/row=dyck-m4  epochs       4      4.0833 ± 0.14 (n=3)  4.0833 ± 0.14 (n=3)  open (runs)
	// paper=resurgence/table=2/row=dyck-m4  params       5      5 (n=3)              5 (n=3)              matches
	// paper=resurgence/table=2/row=dyck-m4  test-wcpa-%  100    100 (n=3)            100 (n=3)            matches
	// claim                                              paper                                            verdict
	// R07                                                holds                                            undecided (no runs of resurgence, table 2, dyck-m6 (test WCPA in %), and too few or no runs of one other number)
	// R13                                                holds                                            undecided (no runs of resurgence, table 2, dyck-m6 (epochs), and too few or no runs of one other number)
	// ±: standard deviation over n runs; -: there is no such number; shown: a time, which is not judged
	// draws: samples of the runs with replacement; true: those in which the claim is true; it holds if nearly all are
	//
	// metric       printed  ours       interval    theirs      to print     p
	// test-wcpa-%  100      100 (n=3)  100 to 100  99.5 (n=1)  open (runs)  -
	// ±: standard deviation over n runs; best of k: the median of the bests of k of n runs; -: there is no such number; interval: where our runs predict the printed number with 95 per cent; to print: what their runs say of the printed number, by the rules for ours; p: how often chance alone parts means as much, counted over all divisions of ours and theirs into two groups of these sizes, or over 10,000; each line is a test of its own, so a small number among many lines says little; few runs have none
}
