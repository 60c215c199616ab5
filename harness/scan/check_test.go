package scan

import (
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

// TestBadPlacesAreRefused checks that the method check rejects plans in which a value
// overwrites another that is still needed, or in which a state is in the wrong place.
func TestBadPlacesAreRefused(t *testing.T) {
	for _, c := range []struct {
		cell    testCell
		corrupt func(p *plan) // called before store
		move    func(p *plan) // called after store
		says    string
	}{
		{cell: testCell{"passedPart", 8, passedPart}, says: "which is a result", corrupt: func(p *plan) {
			for _, v := range p.values {
				v.isGradResult = false
			}
		}},
		{cell: testCell{"addToPart", 9, addToPart}, says: "which is read later by", move: func(p *plan) {
			for _, v := range p.values {
				if v.addsToPart() && !v.backward && v.within == nil {
					v.within, v.overwrites = v.in[0], true
				}
			}
		}},
		{cell: testCell{"lstm", 6, lstm}, says: "which is read later by", move: func(p *plan) { // a value in the place of a later one
			alone := func(v *value) bool {
				return !v.isOutput && v.within == nil && v.at.Slot == kernel.Current && !slices.ContainsFunc(p.values, func(u *value) bool { return u.within == v })
			}
			i := slices.IndexFunc(p.order, alone)
			v, x := p.order[i], p.order[i+1+slices.IndexFunc(p.order[i+1:], alone)]
			v.at, v.within, v.overwrites = x.at, x, true
		}},
		{cell: testCell{"wideNext", 6, wideNext}, says: "state one after a step lies at @64.t, want", move: func(p *plan) {
			p.states[0].out.at = kernel.Arg{Slot: kernel.Current, Off: 64}
		}},
	} {
		p := newPlan(training(t, c.cell), Options{MaxStrings: 2, MaxRows: 6, MaxSteps: 3, MaxExamples: 4, MergeWidth: 1})
		p.live()
		if err := p.phases(); err != nil {
			t.Fatal(err)
		}
		if c.corrupt != nil {
			c.corrupt(p)
		}
		p.arrange()
		p.store()
		if c.move != nil {
			if err := p.check(); err != nil {
				t.Fatal(err)
			}
			c.move(p)
		}
		refused(t, c.cell.name, p.check(), c.says)
	}
}
