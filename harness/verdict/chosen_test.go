package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

const (
	rnnAnBn  = golden.Name("paper=stack-rnn/table=2/row=rnn/task=anbn")
	anbnCell = "[stack-rnn:2:rnn:percent_of_n_correct:anbn]" // 25, the one of 10 runs with the lowest valid-ce; higher is better
)

// lengths returns a golden file with one group. Seed i has the value values[i-1] and, if
// losses[i-1] is above zero, that loss.
func lengths(group golden.Name, values, losses []float64) *golden.File {
	f := file(golden.Unit{Name: "test-lengths-%", Better: "higher"}, map[golden.Name][]float64{group: values})
	f.Units = append(f.Units, golden.Unit{Name: "valid-ce", Better: "lower"})
	f.Tolerances = append(f.Tolerances, golden.Tolerance{Unit: "valid-ce", Reason: "test"})
	for i, loss := range losses {
		if loss > 0 {
			f.Rows[i].Values = append(f.Rows[i].Values, golden.Value{Unit: "valid-ce", Value: loss})
		}
	}
	return f
}

// TestReproduceChosen checks that the published number is compared with the seed
// that has the smallest loss, even if another seed has a better value.
func TestReproduceChosen(t *testing.T) {
	thirty := func(most float64, some ...float64) []float64 {
		for len(some) < 30 {
			some = append(some, most)
		}
		return some
	}
	for _, test := range []struct {
		name           string
		values, losses []float64
		want           golden.Outcome
		evidence       string
	}{
		{"the best is not chosen", thirty(90, 100, 25), thirty(2, 9, 1), golden.OpenRuns,
			"published=25 half=0.5 n=30 chosen=25 of=10 by=valid-ce low=25 high=90 margin=1.7 width=20"},
		{"the worst is chosen", thirty(25, 10, 10, 10), thirty(9, 1, 2, 3), golden.Matches, "chosen=10 of=10 by=valid-ce low=10 high=25"},
		{"never the good ones", thirty(0, 25, 25), thirty(5, 9, 9), golden.Worse, "low=0 high=0"},
		{"one length off", thirty(26.6), thirty(1), golden.Matches, "low=26.6 high=26.6"},
		{"two lengths off", thirty(28.4), thirty(1), golden.Better, "low=28.4 high=28.4"},
		{"the first of equal ones", thirty(30, 40), thirty(6, 5, 6), golden.Better, "chosen=40"},
		{"one seed without a loss", thirty(25), thirty(1, 1, 0), golden.OpenRuns, "n=29 need=30"},
	} {
		f := lengths(rnnAnBn, test.values, test.losses)
		if err := judge(f, golden.Judge{Groups: []golden.Name{rnnAnBn}}, published()); err != nil {
			t.Fatal(err)
		}
		if len(f.Verdicts) != 1 || f.Verdicts[0].Key != anbnCell {
			t.Fatalf("%s: verdicts %v, want one on %s", test.name, f.Verdicts, anbnCell)
		}
		if v := f.Verdicts[0]; v.Outcome != test.want || !strings.Contains(v.Evidence, test.evidence) {
			t.Errorf("%s: have %s %s, want %s %s", test.name, v.Outcome, v.Evidence, test.want, test.evidence)
		}
	}
	f := lengths(rnnAnBn, make([]float64, 10), nil)
	if err := judge(f, golden.Judge{Groups: []golden.Name{rnnAnBn}}, published()); err != nil || len(f.Verdicts) != 0 {
		t.Errorf("seeds without any loss: have %v, %v, want no verdict", f.Verdicts, err)
	}
}

