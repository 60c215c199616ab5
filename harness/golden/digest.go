package golden

import (
	"fmt"
	"slices"
	"strconv"
)

// trajectories compares the trajectories of the run with those of the golden file. A
// trajectory of the run may be a prefix: it then lacks the point End, and only the points
// that it has are compared.
func (c *comparer) trajectories() {
	index := c.golden.trajectoryIndex()
	ran := make(map[Name]bool)
	for _, t := range c.run.Trajectories {
		ran[t.Name] = true
		i, ok := index[t.Name]
		if !ok {
			c.add(Difference{Kind: New, Name: string(t.Name), Run: "a trajectory", Note: "-update \"<reason>\" adds it"})
			continue
		}
		if d, ok := divergence(c.golden.Trajectories[i], t); ok {
			c.add(d)
		}
	}
	if !c.run.Complete {
		return
	}
	for _, t := range c.golden.Trajectories {
		if !ran[t.Name] {
			c.add(Difference{Kind: Missing, Name: string(t.Name), Golden: "a trajectory", Note: "the run claims to be complete"})
		}
	}
}

// complete reports whether t has the point End.
func (t Trajectory) complete() bool {
	return slices.ContainsFunc(t.Points, func(p Point) bool { return p.At == End })
}

// divergence returns the first difference between the trajectories and reports whether there
// is one.
func divergence(golden, run Trajectory) (d Difference, diverged bool) {
	if golden.Thinned != nil || run.Thinned != nil {
		return thinnedDivergence(golden, run)
	}
	return pointDivergence(golden, run)
}

func pointDivergence(golden, run Trajectory) (d Difference, diverged bool) {
	d = Difference{Kind: Digest, Name: string(run.Name)}
	agreed := "nothing before it agrees"
	for i, have := range run.Points {
		if i == len(golden.Points) {
			d.Run = "update " + have.At.String()
			d.Note = fmt.Sprintf("the golden trajectory stops before it; %s", agreed)
			return d, true
		}
		want := golden.Points[i]
		if have.At != want.At {
			d.Golden, d.Run = "update "+want.At.String(), "update "+have.At.String()
			d.Note = fmt.Sprintf("the runs have different points from there on; %s", agreed)
			return d, true
		}
		if what, w, h := want.differs(have); what != "" {
			d.Golden, d.Run = w, h
			d.Note = fmt.Sprintf("%s differs first at update %v; %s", what, have.At, agreed)
			return d, true
		}
		agreed = fmt.Sprintf("equal up to update %v", have.At)
	}
	// All points of run are equal to the golden ones. If the golden trajectory has more
	// points, run is a prefix, which is no difference.
	return Difference{}, false
}

// differs compares two points at the same position along a run. It returns the name of the
// first item that differs, and the value of this item in each of the points. The name is
// empty if no item differs.
func (p Point) differs(q Point) (what, inP, inQ string) {
	if p.SHA256 != q.SHA256 {
		return "sha256", p.SHA256, q.SHA256
	}
	if p.State != q.State {
		return "state", p.State, q.State
	}
	for i := range max(len(p.Extra), len(q.Extra)) {
		if i >= len(p.Extra) {
			return q.Extra[i].Key, "", hexFloat(q.Extra[i].Value)
		}
		if i >= len(q.Extra) || p.Extra[i].Key != q.Extra[i].Key {
			return p.Extra[i].Key, hexFloat(p.Extra[i].Value), ""
		}
		if a, b := hexFloat(p.Extra[i].Value), hexFloat(q.Extra[i].Value); a != b {
			return p.Extra[i].Key, a, b
		}
	}
	return "", "", ""
}

func hexFloat(v float64) string { return strconv.FormatFloat(v, 'x', -1, 64) }
