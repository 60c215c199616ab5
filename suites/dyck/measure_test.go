package dyck

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/numeric"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// TestAccuracyByHand recomputes the accuracy of a trained language model from its
// probabilities, string by string, by the rules of the paper and of the public code.
func TestAccuracyByHand(t *testing.T) {
	dev := suite.Open(t)
	e := second(3, Baseline).Smoke()
	e.Rule.LR, e.Epochs = 0.02, 6
	x := suitetest.Must(e.Build(1))(t)
	res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
	lang, corpus := suitetest.Must2(e.Sample(formal.Test))(t)
	r := suitetest.Must(e.Read(dev, res.Params, 1, formal.Test, 0))(t)

	// Evaluate one string at a time. A batch then has the rows of one string, and row i
	// predicts symbol i of the string.
	model := suitetest.Must(e.model(false))(t)
	type share struct{ correct, cases int64 }
	paper, code := map[int]share{}, map[int]share{}
	count := func(to map[int]share, distance int, correct bool) {
		s := to[distance]
		s.cases++
		if correct {
			s.correct++
		}
		to[distance] = s
	}
	suitetest.Must(train.Evaluate(model.Build, dev, NewSentences(lang, corpus, 1), 1, res.Params, func(o *train.BatchOutput) error {
		prob, err := o.Output(models.OutputProb, lang.Vocabulary())
		if err != nil {
			return err
		}
		var open []int
		for i, token := range corpus.Body(o.Index) {
			if n := len(open) - 1; n >= 0 {
				p := prob[i*lang.Vocabulary()+lang.K:][:lang.K]
				right := float64(p[corpus.Body(o.Index)[open[n]]])
				all := float64(p[0]) + float64(p[1])
				if int(token) >= lang.K {
					count(paper, i-open[n], right/all >= 0.8)
				}
				count(code, i-1-open[n], right/all > 0.8)
			}
			if int(token) < lang.K {
				open = append(open, i)
			} else {
				open = open[:len(open)-1]
			}
		}
		return nil
	}))(t)
	for _, c := range []struct {
		name string
		want map[int]share
		have *metric.LDPA
	}{{"paper", paper, r.Paper}, {"public code", code, r.Code}} {
		have := map[int]share{}
		total := c.have.Total()
		for _, x := range c.have.Counts() {
			have[x.Distance] = share{x.Correct, x.Cases}
		}
		if diff := cmp.Diff(c.want, have, cmp.AllowUnexported(share{})); diff != "" {
			t.Errorf("%s (-want +have):\n%s", c.name, diff)
		}
		if total.Correct == 0 || total.Correct == total.Cases {
			t.Errorf("%s: %d of %d are right, which checks nothing", c.name, total.Correct, total.Cases)
		}
	}
}

// TestRows checks the settings of the rows of table 1.
func TestRows(t *testing.T) {
	var have []string
	for _, list := range [][]LanguageModel{Table1(4), AnyGain(4), Rates(8), Lengths(), Reduced()} {
		for _, e := range list {
			lang := suitetest.Must(e.Language())(t)
			name := suitetest.Must(e.Row.Name(1))(t)
			_, row, _ := strings.Cut(string(name.Group()), "/row=")
			have = append(have, fmt.Sprintf("%s: h=%d S=%d at %v for %d epochs, tau * %v, %d to %d", row, e.Hidden, e.Cells, e.Rule.LR, e.Epochs, e.Temperature, lang.Min, lang.Max))
		}
	}
	want := []string{
		"m4-baseline: h=12 S=1 at 0.0001 for 300 epochs, tau * 0, 68 to 124",
		"m4-attention2: h=12 S=2 at 0.0001 for 300 epochs, tau * 0.9, 68 to 124",
		"m4-assignment2: h=12 S=2 at 0.0001 for 300 epochs, tau * 0, 68 to 124",
		"m4-baseline/task=any-gain: h=12 S=1 at 0.0001 for 300 epochs, tau * 0, 68 to 124",
		"m4-attention2/task=any-gain: h=12 S=2 at 0.0001 for 300 epochs, tau * 0.9, 68 to 124",
		"m8-baseline/task=lr1e-2: h=24 S=1 at 0.01 for 100 epochs, tau * 0, 308 to 444",
		"m8-baseline/task=lr1e-3: h=24 S=1 at 0.001 for 100 epochs, tau * 0, 308 to 444",
		"m8-attention2/task=lr1e-2: h=24 S=2 at 0.01 for 100 epochs, tau * 0.9, 308 to 444",
		"m8-attention2/task=lr1e-3: h=24 S=2 at 0.001 for 100 epochs, tau * 0.9, 308 to 444",
		"m8-assignment2/task=lr1e-2: h=24 S=2 at 0.01 for 100 epochs, tau * 0, 308 to 444",
		"m8-assignment2/task=lr1e-3: h=24 S=2 at 0.001 for 100 epochs, tau * 0, 308 to 444",
		"m4-baseline/task=lr1e-2-min80: h=12 S=1 at 0.01 for 100 epochs, tau * 0, 80 to 124",
		"m4-attention2/task=lr1e-2-min80: h=12 S=2 at 0.01 for 100 epochs, tau * 0.9, 80 to 124",
		"m4-baseline/task=reduced: h=12 S=1 at 0.01 for 4 epochs, tau * 0, 68 to 124",
		"m4-attention2/task=reduced: h=12 S=2 at 0.01 for 4 epochs, tau * 0.9, 68 to 124",
		"m4-assignment2/task=reduced: h=12 S=2 at 0.01 for 4 epochs, tau * 0, 68 to 124",
	}
	suitetest.Equal(t, want, have, "rows")
}

