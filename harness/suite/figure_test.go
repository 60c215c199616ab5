package suite

import (
	"errors"
	"testing"

	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// placed is a row that implements only ID.
type placed struct{ Row }

func (placed) ID() RowID { return RowID{Paper: "diffstk", Table: "1", Row: "rnn"} }

func TestDecodeRuns(t *testing.T) {
	r := Traced{Row: placed{}, Runs: []traces.Run{{Seed: 1}, {Seed: 3}}}
	list, err := DecodeRuns(r, func(run traces.Run) (int, error) { return run.Seed, nil })
	if err != nil || len(list) != 2 || list[0] != 1 || list[1] != 3 {
		t.Errorf("have %v and error %v, want 1 and 3", list, err)
	}
	bad := errors.New("bad")
	want := "traces of " + string(r.Row.ID().Group()) + ": bad"
	if _, err := DecodeRuns(r, func(traces.Run) (int, error) { return 0, bad }); !errors.Is(err, bad) || err.Error() != want {
		t.Errorf("have error %v, want %s", err, want)
	}
}

func TestSeedsText(t *testing.T) {
	for want, seeds := range map[string][]int{"1 seed": {1, 1}, "3 seeds": {3}, "1 to 3 seeds": {2, 3, 1}} {
		if have := SeedsText(seeds...); have != want {
			t.Errorf("%v: have %q, want %q", seeds, have, want)
		}
	}
}

func TestBest(t *testing.T) {
	if have := Best([]train.Validation{{Update: 1, Best: true}, {Update: 2, Best: true}, {Update: 3}}); have.Update != 2 {
		t.Errorf("have the validation after update %d, want 2", have.Update)
	}
}
