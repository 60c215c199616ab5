package recognition

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// TestTraceIsThatOfTheRun checks the traces of trained runs against their experiments,
// and that figures draw them.
func TestTraceIsThatOfTheRun(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: judges strings of every length: go test ./suites/recognition -run TraceIsThatOfTheRun")
	}
	var rows []suite.Traced
	for _, n := range []Network{StackRNN, DiffStkLSTM} {
		e := printed("1", "D2", n).batched().Smoke()
		run := suitetest.Trained(t, &Suite, e, 2)
		trace := suitetest.Must(decode(run))(t)
		if _, parts, err := e.strings(); err != nil || slices.ContainsFunc(parts[len(parts):cap(parts)], func(p *formal.Labelled) bool { return p != nil }) {
			t.Errorf("%s: error %v, or something stands behind the parts of a corpus that all runs share", n, err)
		}
		if len(trace.Epochs) != 2 || len(trace.Lengths) != (longestLength-shortestLength)/lengthStep || len(trace.Steps) != map[Network]int{DiffStkLSTM: len(sample) + 1}[n] {
			t.Errorf("%s: %d epochs, %d lengths, %d steps", n, len(trace.Epochs), len(trace.Lengths), len(trace.Steps))
		}
		rows = append(rows, suite.Traced{Row: e, Runs: []traces.Run{run}})
	}
	list := suitetest.Must(Figures(rows))(t)
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	if have := strings.Join(names, " "); have != "learning-table1-batched lengths-table1-batched actions-table1-batched" {
		t.Errorf("figures %s, want those of the table", have)
	}
}

// TestActions compares the traced actions of a stack with a float64 computation.
func TestActions(t *testing.T) {
	dev := suite.Open(t)
	e := printed("1", "D2", DiffStkMRNN).batched()
	x := suitetest.Must(e.Build(1))(t)
	res := suitetest.Must(train.Run(x, train.Options{Device: dev, Updates: 40}))(t)
	have := suitetest.Must(e.Actions(dev, res.Params, 1))(t)
	s := &reference{tape: &tape{}, at: map[string]int{}, e: e, seed: 1}
	s.e.Noise = 0 // as in evaluation
	for i, name := range res.Params.Names {
		s.at[name] = len(s.Value)
		for _, v := range res.Params.Data[i] {
			s.Number(float64(v))
		}
	}
	lang := suitetest.Must(formal.LanguageOf("D2"))(t)
	part, err := formal.LabelStrings(lang, formal.Test, sample)
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
			// Some hundred operations lead to the float32 result. Each has a relative
			// rounding error of up to 6e-8.
			if math.Abs(h[k]-s.Value[a]) > 1e-5 {
				t.Errorf("step %d, %q: push, pop, no-op and top are %v, number %d in float64 %v", i, have[i].Symbol, h, k, s.Value[a])
			}
		}
	}
	if list, err := printed("1", "D2", LSTM).Actions(dev, nil, 1); list != nil || err != nil {
		t.Errorf("%d steps and error %v of a network without a stack, want neither", len(list), err)
	}
}

// sampleTrace is an invented trace. sampleText is the same trace as JSON.
var sampleTrace = Trace{
	3, []float64{66.6667, 99.9914}, []Share{{100, 50, 1}, {200, 50, 0}},
	[]Step{{"(", 0.3333, 0.3333, 0.3333, 0}, {")", 0, 1, 0, -0.9}},
}

const sampleText = `{"epochs":[66.6667,99.9914],"lengths":[{"length":100,"cases":50,"correct":1},{"length":200,"cases":50,"correct":0}],` +
	`"steps":[{"symbol":"(","push":0.3333,"pop":0.3333,"noop":0.3333,"top":0},{"symbol":")","push":0,"pop":1,"noop":0,"top":-0.9}]}`

func TestTrace(t *testing.T) {
	suitetest.Trace(t, sampleTrace, 3, sampleText, decode, [][3]string{
		{"epochs", "epoch", `unknown field "epoch"`},
		{"99.9914", "100.1", "seed 3: epoch 2: have 100.1, want a number from 0 to 100"},
		{`"length":200`, `"length":100`, "length 100 after 100"},
		{`"cases":50,"correct":0`, `"cases":0,"correct":0`, "have 0 right answers to 0 cases"},
		{`"correct":0`, `"correct":51`, "have 51 right answers to 50 cases"},
		{`"push":0,`, `"push":-0.1,`, "action on ) 1: have -0.1, want a number from 0 to 1"},
		{"-0.9", "-1.1", "top after ) 1: have -1.1, want a number from -1 to 1"},
		{`[{"length":100,"cases":50,"correct":1},{"length":200,"cases":50,"correct":0}]`, "null", "have 2 epochs and 0 lengths"},
	})
}
