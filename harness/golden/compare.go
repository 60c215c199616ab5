package golden

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Difference is one difference between a run and its golden file.
type Difference struct {
	Kind   Kind
	Name   string // the row, trajectory or unit
	Unit   string // the unit of a value; empty for other kinds
	Golden string // what the golden file has; empty if it has nothing
	Run    string // what the run has; empty if it has nothing
	Note   string // more about the difference, such as its place and its size
	// ReadBack is the commit that made the row or trajectory, if the row or
	// trajectory was read back from a stored result. Otherwise it is empty.
	ReadBack string
}

// Kind classifies differences.
type Kind string

// The kinds of difference.
const (
	Contract   Kind = "contract"   // the run has another version of the numeric contract
	Definition Kind = "definition" // a Unit line differs
	Metric     Kind = "metric"     // a value differs
	Digest     Kind = "digest"     // a trajectory differs from the golden one
	Missing    Kind = "missing"    // the run lacks a row, value or trajectory of the golden file
	New        Kind = "new"        // the golden file lacks a row, value or trajectory of the run
)

// String returns the difference in one line.
func (d Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", d.Kind, d.Name)
	if d.Unit != "" {
		b.WriteString(": " + d.Unit)
	}
	or := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return s
	}
	have, notes := "run", []string{d.Note}
	if d.ReadBack != "" {
		have, notes = "read back", append(notes, "read back, commit "+d.ReadBack)
	}
	fmt.Fprintf(&b, ": golden %s, %s %s", or(d.Golden), have, or(d.Run))
	if note := strings.TrimPrefix(strings.Join(notes, "; "), "; "); note != "" {
		b.WriteString(": " + note)
	}
	return b.String()
}

// Compare returns the differences between a golden file and a run, in the order of the
// file. An improvement is a difference too. Compare returns an
// error if the two cannot be compared at all.
func Compare(g *File, r *Run) ([]Difference, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if g.Suite != r.Suite || g.Scale != r.Scale {
		return nil, fmt.Errorf("run of %s/%s: golden file: have %s/%s, want that of the run", r.Suite, r.Scale, g.Suite, g.Scale)
	}
	r = r.sorted()
	c := &comparer{golden: g, run: r}
	c.contract()
	c.units()
	c.rows()
	c.trajectories()
	return c.differences, nil
}

// A comparer collects differences.
type comparer struct {
	golden      *File
	run         *Run // sorted
	differences []Difference
}

// add adds a difference of a row or trajectory of the run with the given origin.
func (c *comparer) add(o Origin, d Difference) {
	d.ReadBack = o.Commit
	c.differences = append(c.differences, d)
}

// contract checks the version of the numeric contract. A row or trajectory of the run and
// the golden one of the same name must be made under the same version. Only the first
// difference is reported.
func (c *comparer) contract() {
	differs := func(name Name, version int, o Origin) bool {
		if version == c.run.Contract {
			return false
		}
		c.add(o, Difference{
			Kind: Contract, Name: string(name),
			Golden: fmt.Sprintf("contract version %d", version), Run: fmt.Sprintf("contract version %d", c.run.Contract),
			Note: "first such row; bits may differ, the spread over seeds must not",
		})
		return true
	}
	rows, trajectories := indexBy(c.golden.Rows, Row.name), indexBy(c.golden.Trajectories, Trajectory.name)
	for _, row := range c.run.Rows {
		if i, ok := rows[row.Name]; ok && differs(row.Name, c.golden.Rows[i].Origin.Contract, row.Origin) {
			return
		}
	}
	for _, t := range c.run.Trajectories {
		if i, ok := trajectories[t.Name]; ok && differs(t.Name, c.golden.Trajectories[i].Origin.Contract, t.Origin) {
			return
		}
	}
}

// units compares the Unit lines of the run's units.
func (c *comparer) units() {
	for _, u := range c.run.Units {
		if have, ok := c.golden.UnitOf(u.Name); ok && have != u {
			c.add(Origin{}, Difference{Kind: Definition, Name: u.Name, Golden: have.String(), Run: u.String()})
		}
	}
}

func (c *comparer) rows() {
	index := indexBy(c.golden.Rows, Row.name)
	ran := make(map[Name]bool)
	for _, row := range c.run.Rows {
		ran[row.Name] = true
		i, ok := index[row.Name]
		if !ok {
			c.add(row.Origin, Difference{Kind: New, Name: string(row.Name), Run: "a row", Note: "-update \"<reason>\" adds it"})
			continue
		}
		c.row(c.golden.Rows[i], row)
	}
	if !c.run.Complete {
		return
	}
	for _, row := range c.golden.Rows {
		if !ran[row.Name] {
			c.add(Origin{}, Difference{Kind: Missing, Name: string(row.Name), Golden: "a row", Note: "the run claims to be complete"})
		}
	}
}

// row compares a golden row with the row of the run that has the same name.
func (c *comparer) row(golden, run Row) {
	name := string(run.Name)
	for _, want := range golden.Values {
		have, ok := run.Value(want.Unit)
		if !ok {
			c.add(run.Origin, Difference{Kind: Missing, Name: name, Unit: want.Unit, Golden: Number(want.Value)})
			continue
		}
		u, _ := c.golden.UnitOf(want.Unit)
		if u.Clock || have == want.Value {
			continue
		}
		change := "differs"
		switch {
		case u.Better == "":
		case (have > want.Value) == (u.Better == "higher"):
			change = "better"
		default:
			change = "worse"
		}
		c.add(run.Origin, Difference{
			Kind: Metric, Name: name, Unit: want.Unit, Golden: Number(want.Value), Run: Number(have),
			Note: fmt.Sprintf("%s by %.3g, want equality", change, math.Abs(have-want.Value)),
		})
	}
	for _, have := range run.Values {
		if _, ok := golden.Value(have.Unit); !ok {
			c.add(run.Origin, Difference{Kind: New, Name: name, Unit: have.Unit, Run: Number(have.Value)})
		}
	}
}

// trajectories compares the trajectories of the run with those of the golden file. A
// trajectory of the run may be a prefix: it then lacks the point End, and only the points
// that it has are compared.
func (c *comparer) trajectories() {
	index := indexBy(c.golden.Trajectories, Trajectory.name)
	ran := make(map[Name]bool)
	for _, t := range c.run.Trajectories {
		ran[t.Name] = true
		i, ok := index[t.Name]
		if !ok {
			c.add(t.Origin, Difference{Kind: New, Name: string(t.Name), Run: "a trajectory", Note: "-update \"<reason>\" adds it"})
			continue
		}
		if d, ok := divergence(c.golden.Trajectories[i], t); ok {
			c.add(t.Origin, d)
		}
	}
	if !c.run.Complete {
		return
	}
	for _, t := range c.golden.Trajectories {
		if !ran[t.Name] {
			c.add(Origin{}, Difference{Kind: Missing, Name: string(t.Name), Golden: "a trajectory", Note: "the run claims to be complete"})
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
