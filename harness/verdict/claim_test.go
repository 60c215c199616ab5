package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// claimed returns the verdict on a claim as text: the outcome and the numbers of draws in which the
// claim is true and false, or the samples that are lacking.
func claimed(t *testing.T, r *Results, id string) string {
	t.Helper()
	c, ok := papers.Published().Claim(id)
	if !ok {
		t.Fatalf("have no claim %s", id)
	}
	v, ok := r.Claim(c)
	if !ok {
		return "not about results"
	}
	if len(v.Lacking) == 0 {
		return fmt.Sprintf("%s %d %d", v.Outcome, v.True, v.False)
	}
	text := string(v.Outcome)
	for _, l := range v.Lacking {
		text += fmt.Sprintf(", %s %s %d of %d", l.Group, l.Unit, l.Have, l.Want)
	}
	return text
}

// agrees reports whether a text of claimed is the wanted one. If that is "undecided about" a share of
// draws in which the claim is true, the share may be off by four standard deviations of 0.005.
func agrees(have, want string) bool {
	var share, yes, no float64
	if _, err := fmt.Sscanf(want, "undecided about %f", &share); err != nil {
		return have == want
	}
	_, err := fmt.Sscanf(have, "undecided %f %f", &yes, &no)
	return err == nil && yes+no == Draws && math.Abs(yes/Draws-share) < 0.02
}

