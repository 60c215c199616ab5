package patterns

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// answers returns a test. For each prediction of the test, in order, it also returns
// the index of the string whose symbol is predicted.
func answers(t *testing.T, task formal.Pattern, lo, hi, per int) (test *Test, in []int) {
	t.Helper()
	test = suitetest.Must(NewTest(task, 1, lo, hi, per))(t)
	s := testStream(task, 1, max(lo, task.Shortest()), per)
	var p train.StreamString
	for i := range (hi - max(lo, task.Shortest()) + 1) * per {
		p.Reset()
		s.Fill(i, &p)
		for _, target := range p.Target {
			if target >= 0 {
				in = append(in, i)
			}
		}
	}
	return test, in
}

// TestWhatIsScored checks that a symbol is scored if it follows from the symbols before it,
// and that 199 of 200 strings of each length are scored.
func TestWhatIsScored(t *testing.T) {
	for _, task := range formal.Patterns() {
		const lo, hi, per = 1, 7, 200
		test, _ := answers(t, task, lo, hi, per)
		want := 0
		for n := max(lo, task.Shortest()); n <= hi; n++ {
			s := suitetest.Must(task.Stream(1, formal.Test, uint32(n-max(lo, task.Shortest())), formal.Range{Min: n, Max: n}))(t)
			for range per {
				want += task.Determined(s.Next())
			}
		}
		if task.Counts() {
			want-- // nothing follows the last string
		}
		if got := len(test.of); got != want {
			t.Errorf("%s: %d symbols are scored, want %d", task, got, want)
		}
		all := test.count(slices.Repeat([]bool{true}, len(test.of)))
		for n := max(lo, task.Shortest()); n <= hi; n++ {
			if got := all.At(n); got != (metric.Share{Correct: per - 1, Cases: per - 1}) {
				t.Errorf("%s: of length %d %v are right, want all of %d", task, n, got, per-1)
			}
		}
		if got := all.RightShare(lo, hi); got.Correct != int64(hi) {
			t.Errorf("%s: %v lengths are right, want all", task, got)
		}
	}
}

// TestAWrongSymbol checks that one wrong symbol makes one string wrong: the string that
// determines the symbol. In a counting task, a string determines the first symbol of the
// next string. The last string of a length is not scored.
func TestAWrongSymbol(t *testing.T) {
	for _, task := range formal.Patterns() {
		const lo, hi, per = 2, 5, 4
		test, in := answers(t, task, lo, hi, per)
		if len(in) != len(test.of) {
			t.Fatalf("%s: %d predictions, want %d", task, len(test.of), len(in))
		}
		for i := range in {
			right := slices.Repeat([]bool{true}, len(in))
			right[i] = false
			blamed := in[i]
			if task.Counts() && (i == 0 || in[i-1] != in[i]) && in[i] > 0 {
				blamed--
			}
			got := test.count(right)
			for n := lo; n <= hi; n++ {
				want := int64(per - 1)
				if blamed/per == n-lo && blamed%per < per-1 {
					want--
				}
				if share := got.At(n); share.Correct != want || share.Cases != per-1 {
					t.Errorf("%s, prediction %d of string %d wrong: of length %d %v are right, want %d", task, i, in[i], n, share, want)
				}
			}
		}
	}
}

// TestStringsLongerThanAnyStack checks that every loss is a number if strings are longer
// than the stacks.
func TestStringsLongerThanAnyStack(t *testing.T) {
	dev := suite.Open(t)
	for _, n := range []Network{stack(6), stack(6).noop().rounded(), list(6, 2), list(6, 2).rounded()} {
		e := Table2()[0]
		e.Networks, e.Max = []Network{n}, 3
		x := suitetest.Must(e.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev, Updates: 200}))(t)
		test := suitetest.Must(NewTest(formal.AnBn, 1, 1000, 1000, 3))(t)
		measure := func(cells int) (loss []float32) {
			m := suitetest.Must(n.Model(formal.AnBn, Memory{Cells: cells}))(t)
			suitetest.Must(train.Evaluate(m.Build, dev, test, 0, res.Params, func(o *train.BatchOutput) error {
				loss = append(loss, o.Loss...)
				return nil
			}))(t)
			return loss
		}
		small, large := measure(50), measure(2000)
		if len(small) != len(large) || len(small) != len(test.of) {
			t.Fatalf("%+v: %d and %d losses, want %d", n, len(small), len(large), len(test.of))
		}
		for i := range small {
			if math.IsNaN(float64(small[i])) || math.IsNaN(float64(large[i])) {
				t.Fatalf("%+v: loss %d is %v with a small stack, %v with a large one", n, i, small[i], large[i])
			}
		}
	}
}

