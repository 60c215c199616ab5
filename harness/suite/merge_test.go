package suite

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// TestExperiments checks that Experiments returns the runs whose results Run writes, by the
// names of their files.
func TestExperiments(t *testing.T) {
	s, _ := toys(t)
	trainToys(t, s, "trained", "first run")
	list, err := s.Experiments(Paper)
	if err != nil || len(list) != 2 {
		t.Fatalf("have %v (%v), want two runs", list, err)
	}
	for _, file := range results(t) {
		r := must(ReadResult(file))
		if have := list[r.Experiment].Name; have != r.Row.Name || r.Experiment+".safetensors" != filepath.Base(file) || r.Origin.Contract != kernel.ContractVersion {
			t.Errorf("%s: have the run %q, the hash %s and the contract %d, want %s", file, have, r.Experiment, r.Origin.Contract, r.Row.Name)
		}
	}
}

// TestDifference checks that only the origin, the scale and the wall time of a result may differ from
// those of another result of the same experiment.
func TestDifference(t *testing.T) {
	s, _ := toys(t)
	trainToys(t, s, "trained", "first run")
	at := func(r *Result, unit string) int {
		return slices.IndexFunc(r.Row.Values, func(v golden.Value) bool { return v.Unit == unit })
	}
	of := Expected{suite: s}
	i := slices.IndexFunc(results(t), func(file string) bool { return must(ReadResult(file)).Row.Name.Seed() == 1 })
	for n, c := range []struct {
		change func(r *Result)
		want   string // "" for no difference
	}{
		{func(r *Result) {}, ""},
		{func(r *Result) {
			r.Origin = golden.Origin{Commit: "0123456789ab", Machine: "another", Date: "2001-02-03"}
			r.Row.Values[at(r, "train-min")].Value = 99
		}, ""},
		{func(r *Result) { r.Scale = string(CI) }, ""},
		{func(r *Result) { r.Row.Values[at(r, "valid-ce")].Value++ }, "Row: have "},
		{func(r *Result) { r.Row.Values = r.Row.Values[1:] }, "Row: have "},
		{func(r *Result) { r.Checks[0].Loss++ }, "Checks: have "},
		{func(r *Result) { r.Checks = append(r.Checks, train.Validation{Update: 99}) }, "Checks: have "},
		{func(r *Result) { r.Stopped = "luck" }, `Stopped: have "\"luck\""`},
		{func(r *Result) { r.Trajectory.Points[0].SHA256 = strings.Repeat("0", 64) }, "sha256 differs first"},
		{func(r *Result) { r.Trace.Trace = []byte(`{"Loss":7}`) }, "Trace: have "},
		{func(r *Result) { r.Trace = traces.Run{} }, "Trace: have "},
	} {
		a, b := must(ReadResult(results(t)[i])), must(ReadResult(results(t)[i]))
		c.change(a)
		have, err := of.Difference(a, b)
		if err != nil || (have == "") != (c.want == "") || !strings.Contains(have, c.want) {
			t.Errorf("case %d: have %q (%v), want %q", n, have, err, c.want)
		}
		if have, err := of.Difference(b, a); err != nil || (have == "") != (c.want == "") {
			t.Errorf("case %d, the other way round: have %q (%v), want %q", n, have, err, c.want)
		}
	}
}
