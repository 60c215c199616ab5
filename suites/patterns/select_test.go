package patterns

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

func restart(name string, loss, lengths, generalises, perfect float64) golden.Row {
	return golden.Row{Name: golden.Name(name), Values: []golden.Value{
		{Unit: "test-lengths-%", Value: lengths}, {Unit: "test-lengths-code-%", Value: lengths / 2}, {Unit: "valid-ce", Value: loss},
		{Unit: "generalises-%", Value: generalises}, {Unit: "perfect-%", Value: perfect},
	}}
}

func TestSelect(t *testing.T) {
	const anbn, lstm = "paper=stack-rnn/table=2/row=stack-rnn/task=anbn", "paper=stack-rnn/table=2/row=lstm/task=anb2n"
	list := Select([]golden.Row{
		restart(anbn+"/seed=10", 0.2, 100, 100, 100),
		restart(anbn+"/seed=2", 0.3, 100, 100, 100),
		restart(lstm+"/seed=1", 0.5, 25, 0, 0),
		restart(anbn+"/seed=1", 0.2, 50, 100, 0),
		restart(anbn+"/seed=3", 0.9, 20, 0, 0),
		{Name: anbn + "/seed=4"}, // was never validated
	})
	var b strings.Builder
	if err := WriteSelections(&b, list); err != nil {
		t.Fatal(err)
	}
	want := lstm + ": published 75.0; best by validation 25.0 (lengths 2 to 59: 12.5; loss 0.5000, seed=1); restarts: 1, that generalise 0, perfect 0\n" +
		anbn + ": published 100.0; best by validation 50.0 (lengths 2 to 59: 25.0; loss 0.2000, seed=1); restarts: 4, that generalise 3, perfect 2\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Sixtieths are recognised whatever the division rounds to, other shares are not.
func TestSixtieths(t *testing.T) {
	var all []float64
	for j := range 61 {
		all = append(all, float64(100*j)/60)
	}
	if off := offSixtieths(all); off != 0 {
		t.Errorf("sixtieths are off by %v", off)
	}
	if off := offSixtieths([]float64{100, 100.0 * 57 / 58}); off < 0.05 || off > 0.9 {
		t.Errorf("57 of 58 is off by %v, want up to half a sixtieth", off)
	}
}

func TestSpread(t *testing.T) {
	if d := deviation([]float64{2, 4, 4, 4, 5, 5, 7, 9}); d*d < 4.571428 || d*d > 4.571429 {
		t.Errorf("variance is %v, want 32/7", d*d)
	}
	if d := deviation([]float64{3}); d != 0 {
		t.Errorf("deviation of one value is %v, want 0", d)
	}
	if m := median([]float64{5, 1, 9, 3}); m != 3 {
		t.Errorf("median is %v, want 3", m)
	}
}