// TestStringsOfAThousand checks a network that has learned to count with rounded actions,
// on strings sixteen times as long as those of the paper's test. If its stacks have enough
// cells, it must predict all of them but the first, which it reads with empty stacks. If
// they have too few cells, it must fail.
func TestStringsOfAThousand(t *testing.T) {
	dev := suite.Open(t)
	e := Short()[0]
	if e.Task != formal.AnBmCnm || !e.Networks[0].Round {
		t.Fatalf("%s is not the rounded network", e.Row.Group())
	}
	test := suitetest.Must(NewTest(e.Task, 1, 1000, 1000, 3))(t)
	for cells, want := range map[int]int64{1100: 1, 900: 0} {
		m := suitetest.Must(e.Networks[0].Model(e.Task, Memory{Cells: cells}))(t)
		l := suitetest.Must(test.Measure(m, dev, kept(t, e)))(t)
		if got := l.At(1000); got.Correct != want || got.Cases != 2 {
			t.Errorf("%d cells: %v strings of n = 1000 are right, want %d of 2", cells, got, want)
		}
	}
}

// withSymbolBefore is a source of test strings. Before the first string it reads the last
// symbol of the alphabet without predicting it, as the authors' program does.
type withSymbolBefore struct {
	recorder
	symbols int
}

func (b withSymbolBefore) Fill(i int, p *train.StreamString) {
	b.recorder.Fill(i, p)
	if i == 0 {
		p.Token, p.Target = slices.Insert(p.Token, 0, int32(b.symbols-1)), slices.Insert(p.Target, 0, -1)
	}
}

// TestTheFirstString checks that the rounded network of the short run fails only on the
// first string of the test. If it reads a symbol before that string, as in the authors'
// program, it must fail on no string.
func TestTheFirstString(t *testing.T) {
	dev := suite.Open(t)
	e := Short()[0]
	n, per := e.Task.Shortest(), 20
	m := suitetest.Must(e.Networks[0].Model(e.Task, Memory{Cells: e.Cells}))(t)
	for _, symbolBefore := range []bool{false, true} {
		test := suitetest.Must(NewTest(e.Task, testSeed, n, n, per))(t)
		want := int64(per - 2) // the last string is not scored, the first is wrong
		if symbolBefore {
			s := testStream(e.Task, testSeed, n, per)
			test.of = nil
			test.StreamSet = suitetest.Must(train.NewStreamSet(withSymbolBefore{recorder{s, test}, m.Vocabulary}, 0, per, readSymbols))(t)
			want++
		}
		l := suitetest.Must(test.Measure(m, dev, kept(t, e)))(t)
		if got := l.At(n); got.Correct != want || got.Cases != int64(per-1) {
			t.Errorf("a symbol before: %v: %v strings of n = %d are right, want %d of %d", symbolBefore, got, n, want, per-1)
		}
	}
}

// TestUntrainedIsWrong checks that a network with random parameters is right on no length.
func TestUntrainedIsWrong(t *testing.T) {
	dev := suite.Open(t)
	m := suitetest.Must(stack(6).Model(formal.AnBnCn, Memory{Cells: 20}))(t)
	test := suitetest.Must(NewTest(formal.AnBnCn, 1, 1, 9, 6))(t)
	e := Table2()[0]
	e.Task, e.Networks = formal.AnBnCn, []Network{stack(6)}
	l := suitetest.Must(test.Measure(m, dev, drawn(t, e, 1)))(t)
	if got := l.RightShare(2, 9); got.Correct != 0 || got.Cases != 8 {
		t.Errorf("%v lengths are right, want none of 8", got)
	}
}

// drawn returns random parameters for the network of a row.
func drawn(t *testing.T, e Experiment, seed uint64) *train.Params {
	t.Helper()
	x := suitetest.Must(e.Build(1))(t)
	dev := suite.Open(t)
	res := suitetest.Must(train.Run(x, train.Options{Device: dev, Updates: 1}))(t)
	r := rand.New(rand.NewPCG(seed, 3))
	for _, data := range res.Params.Data {
		for i := range data {
			data[i] = float32(r.NormFloat64())
		}
	}
	return res.Params
}

// kept reads the committed parameters of a row.
func kept(t *testing.T, e Experiment) *train.Params {
	t.Helper()
	p := suitetest.Must(train.ReadParams(suite.TrainedFile(e)))(t)
	return p
}
