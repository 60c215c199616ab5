package golden

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rules derive verdicts from rows and compare rows with published values. This
// project uses verdict.Rules.
type Rules interface {
	// Judge derives the verdicts that j selects from the rows of f, and stores them in f.
	// It then sorts the verdicts of f.
	Judge(f *File, j Judge) error
	// Basis returns the samples that a verdict depends on. name is a cell key or a
	// claim id.
	Basis(name string) ([]Basis, error)
	// Table returns lines of text that show the values of f and run side by side.
	Table(f *File, run *Run) string
}

// A Basis is a sample that a verdict depends on: the values of a group in a unit.
// If the verdict uses only the seed with the smallest loss, ChosenBy is the unit of
// the loss.
type Basis struct {
	Group          Name
	Unit, ChosenBy string
}

// A Judge selects the verdicts to derive again after a run. Other verdicts are
// unchanged, unless All is set.
type Judge struct {
	// Groups are the groups that ran at the paper's own size. Every published cell
	// that units.csv assigns to one of these groups is judged. Do not list the
	// groups of reduced runs, because they cannot reproduce a published value.
	Groups []Name
	// Claims are the ids of the claims to judge.
	Claims []string
	// All says that Groups and Claims are all that the suite judges. A verdict of any other is
	// then a difference, and an update removes it.
	All bool
	// Beside has golden files of other suites, for claims that depend on several
	// suites.
	Beside []*File
}

func (j Judge) check() error {
	for i, g := range j.Groups {
		if err := g.check(false); err != nil {
			return fmt.Errorf("judge: %w", err)
		}
		if slices.Contains(j.Groups[:i], g) {
			return fmt.Errorf("judge: have group %s twice, want it once", g)
		}
	}
	for i, id := range j.Claims {
		if slices.Contains(j.Claims[:i], id) {
			return fmt.Errorf("judge: have claim %s twice, want it once", id)
		}
	}
	return nil
}

// evidence compares the verdicts stored in the golden file with those that follow
// from the file's own rows. It finds verdicts that were edited by hand, and
// verdicts that were not derived again when rows changed. Claims may depend on
// other golden files, so only the claims in j are compared.
func (c *comparer) evidence(j Judge) error {
	compare := func(name string, o Outcome, evidence string, outcome Outcome, want string) {
		if o != outcome || !sameEvidence(evidence, want) {
			note := "the golden file does not agree with itself: -update \"<reason>\" judges its rows again"
			if strings.Contains(want, "missing=") {
				note = "the verdict needs rows that the golden file does not have: run them, or remove them from the range of the claim"
			}
			c.add(Difference{Kind: Evidence, Name: name, Golden: string(o) + " " + evidence, Run: strings.TrimSpace(string(outcome) + " " + want), Note: note})
		}
	}
	again := *c.golden
	again.Verdicts, again.Claims = nil, nil
	j.Groups = again.Groups()
	if err := c.rules.Judge(&again, j); err != nil {
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

// sameEvidence reports whether two texts have the same fields. Only the fields low and
// high, the ends of an interval, may differ, by 1.1e-5 of their value. Their last bits may
// depend on the processor, and rounding may turn this into a difference in the sixth digit.
func sameEvidence(a, b string) bool {
	x, errX := SplitFields(a)
	y, errY := SplitFields(b)
	if errX != nil || errY != nil || len(x) != len(y) {
		return false
	}
	for i, f := range x {
		if f == y[i] {
			continue
		}
		v, errV := strconv.ParseFloat(f.Value, 64)
		w, errW := strconv.ParseFloat(y[i].Value, 64)
		if f.Key != y[i].Key || f.Key != "low" && f.Key != "high" || errV != nil || errW != nil || abs(v-w) > 1.1e-5*max(abs(v), abs(w)) {
			return false
		}
	}
	return true
}

// uncompared reports whether a verdict depends on a unit whose tolerance is Any, such as
// wall time. name is a cell key or a claim id.
func (f *File) uncompared(name string, j Judge, rules Rules) bool {
	any := func(unit string) bool {
		for _, file := range append([]*File{f}, j.Beside...) {
			if t, ok := file.ToleranceOf(unit); ok && t.Any {
				return true
			}
		}
		return false
	}
	basis, err := rules.Basis(name)
	return err == nil && slices.ContainsFunc(basis, func(b Basis) bool { return any(b.Unit) || any(b.ChosenBy) })
}