// TestClaims decides claims over printed numbers.
func TestClaims(t *testing.T) {
	const (
		m6, m8        = golden.Name("paper=resurgence/table=2/row=dyck-m6"), golden.Name("paper=resurgence/table=2/row=dyck-m8")
		dyck          = "R13" // epochs of m4 > those of m6 > those of m8
		always, never = "holds 10000 0", "fails 0 10000"
	)
	epochs := func(a, b, c []float64) samples {
		return samples{m4: {"epochs": a}, m6: {"epochs": b}, m8: {"epochs": c}}
	}
	table4 := func(ngram, cache, rnn []float64) samples { // J10: the values of cache are below those of rnn, and those below those of ngram
		const row = "paper=stack-rnn/table=4/row="
		return samples{row + "ngram": {"test-ppl": ngram}, row + "ngram-cache": {"test-ppl": cache}, row + "rnn": {"test-ppl": rnn}}
	}
	const acc = "paper=diffstk/table=1/row="
	bests := func(lstm, gru []float64) samples { // D01: the best of each of four networks is at most 4
		zero := make([]float64, 10)
		return samples{acc + "rnn": {"test-acc-%": zero}, acc + "lstm": {"test-acc-%": lstm}, acc + "gru": {"test-acc-%": gru}, acc + "delta-rnn": {"test-acc-%": zero}}
	}
	const lengths = "paper=stack-rnn/table=2/row=rnn/task="
	chosen := func(losses []float64) samples { // J01: the chosen value of each of five tasks is at most 33.4
		s := samples{lengths + "anbn": {"test-lengths-%": fill(10, 100, 100, 100, 100, 20), "valid-ce": losses}}
		for _, task := range []string{"anbncn", "anbncndn", "anb2n", "anbmcnm"} {
			s[golden.Name(lengths+task)] = map[string][]float64{"test-lengths-%": make([]float64, 10), "valid-ce": fill(10, 1)}
		}
		return s
	}
	pairs := samples{}
	for task, v := range map[string][2]float64{"cross-gi": {59, 42}, "cross-iu": {46, 63}, "simple-iu": {88, 53}, "simple-gi": {6, 14}} {
		for i, row := range []string{"baseline", "attention"} {
			pairs[golden.Name("paper=second-order-lstm/table=3/row="+row+"/task="+task)] = map[string][]float64{"test-pair-acc-%": fill(3, v[i])}
		}
	}
	for _, c := range []struct {
		claim string
		files []samples
		want  string
	}{
		{dyck, []samples{epochs([]float64{9, 9.5, 10}, []float64{5, 5.5, 6}, []float64{1, 1.5, 2})}, always},
		{dyck, []samples{epochs([]float64{1, 1.5, 2}, []float64{5, 5.5, 6}, []float64{9, 9.5, 10})}, never},
		{dyck, []samples{epochs(fill(3, 4), fill(3, 4), fill(3, 1))}, never},
		{dyck, []samples{epochs(fill(3, 4), nil, fill(3, 1))}, "undecided, " + string(m6) + " epochs 0 of 3"},
		{dyck, []samples{epochs(fill(3, 4), fill(2, 2), fill(3, 1))}, "undecided, " + string(m6) + " epochs 2 of 3"},
		{dyck, []samples{epochs(fill(1, 4), nil, fill(2, 1))}, // those that are missing come first
			"undecided, " + string(m6) + " epochs 0 of 3, " + string(m4) + " epochs 1 of 3, " + string(m8) + " epochs 2 of 3"},
		// The samples may be in several files. The first file with runs of a group counts.
		{dyck, []samples{epochs(fill(3, 9), fill(3, 5), nil), {m8: {"epochs": fill(3, 1)}, m4: {"epochs": fill(3, 0)}}}, always},
		// A model that counts needs one run.
		{"J10", []samples{table4(fill(1, 141), fill(1, 125), []float64{129, 130})}, "undecided, paper=stack-rnn/table=4/row=rnn test-ppl 2 of 3"},
		{"J10", []samples{table4(fill(1, 141), fill(1, 125), []float64{129, 130, 131})}, always},
		// Of the 3^3 x 3^3 pairs of resamples, 0.5583 have a smaller mean of cache than of rnn.
		{"J10", []samples{table4(fill(3, 1000), []float64{90, 120, 121}, []float64{100, 110, 130})}, "undecided about 0.5583"},
		// A best of ten runs needs ten seeds, and a draw takes ten. The one success is
		// missing from a draw with probability 0.9^10.
		{"D01", []samples{bests(fill(10, 0, 50), make([]float64, 10))}, "undecided about 0.3487"},
		{"D01", []samples{bests(fill(20, 0, 50), make([]float64, 10))}, "undecided about 0.5987"}, // 0.95^10
		{"D01", []samples{bests(fill(10, 0, 50), make([]float64, 9))}, "undecided, " + acc + "gru test-acc-% 9 of 10"},
		// If the run with the smallest loss counts, a draw takes ten seeds, too, and contains
		// that run with probability 1 - 0.9^10.
		{"J01", []samples{chosen(fill(10, 2, 2, 2, 2, 1))}, "undecided about 0.6513"},
		{"J01", []samples{chosen(fill(10, 2, math.NaN()))}, "undecided, " + lengths + "anbn test-lengths-% 9 of 10"},
		// Values in per cent are converted if the paper prints fractions.
		{"S13", []samples{pairs}, always},
		{"S05", []samples{{"paper=second-order-lstm/table=1/row=m8-baseline": {"test-wcpa-%": {0, 0, 0}}}}, always},
		{"D14", nil, "not about results"}, // it is about the printed numbers
		{"R17", nil, "not about results"}, // times are only shown
		{"R09", nil, "not about results"}, // it has no measure here
	} {
		r := results(c.files...)
		have := claimed(t, r, c.claim)
		if again := claimed(t, r, c.claim); again != have {
			t.Errorf("%s of %v: have %s, then %s", c.claim, c.files, have, again)
		}
		if !agrees(have, c.want) {
			t.Errorf("%s of %v: have %s, want %s", c.claim, c.files, have, c.want)
		}
	}
	j01, _ := papers.Published().Claim("J01")
	if v, _ := results(chosen(fill(10, 1))).Claim(j01); v.Parts != 1 {
		t.Errorf("J01, of chosen runs: have %d parts, want 1", v.Parts)
	}
	s05, _ := papers.Published().Claim("S05")
	if have := results().needs(s05, nil)[0].print(99.4); have != 0.994 {
		t.Errorf("99.4 per cent on the scale of S05: have %v, want 0.994", have)
	}
}

// TestDecide checks the limits of the numbers of draws.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		yes  int
		no   []int
		want Outcome
	}{
		{Draws, []int{0}, Holds}, {9566, []int{434}, Holds}, {9565, []int{435}, Undecided}, {435, []int{9565}, Undecided}, {434, []int{9566}, Fails}, {0, []int{Draws}, Fails},
		{0, []int{9565}, Undecided}, {0, []int{9566}, Fails}, {9566, []int{0}, Holds}, {0, []int{0}, Undecided},
		// One of m parts must be false in all draws but 0.05/m, and three standard errors.
		{0, []int{9796, 9796}, Undecided}, {0, []int{0, 9797}, Fails}, {0, times(6, 9990), Fails}, {0, times(128, 9999), Undecided}, {0, times(128, Draws), Fails},
	} {
		if have := decide(c.yes, c.no); have != c.want {
			t.Errorf("true in %d draws, false in %v: have %s, want %s", c.yes, c.no, have, c.want)
		}
	}
}

