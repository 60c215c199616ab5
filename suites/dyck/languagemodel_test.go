package dyck

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestReading: what is read at the temperature of the best validation is that
// validation, to the bit; a sharp choice says something else of an attention
// model alone.
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

// TestUnknownKind is refused.
func TestUnknownKind(t *testing.T) {
	if _, err := second(4, "stack").Build(1); err == nil || !strings.Contains(err.Error(), `of kind "stack"`) {
		t.Errorf("error %v, want one that names the kind", err)
	}
}

// TestFalls adds up falls alone.
func TestFalls(t *testing.T) {
	var checks []train.Check
	for _, x := range []float64{0, 50, 20, 20, 90, 80} {
		checks = append(checks, train.Check{Figures: []float64{x}})
	}
	if have := falls(checks); have != 40 {
		t.Errorf("falls are %v in all, want 40", have)
	}
}

// TestLanguageModelParams counts what each row of table 1 trains, and what the
// paper counts of it.
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
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}
