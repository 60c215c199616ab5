package dyck

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
)

// TestAccuracyByHand counts the answers of a trained language model string by
// string, from its probabilities alone, by both rules.
func TestAccuracyByHand(t *testing.T) {
	dev := suite.Open(t)
	e := second(3, Baseline).Smoke()
	e.Rule.LR, e.Epochs = 0.02, 6
	x := suitetest.Must(e.Build(1))(t)
	res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
	lang, corpus := suitetest.Must2(e.Sample(formal.Test))(t)
	r := suitetest.Must(e.Read(dev, res.Params, 1, formal.Test, 0))(t)

	// One string at a time: row i of batch j predicts symbol i of string j.
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
	suitetest.Must(train.Evaluate(model.Build, dev, NewSentences(lang, corpus, 1), 1, res.Params, func(o *train.Outcome) error {
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

// TestRows lists the rows of table 1 with what each is trained by.
func TestRows(t *testing.T) {
	var have []string
	for _, list := range [][]LanguageModel{Table1(4), Rates(8), Lengths(), Reduced()} {
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
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

// TestRowsArePublished: the rows of both models of the table stand in the paper,
// with perplexity and accuracy on both splits and the parameters.
func TestRowsArePublished(t *testing.T) {
	var groups []golden.Name
	for _, e := range Table1(depths...) {
		if e.Kind != Assignment {
			groups = append(groups, e.Row.Group())
		}
	}
	var text bytes.Buffer
	if err := verdict.WritePublished(&text, "dyck", groups...); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	for _, g := range groups {
		at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, string(g)+" ") })
		if at < 0 {
			t.Errorf("%s has no published cells", g)
			continue
		}
		for _, unit := range []string{"params", "valid-ppl", "test-ppl", "valid-wcpa-%", "test-wcpa-%"} {
			if !slices.Contains(strings.Fields(lines[at]), unit) {
				t.Errorf("%s has no published %s: %s", g, unit, lines[at])
			}
		}
	}
}