// times returns n equal counts of draws.
func times(n, count int) []int { return slices.Repeat([]int{count}, n) }

// TestClaimChance simulates experiments in which what a claim says of networks is just true or just false, because they are
// alike, and counts how often it is decided otherwise.
func TestClaimChance(t *testing.T) {
	if testing.Short() {
		t.Skip("600 experiments: not under -short")
	}
	const (
		trials = 200
		m6, m8 = golden.Name("paper=resurgence/table=2/row=dyck-m6"), golden.Name("paper=resurgence/table=2/row=dyck-m8")
	)
	networks := []golden.Name{"rnn", "lstm", "stack-rnn", "diffstk-rnn", "diffstk-mrnn", "diffstk-mirnn"} // D13: each is at least as good in one column of table 8 as in the other
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		what, claim string
		runs        int
		wrong       Outcome
		most        float64 // share of experiments
	}{
		{"a difference of two networks with three runs", "R13", 3, Holds, 0.05}, // its last comparison is always true
		{"a difference of two networks with ten runs", "R13", 10, Holds, 0.06},
		{"six comparisons of equal networks with thirty runs", "D13", 30, Fails, 0.06},
		{"twelve comparisons of networks with three runs and others that do not vary", "R12", 3, Fails, 0.06},
	} {
		wrong := 0
		for range trials {
			s := samples{}
			normal := func() []float64 {
				x := make([]float64, c.runs)
				for i := range x {
					x[i] = 50 + 5*r.NormFloat64()
				}
				return x
			}
			switch c.claim {
			case "R13":
				s[m4], s[m6], s[m8] = map[string][]float64{"epochs": normal()}, map[string][]float64{"epochs": normal()}, map[string][]float64{"epochs": fill(c.runs, 1)}
			case "D13":
				for _, n := range networks {
					s["paper=diffstk/table=1/row="+n+"/task=searched"] = map[string][]float64{"test-acc-%": normal()}
					s["paper=diffstk/table=8/row="+n+"/task=incremental-searched"] = map[string][]float64{"test-acc-%": normal()}
				}
			case "R12": // of the rows cut25, cut50, cut75 and char of a network, the first and the third do not vary
				l, _ := papers.Published().Claim("R12")
				for i, k := range keys(l) {
					n, _ := papers.Published().Number(k)
					if group := golden.Name(n.Group()); s[group] == nil {
						x := normal()
						if i%2 == 0 {
							x = fill(c.runs, 50)
						}
						s[group] = map[string][]float64{"test-bpc": x}
					}
				}
			}
			l, _ := papers.Published().Claim(c.claim)
			list, _ := scenarios(l)
			res := results(s)
			if res.bootstrap(l, res.needs(l, list[0])).Outcome == c.wrong {
				wrong++
			}
		}
		if share := float64(wrong) / trials; share > c.most {
			t.Errorf("%s: %s in %.3f of the experiments, want at most %v", c.what, c.wrong, share, c.most)
		} else {
			t.Logf("%s: %s in %.3f of the experiments", c.what, c.wrong, share)
		}
	}
}

// TestAllClaims gives each run exactly the printed values. Every claim over printed numbers
// must then have the outcome that it has on the printed numbers. Claims about the best of
// several runs are left out.
func TestAllClaims(t *testing.T) {
	s := samples{}
	for _, n := range papers.Published().Numbers {
		q, group := n.Quantity, golden.Name(n.Group())
		if q.Unit == "" || q.Best { // where the paper prints both a mean and a best, the runs have the mean
			continue
		}
		if s[group] == nil {
			s[group] = make(map[string][]float64)
		}
		s[group][q.Unit] = fill(10, n.Published)
		if q.ChosenBy != "" {
			s[group][q.ChosenBy] = fill(10, 1)
		}
	}
	r, decided := results(s), 0
	for _, c := range papers.Published().Claims {
		onBest := false // whether the claim uses a best, which the runs above do not have
		for _, k := range keys(c) {
			n, _ := papers.Published().Number(k)
			onBest = onBest || n.Quantity.Best
		}
		v, ok := r.Claim(c)
		if !ok || onBest {
			continue
		}
		decided++
		if c.Published && v.True != Draws || !c.Published && v.False != Draws {
			t.Errorf("%s: have %v, want an outcome of %v in each draw", c.ID, v, c.Published)
		}
	}
	if decided < 30 {
		t.Errorf("have %d claims that are decided, want 30 or more", decided)
	}
}

