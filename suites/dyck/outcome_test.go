package dyck

import (
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/numeric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestValidIsOfTheResult: valid-ce is the loss of the parameters that the other
// figures are of, the best where a run goes on after them.
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
	for kind, unit := range map[Kind]string{Baseline: "valid-ppl", Attention: "valid-ppl-soft"} { // each is reported
		e := second(4, kind).Smoke()
		e.Rule.LR, e.Epochs, e.Plateau.Stop = 0.1, 100, 2
		_, out := run(e)
		loss, _ := out.Value("valid-ce")
		if have, _ := out.Value(unit); have != numeric.Exp64(loss) {
			t.Errorf("%v: %s is %v and valid-ce %v", e.Row, unit, have, loss)
		}
	}
}
