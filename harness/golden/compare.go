package golden

import (
	"fmt"
	"strings"
)

// A Difference is one difference between a run and its golden file.
type Difference struct {
	Kind   Kind
	Name   string // the row, trajectory, unit, cell or claim
	Unit   string // the unit of a value; empty for other kinds
	Golden string // what the golden file has; empty if it has nothing
	Run    string // what the run has; empty if it has nothing
	Note   string // more about the difference, such as its place, its size and the tolerance
	// ReadBack is the commit that made the row or trajectory, if the row or
	// trajectory was read back from a stored result. Otherwise it is empty.
	ReadBack string
}

// Kind classifies differences.
type Kind string

// The kinds of difference.
const (
	Contract    Kind = "contract"   // the run has another version of the numeric contract
	Definition  Kind = "definition" // a Unit or Tolerance line differs
	Metric      Kind = "metric"     // a value differs by more than its tolerance, in either direction
	Digest      Kind = "digest"     // a trajectory differs from the golden one
	Missing     Kind = "missing"    // the run lacks a row, value or trajectory of the golden file
	New         Kind = "new"        // the golden file lacks a row, value or trajectory of the run
	VerdictKind Kind = "verdict"    // the outcome for a published cell or a claim has changed
	Evidence    Kind = "evidence"   // a verdict in the golden file does not follow from the file's own rows
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
	switch {
	case d.Kind == Evidence:
		have = "its rows"
	case d.ReadBack != "":
		have, notes = "read back", append(notes, "read back, commit "+d.ReadBack)
	}
	fmt.Fprintf(&b, ": golden %s, %s %s", or(d.Golden), have, or(d.Run))
	if note := strings.TrimPrefix(strings.Join(notes, "; "), "; "); note != "" {
		b.WriteString(": " + note)
	}
	return b.String()
}

// Compare returns the differences between a golden file and a run, in the order of the
// file. An improvement beyond the tolerance is a difference too. Compare returns an
// error if the two cannot be compared at all.
func Compare(g *File, r *Run, rules Rules) ([]Difference, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if g.Suite != r.Suite || g.Scale != r.Scale {
		return nil, fmt.Errorf("run of %s/%s: golden file: have %s/%s, want that of the run", r.Suite, r.Scale, g.Suite, g.Scale)
	}
	c := &comparer{golden: g, run: r, rules: rules, unit: make(map[string]Unit), tolerance: make(map[string]Tolerance)}
	for _, u := range g.Units {
		c.unit[u.Name] = u
	}
	for _, t := range g.Tolerances {
		c.tolerance[t.Unit] = t
	}
	c.contract()
	c.definitions()
	c.rows()
	c.trajectories()
	if err := c.evidence(r.Judge); err != nil {
		return nil, err
	}
	f := r.overlay(g, func(Name) int { return 0 })
	if err := rules.Judge(f, r.Judge); err != nil {
		return nil, err
	}
	c.verdicts(f)
	return c.differences, nil
}

// A comparer collects differences.
type comparer struct {
	golden      *File
	run         *Run
	rules       Rules
	unit        map[string]Unit      // units of the golden file
	tolerance   map[string]Tolerance // tolerances of the golden file
	differences []Difference
}

func (c *comparer) add(d Difference) {
	d.ReadBack = c.run.Origins[Name(d.Name)].Commit
	c.differences = append(c.differences, d)
}

// contract checks the version of the numeric contract. A row or trajectory of the run and
// the golden one of the same name must be made under the same version. Only the first
// difference is reported.
func (c *comparer) contract() {
	version := make(map[int]int)
	for _, p := range c.golden.Provenance {
		version[p.ID] = p.Contract
	}
	differs := func(name Name, from int) bool {
		if version[from] == c.run.Contract {
			return false
		}
		c.add(Difference{
			Kind: Contract, Name: string(name),
			Golden: fmt.Sprintf("contract version %d", version[from]), Run: fmt.Sprintf("contract version %d", c.run.Contract),
			Note: "first such row; bits may differ, the spread over seeds must not",
		})
		return true
	}
	rows, trajectories := c.golden.rowIndex(), c.golden.trajectoryIndex()
	for _, row := range c.run.Rows {
		if i, ok := rows[row.Name]; ok && differs(row.Name, c.golden.Rows[i].From) {
			return
		}
	}
	for _, t := range c.run.Trajectories {
		if i, ok := trajectories[t.Name]; ok && differs(t.Name, c.golden.Trajectories[i].From) {
			return
		}
	}
}