// TestValidIsOfTheResult checks that valid-ce is the loss of the resulting parameters.
// These are the best parameters, even if the run continues after them.
func TestValidIsOfTheResult(t *testing.T) {
	dev := suite.Open(t)
	run := func(e suite.Row) (*train.Result, *suite.Measured) {
		x := suitetest.Must(e.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		if n := len(res.Checks); res.Checks[n-1].Best {
			t.Errorf("%s: the last of %d validations is the best, which checks nothing", x.Name, n)
		}
		out := suitetest.Must(e.Measure(dev, x, res))(t)
		return res, out
	}
	patient := readout(4, networks[0], 4).Smoke()
	patient.Rule.LR, patient.Epochs, patient.Stop = 0.1, 100, 2
	constant := Table2()[0].Smoke()
	constant.Rule.LR, constant.CheckEvery, constant.MaxUpdates = 30, 1, 3
	for _, e := range []Experiment{patient, constant} {
		res, out := run(e)
		of := suitetest.Must(e.Evaluate(dev, res.Params, 1, formal.Dev))(t)
		if have, _ := out.Value("valid-ce"); have != of.Loss {
			t.Errorf("%v: valid-ce is %v, the loss of the result on the validation strings is %v", e.Row, have, of.Loss)
		}
	}
	for kind, unit := range map[Kind]string{Baseline: "valid-ppl", Attention: "valid-ppl-soft"} { // in any order: each is reported
		e := second(4, kind).Smoke()
		e.Rule.LR, e.Epochs, e.Plateau.Stop = 0.1, 100, 2
		_, out := run(e)
		loss, _ := out.Value("valid-ce")
		if have, _ := out.Value(unit); have != numeric.Exp64(loss) {
			t.Errorf("%v: %s is %v and valid-ce %v", e.Row, unit, have, loss)
		}
	}
}

// TestReading checks the method Read. At the temperature of the best validation it must
// give the loss and the WCPA of that validation to the bit. With the sharp choice the loss
// must change for an attention model, and for no other model.
func TestReading(t *testing.T) {
	dev := suite.Open(t)
	for _, kind := range []Kind{Baseline, Attention, Assignment} {
		e := second(4, kind).Smoke()
		e.Rule.LR, e.Epochs = 0.01, 3
		x := suitetest.Must(e.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		last := suite.Best(res.Checks)
		temperature := 0.5
		if kind == Attention {
			temperature = last.Scalars[0]
			want := 1.0
			for range last.Update/x.Train.PerEpoch() - 1 {
				want *= 0.9
			}
			if temperature != want {
				t.Errorf("the temperature of the best is %v after %d updates, want %v", temperature, last.Update, want)
			}
		}
		soft := suitetest.Must(e.Read(dev, res.Params, 1, formal.Dev, temperature))(t)
		worst := suitetest.Must(soft.Paper.Worst(1))(t)
		if soft.Loss != last.Loss || worst.Percent() != last.Figures[0] {
			t.Errorf("%s: loss %v and WCPA %v, the validation has %v and %v", kind, soft.Loss, worst.Percent(), last.Loss, last.Figures[0])
		}
		if ppl := math.Exp(last.Loss); math.Abs(soft.Perplexity()/ppl-1) > 1e-15 {
			t.Errorf("%s: perplexity %v of a loss of %v, want %v", kind, soft.Perplexity(), last.Loss, ppl)
		}
		sharp := suitetest.Must(e.Read(dev, res.Params, 1, formal.Dev, 0))(t)
		if (sharp.Loss == soft.Loss) != (kind != Attention) {
			t.Errorf("%s: the loss of a sharp choice is %v, of the other %v", kind, sharp.Loss, soft.Loss)
		}
		if paper, code := soft.Paper.Total().Cases, soft.Code.Total().Cases; paper >= code || paper < 100 {
			t.Errorf("%s: %d cases by the rule of the paper, %d by that of the public code, want more", kind, paper, code)
		}
	}
}

// TestUnknownKind checks that an unknown kind is an error.
func TestUnknownKind(t *testing.T) {
	_, err := second(4, "stack").Build(1)
	suitetest.Error(t, err, `kind of model: have "stack", want baseline, `)
}

// TestFalls checks that the function falls adds up only the decreases of the validation
// WCPA.
func TestFalls(t *testing.T) {
	var checks []train.Validation
	for _, x := range []float64{0, 50, 20, 20, 90, 80} {
		checks = append(checks, train.Validation{Figures: []float64{x}})
	}
	if have := falls(checks); have != 40 {
		t.Errorf("falls are %v in all, want 40", have)
	}
}

// TestLanguageModelParams checks the number of parameters of each row of table 1, both
// as the paper counts them and in all.
func TestLanguageModelParams(t *testing.T) {
	var have []string
	for _, e := range Table1(depths...) {
		model := suitetest.Must(e.model(false))(t)
		have = append(have, fmt.Sprintf("%s %d %d", e.Row.Row, e.core(), suitetest.Must(model.Build(stepgraph.Config{}))(t).CountParams()))
	}
	want := []string{
		"m4-baseline 2064 2322", "m4-attention2 4128 4446", "m4-assignment2 4128 4386",
		"m6-baseline 3528 3822", "m6-attention2 7056 7410", "m6-assignment2 7056 7350",
		"m8-baseline 5280 5610", "m8-attention2 10560 10950", "m8-assignment2 10560 10890",
	}
	suitetest.Equal(t, want, have, "rows")
}

// TestFromFailing checks fromFailing on small examples. Of the distances with the lowest
// accuracy, it must take the one nearest to 300, and return how far from 300 it is.
func TestFromFailing(t *testing.T) {
	count := func(distance int, right, cases int64) metric.Count {
		return metric.Count{Distance: distance, Share: metric.Share{Correct: right, Cases: cases}}
	}
	for _, c := range []struct {
		counts []metric.Count
		want   int
	}{
		{[]metric.Count{count(1, 9, 10), count(251, 0, 1), count(291, 1, 7), count(333, 0, 5), count(401, 0, 1)}, 33},
		{[]metric.Count{count(1, 9, 10), count(297, 4, 5), count(301, 6, 9), count(411, 2, 3)}, 1},
		{[]metric.Count{count(1, 5, 5), count(203, 2, 2)}, 97},
		{[]metric.Count{count(299, 1, 1), count(3, 99_999_999, 100_000_000)}, 297},
	} {
		if have := fromFailing(c.counts); have != c.want {
			t.Errorf("%v: %d from %d, want %d", c.counts, have, failing, c.want)
		}
	}
}

// TestBySymbol checks bySymbol on a trained attention model: the cell depends only on
// the symbol if the choice is sharp, and not if it is soft.
func TestBySymbol(t *testing.T) {
	dev := suite.Open(t)
	e := Reduced()[1]
	if e.Kind != Attention {
		t.Fatalf("the second reduced row is of kind %s", e.Kind)
	}
	p := suitetest.Must(train.ReadParams(suite.TrainedFile(e)))(t)
	for temperature, want := range map[float64]bool{0: true, 1: false} { // in any order: each is reported
		r := suitetest.Must(e.Read(dev, p, 1, formal.Test, temperature))(t)
		have := suitetest.Must(e.bySymbol(dev, p, 1, r))(t)
		if have != want {
			t.Errorf("at temperature %v the cell depends on the symbol alone: %v, want %v", temperature, have, want)
		}
	}
}
