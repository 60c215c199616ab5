package dyck

import (
	"path/filepath"
	"slices"
	"testing"

	"pushdown/harness/golden"
)

// claimed decides a claim on invented runs at paper scale: each row has the value of
// its place in the list, in all seeds.
func claimed(t *testing.T, claim, unit string, list []experiment, values []float64) golden.Outcome {
	t.Helper()
	units := LanguageUnits()
	for _, u := range Units() {
		if !slices.ContainsFunc(units, func(x golden.Unit) bool { return x.Name == u.Name }) {
			units = append(units, u)
		}
	}
	run := &golden.Run{Suite: "dyck", Scale: "invented", Contract: 1, Units: units, Tolerances: Tolerances(units)}
	run.Judge.Claims = []string{claim}
	for i, e := range list {
		for seed := 1; seed <= 3; seed++ {
			row := golden.Row{Name: group(e.row()).WithSeed(seed), Values: []golden.Value{{Unit: unit, Value: values[i]}}}
			if claim == "S05" { // its other half is a relation over the table
				row.Values = append(row.Values, golden.Value{Unit: "test-wcpa-%"})
			}
			run.Rows = append(run.Rows, row)
		}
	}
	path := filepath.Join(t.TempDir(), "invented.txt")
	if _, err := golden.UpdateFile(path, run, "invented runs"); err != nil {
		t.Fatal(err)
	}
	f, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Claims) != 1 || f.Claims[0].ID != claim {
		t.Fatalf("claims %v, want %s alone", f.Claims, claim)
	}
	return f.Claims[0].Outcome
}

// TestClaims: each claim that the suite measures holds of runs that are just good
// enough, and fails where a single row is not.
func TestClaims(t *testing.T) {
	of := func(kinds ...Kind) (list []experiment) {
		for _, e := range Table1(depths...) {
			if slices.Contains(kinds, e.Kind) {
				list = append(list, e)
			}
		}
		return list
	}
	pairs, attention := of(Baseline, Attention), of(Attention)
	readouts := all(Readouts(depths...))
	for _, c := range []struct {
		claim, unit string
		list        []experiment
		good        []float64
		spoil       int // place of the value that a row is spoiled by, -1: each in turn
		bad         float64
	}{
		{"R08", "test-wcpa-%", readouts, slices.Repeat([]float64{50}, 24), -1, 50.1},
		{"S05", "test-lowest-from-300", of(Baseline)[2:], []float64{30}, -1, 31},
		{"S06", "wcpa-fall-%", pairs, []float64{10, 9.9, 400, 300, 7, 0}, 3, 400},
		{"S06", "wcpa-fall-%", pairs, []float64{10, 9.9, 400, 300, 7, 0}, 0, 9.9},
		{"S07", "epochs-best", pairs, []float64{100, 99, 80, 20, 5, 4}, 5, 5},
		{"S07", "epochs-best", pairs, []float64{100, 99, 80, 20, 5, 4}, 1, 101},
		{"S09", "cosine-max", attention, []float64{0.9, 0.99, 0.999999}, -1, 1 - 0x1p-50},
		{"S10", "kinds-apart", attention[:1], []float64{1}, -1, 0},
		{"S11", "cell-by-symbol", attention, []float64{1, 1, 1}, -1, 0},
	} {
		if have := claimed(t, c.claim, c.unit, c.list, c.good); have != golden.Holds {
			t.Errorf("%s of %v: %s, want %s", c.claim, c.good, have, golden.Holds)
		}
		for i := range c.list {
			if c.spoil >= 0 && i != c.spoil {
				continue
			}
			values := slices.Clone(c.good)
			values[i] = c.bad
			if have := claimed(t, c.claim, c.unit, c.list, values); have != golden.Fails {
				t.Errorf("%s of %v: %s, want %s", c.claim, values, have, golden.Fails)
			}
		}
	}
}

// TestMedianOfSeeds: where the median counts, one seed of three decides nothing.
func TestMedianOfSeeds(t *testing.T) {
	for _, c := range []struct {
		sample []float64
		want   float64
	}{{[]float64{7}, 7}, {[]float64{3, 1}, 1}, {[]float64{100, 0, 40}, 40}, {[]float64{4, 3, 2, 1}, 2}} {
		before := slices.Clone(c.sample)
		if have := median(c.sample); have != c.want || !slices.Equal(before, c.sample) {
			t.Errorf("median of %v is %v, want %v and the sample as it was, %v", before, have, c.want, c.sample)
		}
	}
}