// TestClaimOnChosen checks that a draw for a claim takes ten seeds and uses the one
// with the smallest loss. One of the ten seeds here has the smallest loss of all,
// and a draw contains it with probability 1 - 0.9^10 = 0.651.
func TestClaimOnChosen(t *testing.T) {
	values := []float64{100, 100, 100, 20, 100, 100, 100, 100, 100, 100}
	losses := []float64{2, 2, 2, 1, 2, 2, 2, 2, 2, 2}
	f := lengths(rnnAnBn, values, losses)
	for _, task := range []string{"anbncn", "anbncndn", "anb2n", "anbmcnm"} {
		more := lengths(golden.Name("paper=stack-rnn/table=2/row=rnn/task="+task), make([]float64, 10), losses)
		f.Rows = append(f.Rows, more.Rows...)
	}
	var yes int // claim J01 is true if all values are at most 33.4
	have := claimed(t, f, "J01")
	if _, err := fmt.Sscanf(have, "undecided draws=10000 true=%d", &yes); err != nil || yes < 6320 || 6700 < yes {
		t.Errorf("have %s, want undecided with about 6513 true", have)
	}
	f.Rows[0].Values = f.Rows[0].Values[:1]
	want := `undecided short="` + string(rnnAnBn) + ` test-lengths-%: 9 of 10 seeds"`
	if have := claimed(t, f, "J01"); have != want {
		t.Errorf("one seed without a loss: have %s, want %s", have, want)
	}
}

// TestMeasureChosen checks a measure that uses the seed with the smallest loss.
func TestMeasureChosen(t *testing.T) {
	m := Measure{Claim: "S06", Values: []MeasureValue{{Group: rnnAnBn, Unit: "test-lengths-%", ChosenBy: "valid-ce"}}, Holds: func(v []float64) bool { return v[0] == 7 }}
	RegisterMeasure(m)
	t.Cleanup(func() { delete(measures.byClaim, "S06") })
	for want, losses := range map[string][]float64{
		"holds draws=10000 true=10000": {1, 1, 1, 1},
		"undecided draws=10000 true=":  {2, 2, 1, 2},
		`undecided missing="`:          nil,
	} {
		values := []float64{7, 7, 8, 7}
		if strings.HasPrefix(want, "holds") {
			values[2] = 7
		}
		if have := claimed(t, lengths(rnnAnBn, values, losses), "S06"); !strings.HasPrefix(have, want) {
			t.Errorf("losses %v: have %s, want %s", losses, have, want)
		}
	}
	m.Claim, m.Values[0].Reduce = "R08", golden.Mean
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "have both ChosenBy, valid-ce, and Reduce") {
			t.Errorf("a cell with both ChosenBy and Reduce: panic: have %v, want one that says so", r)
		}
	}()
	RegisterMeasure(m)
}

// TestTableOfChosen checks the line of a cell whose run is chosen by its loss: it
// shows the value of the chosen seed, the number of runs to choose from, and the
// unit of the loss.
func TestTableOfChosen(t *testing.T) {
	f := lengths(rnnAnBn, []float64{53, 30, 8}, []float64{3, 1, 2})
	have := strings.Split(strings.TrimSpace(Table(f, nil)), "\n")[1]
	want := string(rnnAnBn) + "  test-lengths-% (best of 10 by valid-ce)  25     30 (n=3)                   -"
	if d := cmp.Diff(strings.Fields(want), strings.Fields(have)); d != "" {
		t.Errorf("line (-want +have)\n%s", d)
	}
}

// TestBasis checks that the basis of a verdict has the unit of the loss that chooses a
// seed.
func TestBasis(t *testing.T) {
	want := golden.Basis{Group: rnnAnBn, Unit: "test-lengths-%", ChosenBy: "valid-ce"}
	for name, most := range map[string]int{anbnCell: 1, "J01": 5} {
		if have, err := Rules.Basis(name); err != nil || len(have) != most || !slices.Contains(have, want) {
			t.Errorf("%s: have %v, %v, want %d with %v", name, have, err, most, want)
		}
	}
	for name, complaint := range map[string]string{"R99": "have no published claim", "[resurgence:2:dyck-m5:wcpa_percent:test]": "have no such cell", "S06": "have no function"} {
		if _, err := Rules.Basis(name); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%s: have error %v, want one with %q", name, err, complaint)
		}
	}
}