// definitions compares the Unit and Tolerance lines of the run's units.
func (c *comparer) definitions() {
	for _, u := range c.run.Units {
		if have, ok := c.unit[u.Name]; ok && have != u {
			c.add(Difference{Kind: Definition, Name: u.Name, Golden: have.String(), Run: u.String()})
		}
	}
	for _, t := range c.run.Tolerances {
		if have, ok := c.tolerance[t.Unit]; ok && have != t {
			c.add(Difference{Kind: Definition, Name: t.Unit, Golden: have.String(), Run: t.String()})
		}
	}
}

func (c *comparer) rows() {
	index := c.golden.rowIndex()
	ran := make(map[Name]bool)
	for _, row := range c.run.Rows {
		ran[row.Name] = true
		i, ok := index[row.Name]
		if !ok {
			c.add(Difference{Kind: New, Name: string(row.Name), Run: "a row", Note: "-update \"<reason>\" adds it"})
			continue
		}
		c.row(c.golden.Rows[i], row)
	}
	if !c.run.Complete {
		return
	}
	for _, row := range c.golden.Rows {
		if !ran[row.Name] {
			c.add(Difference{Kind: Missing, Name: string(row.Name), Golden: "a row", Note: "the run claims to be complete"})
		}
	}
}

// row compares a golden row with the row of the run that has the same name.
func (c *comparer) row(golden, run Row) {
	name := string(run.Name)
	for _, want := range golden.Values {
		have, ok := run.Value(want.Unit)
		if !ok {
			c.add(Difference{Kind: Missing, Name: name, Unit: want.Unit, Golden: Number(want.Value)})
			continue
		}
		t := c.tolerance[want.Unit]
		if t.allows(have, want.Value) {
			continue
		}
		change := "differs"
		switch better := c.unit[want.Unit].Better; {
		case better == "":
		case (have > want.Value) == (better == "higher"):
			change = "better"
		default:
			change = "worse"
		}
		c.add(Difference{
			Kind: Metric, Name: name, Unit: want.Unit, Golden: Number(want.Value), Run: Number(have),
			Note: fmt.Sprintf("%s by %.3g, want %s", change, abs(have-want.Value), t.limits()),
		})
	}
	for _, have := range run.Values {
		if _, ok := golden.Value(have.Unit); !ok {
			c.add(Difference{Kind: New, Name: name, Unit: have.Unit, Run: Number(have.Value)})
		}
	}
}

// verdicts compares the verdicts of the golden file with those of f. The file f is the
// golden file after the rows of the run have replaced those of the same name.
func (c *comparer) verdicts(f *File) {
	type verdict struct {
		name        string
		golden, run Outcome
		was, is     string // evidence
	}
	var all []verdict
	at := make(map[string]int)
	stored := func(name string, o Outcome, evidence string) {
		at[name] = len(all)
		all = append(all, verdict{name: name, golden: o, was: evidence})
	}
	judged := func(name string, o Outcome, evidence string) {
		i, ok := at[name]
		if !ok {
			i = len(all)
			all = append(all, verdict{name: name})
		}
		all[i].run, all[i].is = o, evidence
	}
	for _, v := range c.golden.Verdicts {
		stored(v.Key, v.Outcome, v.Evidence)
	}
	for _, v := range c.golden.Claims {
		stored(v.ID, v.Outcome, v.Evidence)
	}
	for _, v := range f.Verdicts {
		judged(v.Key, v.Outcome, v.Evidence)
	}
	for _, v := range f.Claims {
		judged(v.ID, v.Outcome, v.Evidence)
	}
	for _, v := range all {
		if v.golden == v.run || v.golden != "" && v.run != "" && f.uncompared(v.name, c.run.Judge, c.rules) {
			continue
		}
		var notes []string
		if v.was != "" {
			notes = append(notes, "was "+v.was)
		}
		if v.is != "" {
			notes = append(notes, "is "+v.is)
		}
		c.add(Difference{
			Kind: VerdictKind, Name: v.name, Golden: string(v.golden), Run: string(v.run),
			Note: strings.Join(notes, "; "),
		})
	}
}

func abs(x float64) float64 { return max(x, -x) }
