package dyck

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// TestTracesAreOfTheGoldenRuns holds the kept traces against the figures that the
// golden file at paper scale has of the same runs: each run that it has is drawn, and
// as it was.
func TestTracesAreOfTheGoldenRuns(t *testing.T) {
	path, err := golden.Path("dyck", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	all := keptTraces(t, figureFolder(t))
	part := languageModels(suite.Paper)
	for _, x := range part.list {
		e := x.(LanguageModel)
		if e.Kind == Assignment {
			continue // no figure shows it
		}
		for seed := 1; seed <= part.seeds; seed++ {
			name := group(e.Row).WithSeed(seed)
			at := slices.IndexFunc(g.Rows, func(r golden.Row) bool { return r.Name == name })
			if at < 0 {
				continue
			}
			trace, ok := all.find(e, seed)
			if !ok {
				t.Errorf("%s: golden/dyck/figures/%s has no trace of it", name, traceFile(e))
				continue
			}
			held(t, e, trace, g.Rows[at])
		}
	}
}

// find gives the trace of a run.
func (s *traced) find(e LanguageModel, seed int) (Trace, bool) {
	for _, r := range s.rows {
		at := slices.IndexFunc(r.Runs.Runs, func(x Trace) bool { return x.Seed == seed })
		if r.Of.Row == e.Row && at >= 0 {
			return r.Runs.Runs[at], true
		}
	}
	return Trace{}, false
}

// hold compares the trace of seed 1, if there is one, with what its parameters give:
// all of it but the WCPA on the way.
func (s *traced) hold(t *testing.T, e LanguageModel, p *train.Params, c train.Check, out *Outcome) {
	t.Helper()
	have, ok := s.find(e, 1)
	if !ok {
		return
	}
	want, err := e.trace(1, &train.Result{Params: p, Checks: []train.Check{c}}, out)
	if err != nil {
		t.Fatal(err)
	}
	want.WCPA = have.WCPA
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("golden/dyck/figures/%s (-want +have):\n%s", traceFile(e), diff)
	}
}

// held compares what both have. Counts are exact, and what the trace has rounded is
// off by half a unit of its last place.
func held(t *testing.T, e LanguageModel, trace Trace, row golden.Row) {
	t.Helper()
	const half = 0.5001 / traces.Places
	worst, often, fall := 100.0, 100.0, 0.0
	for _, c := range trace.LDPA {
		worst = min(worst, c.Percent())
		if c.Cases >= frequent {
			often = min(often, c.Percent())
		}
	}
	for i := 1; i < len(trace.WCPA); i++ {
		fall += max(0, trace.WCPA[i-1]-trace.WCPA[i])
	}
	type figure struct {
		unit           string
		value, allowed float64
	}
	list := []figure{
		{"test-wcpa-%", worst, 0}, {"test-wcpa20-%", often, 0}, {"epochs", float64(len(trace.WCPA)), 0},
		{"wcpa-fall-%", fall, 2 * half * float64(len(trace.WCPA))},
	}
	if e.Kind == Attention {
		list = append(list, figure{"cosine-max", math.Cos(trace.Angles[0] * math.Pi / 180), half * math.Pi / 180})
	}
	if len(trace.Cells) > 0 {
		var cells []int
		for _, c := range trace.Cells {
			cells = append(cells, c.Cell)
		}
		split := 0.0
		if apart(cells, e.K) {
			split = 1
		}
		list = append(list, figure{"kinds-apart", split, 0})
	}
	for _, f := range list {
		if want, ok := row.Value(f.unit); !ok {
			t.Errorf("%s: %s of the trace is %v, the golden file has none of this run", row.Name, f.unit, f.value)
		} else if math.Abs(f.value-want) > f.allowed {
			t.Errorf("%s: %s of the trace is %v, the golden file has %v", row.Name, f.unit, f.value, want)
		}
	}
}

// TestTracesAreOfTheTestStrings holds what all runs of a row share, the cases at each
// distance and the angles between random matrices, against where these come from.
func TestTracesAreOfTheTestStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws the test strings of every row: go test ./suites/dyck -run TracesAreOfTheTestStrings")
	}
	type distances map[int]int64
	drawn := map[Data]distances{} // one corpus serves several rows
	for _, r := range keptTraces(t, figureFolder(t)).rows {
		want, ok := drawn[r.Of.Data]
		if !ok {
			lang, corpus, err := r.Of.Sample(formal.Test)
			if err != nil {
				t.Fatal(err)
			}
			want = distances{}
			for _, p := range pairs(t, lang, corpus) {
				want[p.distance]++
			}
			drawn[r.Of.Data] = want
		}
		have := distances{}
		for _, c := range r.Runs.Runs[0].LDPA {
			have[c.Distance] = c.Cases
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s: cases by distance (-want +have):\n%s", r.Runs.Row, diff)
		}
		var random []float64
		if r.Of.Kind == Attention {
			for _, cosine := range r.Of.randomCosines() {
				random = append(random, traces.Rounded(degrees(cosine)))
			}
		}
		if diff := cmp.Diff(random, r.Runs.Runs[0].Random); diff != "" {
			t.Errorf("%s: angles between random matrices (-want +have):\n%s", r.Runs.Row, diff)
		}
	}
}

// TestTraceIsThatOfTheRun: a run and what it reports say the same.
func TestTraceIsThatOfTheRun(t *testing.T) {
	dev := suite.Open(t)
	for _, kind := range []Kind{Baseline, Attention} {
		e := second(4, kind).Smoke()
		e.Rule.LR, e.Epochs = 0.01, 4
		x, err := e.Run(2)
		if err != nil {
			t.Fatal(err)
		}
		res, err := train.Run(x, train.Options{Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Report(dev, x, res)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := e.trace(2, res, out)
		if err != nil {
			t.Fatal(err)
		}
		held(t, e, trace, out.Row)
		if len(trace.WCPA) != 4 || (len(trace.Angles) != 0) != (kind == Attention) || (len(trace.Cells) != 0) != (kind == Attention) {
			t.Errorf("%s: %d epochs, %d angles, %d cells", kind, len(trace.WCPA), len(trace.Angles), len(trace.Cells))
		}
	}
}

// TestKeep: what runs leave comes to what is kept, row by row and seed by seed, in
// whatever parts they are made.
func TestKeep(t *testing.T) {
	folder := t.TempDir()
	base, attention, assignment := invented(second(4, Baseline), 3, 5), invented(second(4, Attention), 3, 5), invented(second(4, Assignment), 1, 5)
	for _, part := range [][]Shown{{base}, {attention, assignment}} {
		for _, r := range part {
			for _, trace := range slices.Backward(r.Runs.Runs) {
				s := &traced{}
				if err := s.add(r.Of, trace); err != nil {
					t.Fatal(err)
				}
				s.keep(t, folder)
			}
		}
	}
	have := keptTraces(t, folder).rows
	if len(have) != 2 {
		t.Fatalf("%d rows are kept, want baseline and attention model", len(have))
	}
	for i, want := range []Shown{base, attention} {
		if diff := cmp.Diff(want.Runs, have[i].Runs); diff != "" || have[i].Of.Row != want.Of.Row {
			t.Errorf("%s (-want +have):\n%s", want.Runs.Row, diff)
		}
	}
}
