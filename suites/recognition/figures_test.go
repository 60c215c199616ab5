package recognition

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// TestTracesAreOfTheGoldenRuns holds the kept traces against what the golden file
// at paper scale has of the same runs: each run that it has is drawn, as it was, and
// no other.
func TestTracesAreOfTheGoldenRuns(t *testing.T) {
	path, err := golden.Path("recognition", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	all := keptTraces(t, figureFolder(t))
	for _, row := range g.Rows {
		at := slices.IndexFunc(all.rows, func(r Shown) bool { return r.Runs.Row == row.Name.Group() })
		if at < 0 {
			if e := slices.IndexFunc(every(), func(e Experiment) bool { return group(e.Row) == row.Name.Group() }); e < 0 || every()[e].drawn() {
				t.Errorf("%s: no trace of it is kept", row.Name)
			}
			continue
		}
		runs := all.rows[at].Runs.Runs
		at = slices.IndexFunc(runs, func(r Trace) bool { return r.Seed == row.Name.Seed() })
		if at < 0 {
			t.Errorf("%s: no trace of this seed is kept", row.Name)
			continue
		}
		held(t, row, runs[at])
	}
	for _, r := range all.rows {
		for _, trace := range r.Runs.Runs {
			name := r.Runs.Row.WithSeed(trace.Seed)
			if !slices.ContainsFunc(g.Rows, func(row golden.Row) bool { return row.Name == name }) {
				t.Errorf("%s: %s has a trace of it, the golden file has no such run", name, traceFile(r.Of))
			}
		}
	}
}

// held compares what both have: N of the validation strings at the best epoch.
func held(t *testing.T, row golden.Row, trace Trace) {
	t.Helper()
	best, ok1 := row.Value("epochs-best")
	want, ok2 := row.Value("valid-acc-%")
	if !ok1 || !ok2 || int(best) < 1 || int(best) > len(trace.Epochs) {
		t.Fatalf("%s: best epoch %v of %d in the trace", row.Name, best, len(trace.Epochs))
	}
	if have := trace.Epochs[int(best)-1]; have != traces.Rounded(want) {
		t.Errorf("%s: N of the trace in epoch %v is %v, the golden file has %v", row.Name, best, have, want)
	}
}

// TestTraceIsThatOfTheRun: a run and what it reports say the same, and each trace
// is drawn.
func TestTraceIsThatOfTheRun(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: judges strings of every length: go test ./suites/recognition -run TraceIsThatOfTheRun")
	}
	dev := suite.Open(t)
	s := &traced{}
	for _, n := range []Network{StackRNN, DiffStkLSTM} {
		e := printed("1", "D2", n).quick().Smoke()
		x, err := e.Run(2)
		if err != nil {
			t.Fatal(err)
		}
		res, err := train.Run(x, train.Options{Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		row, err := e.Report(dev, x, res)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := e.trace(dev, 2, res)
		if err != nil {
			t.Fatal(err)
		}
		held(t, row, trace)
		if _, parts, err := e.strings(); err != nil || slices.ContainsFunc(parts[len(parts):cap(parts)], func(p *formal.Labelled) bool { return p != nil }) {
			t.Errorf("%s: error %v, or something stands behind the parts of a corpus that all runs share", n, err)
		}
		if len(trace.Epochs) != 2 || len(trace.Lengths) != (longestLength-shortestLength)/lengthStep || len(trace.Steps) != map[Network]int{DiffStkLSTM: len(sample) + 1}[n] {
			t.Errorf("%s: %d epochs, %d lengths, %d steps", n, len(trace.Epochs), len(trace.Lengths), len(trace.Steps))
		}
		if err := s.add(e, trace); err != nil {
			t.Fatal(err)
		}
	}
	list := Figures(s.rows)
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	if have := strings.Join(names, " "); have != "learning-table1-quick lengths-table1-quick actions-table1-quick" {
		t.Errorf("figures %s, want those of the table", have)
	}
	folder := t.TempDir()
	s.keep(t, folder)
	if again := keptTraces(t, folder); len(again.rows) != 2 || len(again.rows[1].Runs.Runs[0].Steps) != len(sample)+1 {
		t.Errorf("%d rows are kept, want two with their steps", len(again.rows))
	}
}

// TestActions holds what is shown of a stack against the same in float64.
func TestActions(t *testing.T) {
	dev := suite.Open(t)
	e := printed("1", "D2", DiffStkMRNN).quick()
	x, err := e.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	res, err := train.Run(x, train.Options{Device: dev, Updates: 40})
	if err != nil {
		t.Fatal(err)
	}
	have, err := e.Actions(dev, res.Params, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := &sheet{tape: &tape{}, at: map[string]int{}, e: e, seed: 1}
	s.e.Noise = 0 // as in evaluation
	for i, name := range res.Params.Names {
		s.at[name] = len(s.value)
		for _, v := range res.Params.Data[i] {
			s.number(float64(v))
		}
	}
	lang, err := formal.LanguageOf("D2")
	if err != nil {
		t.Fatal(err)
	}
	part, err := formal.Given(lang, formal.Test, sample)
	if err != nil || !part.Valid(0) {
		t.Fatalf("error %v of %s, want a string of D2", err, sample)
	}
	s.loss(part.String(0), 1, 0, 0)
	if len(have) != len(s.steps) {
		t.Fatalf("%d steps, want %d", len(have), len(s.steps))
	}
	for i, want := range s.steps {
		h := []float64{have[i].Push, have[i].Pop, have[i].Noop, have[i].Top}
		for k, a := range want {
			// float32 rounds at 6e-8, some hundred times on the way.
			if math.Abs(h[k]-s.value[a]) > 1e-5 {
				t.Errorf("step %d, %q: push, pop, no-op and top are %v, number %d in float64 %v", i, have[i].Symbol, h, k, s.value[a])
			}
		}
	}
	if list, err := printed("1", "D2", LSTM).Actions(dev, nil, 1); list != nil || err != nil {
		t.Errorf("%d steps and error %v of a network without a stack, want neither", len(list), err)
	}
}
