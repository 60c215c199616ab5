package dyck

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// TestTracesAreOfTheTestStrings holds what all runs of a row share, the cases at each
// distance and the angles between random matrices, against where these come from.
func TestTracesAreOfTheTestStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws the test strings of every row: go test ./suites/dyck -run TracesAreOfTheTestStrings")
	}
	type distances map[int]int64
	drawn := map[Data]distances{} // one corpus serves several rows
	folder := suitetest.Must(Suite.TraceFolder())(t)
	rows := suitetest.Must(Suite.Kept(folder))(t)
	for _, r := range rows {
		e := r.Row.(LanguageModel)
		first, err := parseTrace(r.Runs[0]) // all seeds share what is compared
		if err != nil {
			t.Fatal(err)
		}
		want, ok := drawn[e.Data]
		if !ok {
			lang, corpus := suitetest.Must2(e.Sample(formal.Test))(t)
			want = distances{}
			for i := range corpus.Len() {
				for _, c := range suitetest.Must(lang.Closings(nil, corpus.Body(i)))(t) {
					want[c.Distance()]++
				}
			}
			drawn[e.Data] = want
		}
		have := distances{}
		for _, c := range first.LDPA {
			have[c.Distance] = c.Cases
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s: cases by distance (-want +have):\n%s", e.Row.Group(), diff)
		}
		var random []float64
		if e.Kind == Attention {
			for _, cosine := range e.randomCosines() {
				random = append(random, traces.Rounded(degrees(cosine)))
			}
		}
		if diff := cmp.Diff(random, first.Random); diff != "" {
			t.Errorf("%s: angles between random matrices (-want +have):\n%s", e.Row.Group(), diff)
		}
	}
}

// TestTraceIsThatOfTheRun: a run and what it reports say the same.
func TestTraceIsThatOfTheRun(t *testing.T) {
	dev := suite.Open(t)
	for _, kind := range []Kind{Baseline, Attention} {
		e := second(4, kind).Smoke()
		e.Rule.LR, e.Epochs = 0.01, 4
		x := suitetest.Must(e.Build(2))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		m := suitetest.Must(e.Measure(dev, x, res))(t)
		lines := suitetest.Must(e.Trace(dev, x, res, m))(t)
		run := traces.Run{Seed: 2, Lines: lines}
		if err := agrees(e, run, golden.Row{Values: m.Values}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		trace := suitetest.Must(parseTrace(run))(t)
		if len(trace.WCPA) != 4 || (len(trace.Angles) != 0) != (kind == Attention) || (len(trace.Cells) != 0) != (kind == Attention) {
			t.Errorf("%s: %d epochs, %d angles, %d cells", kind, len(trace.WCPA), len(trace.Angles), len(trace.Cells))
		}
	}
}
