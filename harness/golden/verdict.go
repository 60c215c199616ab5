package golden

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/golden/papers"
)

// Judge says which verdicts follow from a run. Verdicts that it does not
// mention stay as they are.
type Judge struct {
	// Groups are the groups that ran at the paper's own size. Every published
	// cell that units.csv places at one of them is judged. Reduced runs do
	// not belong here: they reproduce nothing.
	Groups []Name
	// Claims are the ids of the claims to judge.
	Claims []string
	// Beside are golden files of other suites, for claims whose cells lie in
	// several.
	Beside []*File
}

func (j Judge) check() error {
	for i, g := range j.Groups {
		if err := g.check(false); err != nil {
			return fmt.Errorf("judge: %w", err)
		}
		if slices.Contains(j.Groups[:i], g) {
			return fmt.Errorf("judge: have group %s twice, need it once", g)
		}
	}
	for i, id := range j.Claims {
		if slices.Contains(j.Claims[:i], id) {
			return fmt.Errorf("judge: have claim %s twice, need it once", id)
		}
	}
	return nil
}

// judge replaces the verdicts of f that j mentions by what follows from f's
// rows now.
func (f *File) judge(j Judge, published *papers.Tables) error {
	for _, group := range j.Groups {
		f.Verdicts = slices.DeleteFunc(f.Verdicts, func(v Verdict) bool {
			k, err := papers.ParseKey(v.Key)
			c, ok := published.Cell(k)
			return err == nil && ok && c.Group() == string(group)
		})
		for _, c := range published.At(string(group)) {
			u, measured := f.unitOf(c.Quantity.Unit)
			s := f.sample(group, c.Quantity.Unit, c.Quantity.By)
			if !measured || len(s.values) == 0 {
				continue // nothing measured, nothing to say
			}
			outcome, evidence := reproduce(c, s, u.Exact)
			f.Verdicts = append(f.Verdicts, Verdict{Key: c.Key.String(), Outcome: outcome, Evidence: evidence})
		}
	}
	slices.SortFunc(f.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Key, b.Key) })
	for _, id := range j.Claims {
		v, err := f.claim(id, j.Beside, published)
		if err != nil {
			return err
		}
		f.Claims = replaceBy(f.Claims, []ClaimVerdict{v}, func(c ClaimVerdict) string { return c.ID })
	}
	slices.SortFunc(f.Claims, func(a, b ClaimVerdict) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// evidence compares the verdicts stored in g with those that follow from its own
// rows, for what was edited by hand or not judged when the rows changed. Claims may
// rest on other files: only those of j are compared.
func (c *comparer) evidence(j Judge, published *papers.Tables) error {
	compare := func(name string, o Outcome, evidence string, outcome Outcome, want string) {
		if o != outcome || !sameEvidence(evidence, want) {
			c.add(Difference{Kind: Evidence, Name: name, Golden: string(o) + " " + evidence, Run: strings.TrimSpace(string(outcome) + " " + want),
				Note: "the golden file does not agree with itself: update it with the reason"})
		}
	}
	again := *c.golden
	again.Verdicts, again.Claims = nil, nil
	j.Groups = again.Groups()
	if err := again.judge(j, published); err != nil {
		return err
	}
	cells, claims := make(map[string]Verdict), make(map[string]ClaimVerdict)
	for _, v := range again.Verdicts {
		cells[v.Key] = v
	}
	for _, v := range again.Claims {
		claims[v.ID] = v
	}
	for _, v := range c.golden.Verdicts {
		compare(v.Key, v.Outcome, v.Evidence, cells[v.Key].Outcome, cells[v.Key].Evidence)
	}
	for _, v := range c.golden.Claims {
		if now, judged := claims[v.ID]; judged {
			compare(v.ID, v.Outcome, v.Evidence, now.Outcome, now.Evidence)
		}
	}
	return nil
}

// sameEvidence reports whether two texts have the same fields, but for the sixth
// digit of an interval's ends: a quantile may differ in its last bits between
// processors, and rounding may take that up to a unit of the digit.
func sameEvidence(a, b string) bool {
	x, errX := splitFields(a)
	y, errY := splitFields(b)
	if errX != nil || errY != nil || len(x) != len(y) {
		return false
	}
	for i, f := range x {
		if f == y[i] {
			continue
		}
		v, errV := strconv.ParseFloat(f.value, 64)
		w, errW := strconv.ParseFloat(y[i].value, 64)
		if f.key != y[i].key || f.key != "low" && f.key != "high" || errV != nil || errW != nil || abs(v-w) > 1.1e-5*max(abs(v), abs(w)) {
			return false
		}
	}
	return true
}

// reproduce compares a published cell with the values of our seeds: does the
// printed number, plus or minus half its last digit, meet the interval in
// which our runs predict it? exact says that the unit never varies.
func reproduce(c papers.Cell, s sample, exact bool) (Outcome, string) {
	q, n := c.Quantity, len(s.values)
	evidence := []field{
		{"published", decimalText(c.Published)}, {"half", decimalText(c.Half)}, {"n", strconv.Itoa(n)},
	}
	if need := needSeeds(q, exact); n < need {
		return Undecided, joinFields(append(evidence, field{"need", strconv.Itoa(need)}))
	}
	var low, high float64
	of := field{"of", strconv.Itoa(q.Trials)}
	switch {
	case q.By != "":
		low, high = predictOf(s, q.Trials, sample.chosen, newResampler(Name(c.Group())))
		evidence = append(evidence, field{"chosen", decimalText(s.chosen())}, of, field{"by", q.By})
	case q.Best:
		low, high = predictOf(s, q.Trials, bestOf(q.Higher), newResampler(Name(c.Group())))
		evidence = append(evidence, field{"best", decimalText(best(s.values, q.Higher))}, of)
	default:
		low, high = predict(s.values, q.Trials)
		evidence = append(evidence, field{"mean", decimalText(mean(s.values))}, field{"sd", decimalText(deviation(s.values))})
	}
	low, high = round6(low), round6(high)
	evidence = append(evidence, field{"low", decimalText(low)}, field{"high", decimalText(high)})

	below, above := round6(c.Published-c.Half), round6(c.Published+c.Half)
	outcome := Reproduced
	switch {
	case above < low:
		outcome = Worse
		if q.Higher {
			outcome = Better
		}
	case high < below:
		outcome = Better
		if q.Higher {
			outcome = Worse
		}
	}
	return outcome, joinFields(evidence)
}

// needSeeds returns how many seeds a verdict on q needs: a best of k runs, or
// the chosen one of k, cannot be drawn from fewer than k.
func needSeeds(q *papers.Quantity, exact bool) int {
	switch {
	case q.Best || q.By != "":
		return max(MinSeeds, q.Trials)
	case exact:
		return 1
	}
	return MinSeeds
}

// decimalText writes a number of the evidence: six digits.
func decimalText(v float64) string { return number(round6(v)) }

// unsteady reports whether the named verdict, a cell key or a claim id, rests
// on a unit whose values no golden file can hold, such as wall time.
func (f *File) unsteady(name string, j Judge, published *papers.Tables) bool {
	any := func(unit string) bool {
		for _, file := range append([]*File{f}, j.Beside...) {
			if t, ok := file.toleranceOf(unit); ok && t.Any {
				return true
			}
		}
		return false
	}
	if k, err := papers.ParseKey(name); err == nil {
		c, ok := published.Cell(k)
		return ok && (any(c.Quantity.Unit) || any(c.Quantity.By))
	}
	claim, ok := published.Claim(name)
	if !ok {
		return false
	}
	needs, err := claimNeeds(claim, published)
	return err == nil && slices.ContainsFunc(needs, func(n need) bool { return any(n.unit) || any(n.by) })
}