// TestMeasures decides claims by measures of the values of a row in two units.
func TestMeasures(t *testing.T) {
	const row, a, b = golden.Name("paper=stack-rnn/table=2/row=rnn/task=anbn"), "test-lengths-%", "valid-ce"
	below := func(v []float64) bool { return v[0] < v[1] }
	of := func(claim string, holds func([]float64) bool, values ...MeasureValue) Measure {
		return Measure{Claim: claim, Values: values, Holds: holds}
	}
	both := []MeasureValue{{Group: row, Unit: a}, {Group: row, Unit: b}}
	first := func(s []float64) float64 { return s[0] }
	assuming := of("S06", below, both...)
	assuming.Premise = func(v []float64) bool { return v[1] > 50 }
	half := of("S05", func(v []float64) bool { return v[0] <= 30 }, MeasureValue{Group: "paper=second-order-lstm/table=1/row=m8-baseline", Unit: "epochs", Reduce: first})
	pairs := func(units ...string) Measure {
		m := Measure{Claim: "S06", Pair: func(first, second float64) bool { return first < second }}
		for _, u := range units {
			m.Values = append(m.Values, MeasureValue{Group: row, Unit: u})
		}
		return m
	}
	for _, c := range []struct {
		measure Measure
		values  map[string][]float64
		want    string
	}{
		{of("S06", below, both...), map[string][]float64{a: {1, 2, 3}, b: {4, 5, 6}}, "holds 10000 0"},
		{of("S06", below, both...), map[string][]float64{a: {4, 5, 6}, b: {1, 2, 3}}, "fails 0 10000"},
		{of("S06", below, both...), map[string][]float64{a: {4, 5, 6}}, "undecided, " + string(row) + " valid-ce 0 of 3"},
		// A draw takes the same seeds for both units.
		{of("S06", func(v []float64) bool { return math.Abs(v[1]-v[0]-1) < 1e-9 }, both...), map[string][]float64{a: {41, 45, 49, 42, 47}, b: {42, 46, 50, 43, 48}}, "holds 10000 0"},
		// Unit params is exact: one run is enough.
		{of("S06", below, MeasureValue{Group: row, Unit: "params"}, both[1]), map[string][]float64{"params": {5}, b: {6, 6, 6}}, "holds 10000 0"},
		// Draws in which the premise is false count neither for the claim nor against it.
		{assuming, map[string][]float64{a: {1, 2, 3}, b: {68, 70, 72}}, "holds 10000 0"},
		{assuming, map[string][]float64{a: {91, 92, 93}, b: {68, 70, 72}}, "fails 0 10000"},
		{assuming, map[string][]float64{a: {1, 2, 3}, b: {42, 40, 38}}, "undecided 0 0"},
		// The seed with the smallest loss, or a reduction of the drawn seeds.
		{of("S06", func(v []float64) bool { return v[0] == 7 }, MeasureValue{Group: row, Unit: a, ChosenBy: b}), map[string][]float64{a: {7, 7, 8, 7}, b: {2, 2, 1, 2}}, "undecided about 0.3164"}, // 0.75^4,
		{of("S06", func(v []float64) bool { return v[0] != 7.5 }, MeasureValue{Group: row, Unit: a, Reduce: Median}), map[string][]float64{a: {7, 7, 8, 8}}, "holds 10000 0"},
		// A moved mean of percentages stays below 100, and above 0.
		{of("S06", func(v []float64) bool { return 0 <= v[0] && v[0] <= 100 }, both[0]), map[string][]float64{a: {0, 100, 100}}, "holds 10000 0"},
		{of("S06", func(v []float64) bool { return v[0] >= 20 }, both[1]), map[string][]float64{b: {20, 21, 22}}, "undecided about 0.8519"}, // 23/27
		// Each pair of values decides alone.
		{pairs(b, a), map[string][]float64{a: {1, 2, 3}, b: {4, 5, 6}}, "fails 0 10000"},
		{pairs(a, b), map[string][]float64{a: {1, 2, 3}, b: {4, 5, 6}}, "holds 10000 0"},
		{pairs(a, b, b, a), map[string][]float64{a: {1, 2, 3}, b: {4, 5, 6}}, "fails 0 10000"},
		// A claim with both a relation and a measure holds only if both are true.
		{half, map[string][]float64{"test-wcpa-%": {0, 0, 0}, "epochs": {20, 20, 30}}, "holds 10000 0"},
		{half, map[string][]float64{"test-wcpa-%": {0, 0, 0}, "epochs": {31, 31, 40}}, "fails 0 10000"},
		{half, map[string][]float64{"test-wcpa-%": {50, 50, 50}, "epochs": {20, 20, 30}}, "fails 0 10000"},
		{half, map[string][]float64{"test-wcpa-%": {0, 0, 0}}, "undecided, paper=second-order-lstm/table=1/row=m8-baseline epochs 0 of 3"},
	} {
		r := NewResults([]*golden.File{file(samples{c.measure.Values[0].Group: c.values})}, c.measure)
		if have := claimed(t, r, c.measure.Claim); !agrees(have, c.want) {
			t.Errorf("%s of %v: have %s, want %s", c.measure.Claim, c.values, have, c.want)
		}
	}
	two := NewResults([]*golden.File{file(samples{row: {a: {1, 2, 3}, b: {4, 5, 6}}})}, pairs(a, b, b, a))
	c, _ := papers.Published().Claim("S06")
	if v, _ := two.Claim(c); v.Parts != 2 || v.Least != 0 {
		t.Errorf("two pairs: have %+v, want two parts, one of them never true", v)
	}
	yes := func([]float64) bool { return true }
	for want, list := range map[string][]Measure{
		"have no such claim": {of("R99", yes, both...)},
		"have no values":     {of("R08", yes)},
		"or both or none":    {of("R08", nil, both...)},
		"3 values":           {pairs(a, b, b)},
		"have a second":      {of("R08", yes, both...), of("R08", yes, both...)},
		"have a seed":        {of("R08", yes, MeasureValue{Group: row + "/seed=1", Unit: a})},
		"have both ChosenBy": {of("R08", yes, MeasureValue{Group: row, Unit: a, ChosenBy: b, Reduce: first})},
	} {
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), want) {
					t.Errorf("measures %v: panic: have %v, want one with %q", list, r, want)
				}
			}()
			NewResults(nil, list...)
		}()
	}
}

