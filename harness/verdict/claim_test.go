package verdict

import (
	"fmt"
	"strings"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

func published() *papers.Tables { return papers.Published() }

var (
	epochs = golden.Unit{Name: "epochs", Better: "lower"}
	ppl    = golden.Unit{Name: "test-ppl", Better: "lower"}
)

func rows(r ...string) []golden.Name {
	var groups []golden.Name
	for _, row := range r {
		groups = append(groups, golden.Name("paper=resurgence/table=2/row="+row))
	}
	return groups
}

func TestClaims(t *testing.T) {
	m := rows("dyck-m4", "dyck-m6", "dyck-m8")
	for _, test := range []struct {
		name    string
		samples map[golden.Name][]float64
		want    string
	}{
		{"clear", map[golden.Name][]float64{m[0]: {9, 9.5, 10}, m[1]: {5, 5.5, 6}, m[2]: {1, 1.5, 2}}, "holds draws=10000 true=10000"},
		{"clearly not", map[golden.Name][]float64{m[0]: {1, 1.5, 2}, m[1]: {5, 5.5, 6}, m[2]: {9, 9.5, 10}}, "fails draws=10000 true=0"},
		{"equal", map[golden.Name][]float64{m[0]: {4, 4, 4}, m[1]: {4, 4, 4}, m[2]: {1, 1, 1}}, "fails draws=10000 true=0"},
		{"open", map[golden.Name][]float64{m[0]: {5, 6, 7}, m[1]: {5, 6, 6.5}, m[2]: {1, 1, 1}}, "undecided draws=10000 true="},
		{"missing", map[golden.Name][]float64{m[0]: {4, 4, 4}, m[2]: {1, 1, 1}}, `undecided missing="paper=resurgence/table=2/row=dyck-m6 epochs"`},
		{"two missing", map[golden.Name][]float64{m[2]: {1, 1, 1}}, `undecided missing="paper=resurgence/table=2/row=dyck-m4 epochs" more=1`},
		{"short", map[golden.Name][]float64{m[0]: {4, 4, 4}, m[1]: {2, 2}, m[2]: {1, 1, 1}}, `undecided short="paper=resurgence/table=2/row=dyck-m6 epochs: 2 of 3 seeds"`},
	} {
		if have := claimed(t, file(epochs, test.samples), "R13"); !strings.HasPrefix(have, test.want) {
			t.Errorf("%s: have %s, want %s", test.name, have, test.want)
		}
	}
}

func TestDecide(t *testing.T) {
	for yes, want := range map[int]golden.Outcome{0: golden.Fails, 434: golden.Fails, 435: golden.Undecided, 9565: golden.Undecided, 9566: golden.Holds, Draws: golden.Holds} {
		if have := decide(yes, Draws-yes); have != want {
			t.Errorf("true in %d draws: have %s, want %s", yes, have, want)
		}
	}
	for no, want := range map[int]golden.Outcome{0: golden.Undecided, 9565: golden.Undecided, 9566: golden.Fails} {
		if have := decide(0, no); have != want {
			t.Errorf("false in %d draws and void in the others: have %s, want %s", no, have, want)
		}
	}
}

// TestClaimBeside checks that the cells of a claim may be in several golden files,
// and that the rows of the first file take precedence.
func TestClaimBeside(t *testing.T) {
	m := rows("dyck-m4", "dyck-m6", "dyck-m8")
	f := file(epochs, map[golden.Name][]float64{m[0]: {9, 9, 9}, m[1]: {5, 5, 5}})
	g := file(epochs, map[golden.Name][]float64{m[2]: {1, 1, 1}, m[0]: {0, 0, 0}}) // m[0], which f has too
	if have, want := claimed(t, f, "R13", g), "holds draws=10000 true=10000"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// TestClaimFollowsBootstrap compares the share of draws in which a claim is true with the
// exact probability, computed from all 3^3 resamples of each of two groups.
func TestClaimFollowsBootstrap(t *testing.T) {
	a, b := []float64{100, 110, 130}, []float64{90, 120, 121}
	const rnn, ngram, cache = golden.Name("paper=stack-rnn/table=4/row=rnn"), golden.Name("paper=stack-rnn/table=4/row=ngram"), golden.Name("paper=stack-rnn/table=4/row=ngram-cache")
	sums := func(x []float64) (s []float64) {
		for _, p := range x {
			for _, q := range x {
				for _, r := range x {
					s = append(s, p+q+r)
				}
			}
		}
		return s
	}
	// Claim J10 says that the values of cache are below those of rnn, and those of rnn
	// below those of ngram. The second part is true in every draw.
	want := 0
	for _, x := range sums(a) {
		for _, y := range sums(b) {
			if y < x {
				want++
			}
		}
	}
	exact := float64(want) / (27 * 27)
	f := file(ppl, map[golden.Name][]float64{cache: b, rnn: a, ngram: {1000, 1001, 1002}})
	var yes int
	have := claimed(t, f, "J10")
	if _, err := fmt.Sscanf(have, "undecided draws=10000 true=%d", &yes); err != nil {
		t.Fatalf("have %s: %v", have, err)
	}
	if share := float64(yes) / Draws; share < exact-0.02 || exact+0.02 < share { // four standard deviations of 0.005
		t.Errorf("share of draws: have %v, want about %v", share, exact)
	}
	if again := claimed(t, f, "J10"); again != have {
		t.Errorf("second time: have %s, want %s as the first", again, have)
	}
}

// TestClaimOnBest checks a claim about the best of ten runs. Each bootstrap draw must
// take ten seeds, and the claim must be undecided if there are fewer than ten.
func TestClaimOnBest(t *testing.T) {
	group := func(row string) golden.Name { return golden.Name("paper=diffstk/table=1/row=" + row) }
	acc := golden.Unit{Name: "test-acc-%", Better: "higher"}
	tenth := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 50}
	zero := make([]float64, 10)
	samples := map[golden.Name][]float64{group("rnn"): zero, group("lstm"): tenth, group("gru"): zero, group("delta-rnn"): zero}
	// Claim D01 is true if the best of each network is at most 4. The one success
	// of lstm is missing from a draw with probability 0.9^10 = 0.349.
	have := claimed(t, file(acc, samples), "D01")
	var yes int
	if _, err := fmt.Sscanf(have, "undecided draws=10000 true=%d", &yes); err != nil || yes < 3300 || 3680 < yes {
		t.Errorf("have %s, want undecided with about 3487 true", have)
	}
	samples[group("gru")] = zero[:9]
	if have, want := claimed(t, file(acc, samples), "D01"), `undecided short="paper=diffstk/table=1/row=gru test-acc-%: 9 of 10 seeds"`; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// TestClaimOnCounted checks that a claim needs one run of an n-gram model, and three of a
// network.
func TestClaimOnCounted(t *testing.T) {
	ppl := golden.Unit{Name: "test-ppl", Better: "lower"}
	const table = "paper=stack-rnn/table=4/row="
	samples := map[golden.Name][]float64{table + "ngram": {141}, table + "ngram-cache": {125}, table + "rnn": {129, 130}}
	if have, want := claimed(t, file(ppl, samples), "J10"), `undecided short="paper=stack-rnn/table=4/row=rnn test-ppl: 2 of 3 seeds"`; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	samples[table+"rnn"] = []float64{129, 130, 131}
	if have, want := claimed(t, file(ppl, samples), "J10"), "holds draws=10000 true=10000"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// TestClaimScale checks that values in per cent are converted if a claim uses
// fractions.
func TestClaimScale(t *testing.T) {
	wcpa := golden.Unit{Name: "test-wcpa-%", Better: "higher"}
	group := func(row string) golden.Name { return golden.Name("paper=second-order-lstm/table=3/row=" + row) }
	pairs := golden.Unit{Name: "test-pair-acc-%", Better: "higher"}
	f := file(pairs, map[golden.Name][]float64{
		group("baseline/task=cross-gi"): {59, 59, 59}, group("attention/task=cross-gi"): {42, 42, 42},
		group("baseline/task=cross-iu"): {46, 46, 46}, group("attention/task=cross-iu"): {63, 63, 63},
		group("baseline/task=simple-iu"): {88, 88, 88}, group("attention/task=simple-iu"): {53, 53, 53},
		group("baseline/task=simple-gi"): {6, 6, 6}, group("attention/task=simple-gi"): {14, 14, 14},
	})
	if have, want := claimed(t, f, "S13"), "holds draws=10000 true=10000"; have != want {
		t.Errorf("S13: have %s, want %s", have, want)
	}
	s05, _ := published().Claim("S05")
	if needs, err := claimNeeds(s05, published()); err != nil || needs[0].scale(99.4) != 0.994 {
		t.Errorf("99.4 per cent in the scale of S05: have %v, %v, want 0.994", needs[0].scale(99.4), err)
	}
	f = file(wcpa, map[golden.Name][]float64{"paper=second-order-lstm/table=1/row=m8-baseline": {0, 0, 0}})
	if have, want := claimed(t, f, "S05"), "holds draws=10000 true=10000"; have != want {
		t.Errorf("S05: have %s, want %s", have, want)
	}
}

// TestDrawsAreJoint checks that a draw takes the same seeds for two units of a
// group. If the units differ by the same amount in all seeds, they do so in every
// draw.
func TestDrawsAreJoint(t *testing.T) {
	samples := []sample{{values: []float64{1, 5, 9, 2, 7}}, {values: []float64{2, 6, 10, 3, 8}}}
	same := func(v float64) float64 { return v }
	all := func(n int) int { return n }
	needs := []need{
		{group: "test=a", unit: "x", draw: condenseBy(golden.Mean), size: all, scale: same},
		{group: "test=a", unit: "y", draw: condenseBy(golden.Mean), size: all, scale: same},
	}
	r := newResamples(needs, samples)
	distinct := make(map[float64]bool)
	for d := range 1000 {
		v := r.draw(d)
		if diff := v[1] - v[0]; diff < 1-1e-9 || 1+1e-9 < diff {
			t.Fatalf("draw %d: have means %v and %v, want a difference of 1", d, v[0], v[1])
		}
		distinct[v[0]] = true
	}
	if len(distinct) < 15 {
		t.Errorf("1000 draws of 5 seeds: have %d means, want many", len(distinct))
	}
}

// TestAllClaims gives each run exactly the printed values. Every claim over published cells
// must then have the outcome that it has on the printed cells. Claims about the best of
// several runs are left out.
func TestAllClaims(t *testing.T) {
	f := &golden.File{Suite: "x", Scale: "ci"}
	at := make(map[golden.Name]int)
	units := make(map[string]bool)
	for _, c := range published().Numbers {
		q, group := c.Quantity, golden.Name(c.Group())
		if q.Unit == "" || q.Best { // where the paper prints both a mean and a best, the runs have the mean
			continue
		}
		if !units[q.Unit] {
			units[q.Unit] = true
			f.Units = append(f.Units, golden.Unit{Name: q.Unit, Better: map[bool]string{true: "higher", false: "lower"}[q.Higher]})
		}
		for seed := 1; seed <= 10; seed++ {
			name := group.WithSeed(seed)
			i, ok := at[name]
			if !ok {
				i = len(f.Rows)
				at[name] = i
				f.Rows = append(f.Rows, golden.Row{Name: name})
			}
			f.Rows[i].Values = append(f.Rows[i].Values, golden.Value{Unit: q.Unit, Value: c.Published})
			if q.ChosenBy != "" {
				f.Rows[i].Values = append(f.Rows[i].Values, golden.Value{Unit: q.ChosenBy, Value: float64(seed)})
			}
		}
	}
	for _, c := range published().Claims {
		if c.Relation == nil || c.Printed {
			continue
		}
		onBest := false // whether the claim uses a best, which the runs above do not have
		for _, k := range c.Relation.Keys() {
			cell, _ := published().Number(k)
			onBest = onBest || cell.Quantity.Best
		}
		if onBest {
			continue
		}
		want := "fails draws=10000 true=0"
		if c.Published {
			want = "holds draws=10000 true=10000"
		}
		v, err := decideClaim(f, c.ID, nil, published())
		if have := fmt.Sprintf("%s %s", v.Outcome, v.Evidence); err != nil || have != want {
			t.Errorf("%s: have %s (%v), want %s", c.ID, have, err, want)
		}
	}
}

func TestMeasure(t *testing.T) {
	const one, two = golden.Name("paper=resurgence/section=6.2/row=dyck-m4-1d"), golden.Name("paper=resurgence/section=6.2/row=dyck-m4-2d")
	wcpa := golden.Unit{Name: "test-wcpa-%", Better: "higher"}
	for want, samples := range map[string]map[golden.Name][]float64{
		"holds draws=10000 true=10000": {one: {40, 60, 99}, two: {100, 100, 100}},
		"fails draws=10000 true=0":     {one: {100, 100, 100}, two: {100, 100, 100}},
		`undecided missing="paper=resurgence/section=6.2/row=dyck-m4-2d test-wcpa-%"`: {one: {40, 60, 99}},
	} {
		if have := claimed(t, file(wcpa, samples), "R09"); have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	}
	for want, m := range map[string]Measure{
		"no such claim": {Claim: "R99"},
		"no cells":      {Claim: "R08"},
		"have a second": {Claim: "R09", Values: []MeasureValue{{Group: one, Unit: "x"}}, Holds: func([]float64) bool { return true }},
		"have a seed":   {Claim: "R08", Values: []MeasureValue{{Group: one + "/seed=1", Unit: "x"}}, Holds: func([]float64) bool { return true }},
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
					t.Errorf("register %s: panic: have %v, want one with %q", m.Claim, r, want)
				}
			}()
			RegisterMeasure(m)
		}()
	}
}