// TestClaimLines checks that claims are listed by paper, with the rows on which they depend, and
// that their outcomes are explained in words, in which the row is a part of its own.
func TestClaimLines(t *testing.T) {
	last := map[string]int{}
	for i, l := range results().Claims() {
		if at, seen := last[l.Paper]; seen && at != i-1 {
			t.Errorf("%s: have a claim of %s after those of another paper", l.ID, l.Paper)
		}
		last[l.Paper] = i
		if l.ID == "R13" && (len(l.Groups) != 3 || l.Groups[0] != m4 || l.InPaper != "holds" || !l.Judged) || l.ID == "R09" && (l.Judged || l.InPaper != "no table") {
			t.Errorf("have %+v", l)
		}
	}
	lacking := func(have, more int) ClaimVerdict {
		first := Lacking{m4, "test-wcpa-%", have, 3}
		return ClaimVerdict{Lacking: append([]Lacking{first}, make([]Lacking, more)...)}
	}
	for want, v := range map[string]ClaimVerdict{
		"true in 3 of 10000 draws from our runs": {True: 3, False: 9997, Parts: 1, Least: 3},
		"true in 3 of 10000 draws from our runs, and the comparison that is true least often, with means moved further, in 70 (of 6)": {True: 3, False: 9997, Parts: 6, Least: 70},
		"true in 3 of 10000 draws from our runs; in 5 the networks drawn do not do what the claim presumes":                           {True: 3, False: 9992},
		"no runs of resurgence, table 2, dyck-m4 (test WCPA in %)":                                                                    lacking(0, 0),
		"no runs of resurgence, table 2, dyck-m4 (test WCPA in %), and too few or no runs of one other number":                        lacking(0, 1),
		"too few runs of resurgence, table 2, dyck-m4 (test WCPA in %): 1 of 3 seeds, and of 4 other numbers":                         lacking(1, 4),
	} {
		list := v.because()
		if have := plain(list); have != want || len(v.Lacking) > 0 && list[1].Group != m4 {
			t.Errorf("have %q with the parts %v, want %q", have, list, want)
		}
	}
}