// TestMeasureOfHalfAClaim checks a claim that has both a relation and a measure. It
// holds only if both are true, and is undecided if cells of the measure are
// missing.
func TestMeasureOfHalfAClaim(t *testing.T) {
	const group = golden.Name("paper=second-order-lstm/table=1/row=m8-baseline")
	RegisterMeasure(Measure{
		Claim: "S05", Values: []MeasureValue{{Group: group, Unit: "epochs", Reduce: func(s []float64) float64 { return s[0] }}},
		Holds: func(v []float64) bool { return v[0] <= 30 },
	})
	t.Cleanup(func() { delete(measures.byClaim, "S05") })
	wcpa := golden.Unit{Name: "test-wcpa-%", Better: "higher"}
	for want, values := range map[string][2][]float64{
		"holds draws=10000 true=10000": {{0, 0, 0}, {20, 20, 30}},
		"fails draws=10000 true=0":     {{0, 0, 0}, {31, 31, 40}},
		"fails draws=10000 true=0 ":    {{1, 0, 2}, {31, 31, 40}},
		"fails draws=10000 true=0  ":   {{50, 50, 50}, {20, 20, 30}},
		`undecided missing="paper=second-order-lstm/table=1/row=m8-baseline epochs"`: {{0, 0, 0}, nil},
	} {
		f := file(wcpa, map[golden.Name][]float64{group: values[0]})
		f.Units = append(f.Units, epochs)
		for i, v := range values[1] {
			f.Rows[i].Values = append(f.Rows[i].Values, golden.Value{Unit: "epochs", Value: v})
		}
		if have := claimed(t, f, "S05"); have != strings.TrimSpace(want) {
			t.Errorf("%v: have %s, want %s", values, have, want)
		}
	}
}
