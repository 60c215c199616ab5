package golden

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchunit"

	"pushdown/golden/papers"
)

// An itemError is an error in one item of a file. Parse converts it to an error
// with a line number.
type itemError struct {
	section section
	index   int // the index of the item in the slice of the section
	point   int // the index of the point in the trajectory
	err     error
}

func (e *itemError) Error() string { return e.err.Error() }
func (e *itemError) Unwrap() error { return e.err }

// A section is a part of a golden file. The constants have the order of the file.
type section int

const (
	inHeader section = iota
	inProvenance
	inUnits
	inTolerances
	inRows
	inTrajectories
	inVerdicts
	inClaims
)

// ordered returns an error if an item of a section is invalid, or if the items are not in
// strictly ascending order. The three functions give the name of an item for messages, the
// order, and the error of an invalid item.
func ordered[T any](s section, items []T, name func(T) string, compare func(a, b T) int, check func(T) error) error {
	for i, item := range items {
		if err := check(item); err != nil {
			return &itemError{section: s, index: i, err: err}
		}
		if i == 0 {
			continue
		}
		switch c := compare(items[i-1], item); {
		case c == 0:
			return &itemError{section: s, index: i, err: fmt.Errorf("%s: have it twice, want it once", abbreviate(name(item)))}
		case c > 0:
			return &itemError{section: s, index: i, err: fmt.Errorf("%s: have it after %s, want the lines in order", abbreviate(name(item)), abbreviate(name(items[i-1])))}
		}
	}
	return nil
}

// check returns an error if f is not valid as a golden file. If the error is in an
// item, it is of type *itemError.
func (f *File) check() error {
	if !lowerWord(f.Suite) {
		return fmt.Errorf("suite: have %q, want a name such as dyck", abbreviate(f.Suite))
	}
	if !lowerWord(f.Scale) {
		return fmt.Errorf("scale: have %q, want a name such as ci", abbreviate(f.Scale))
	}
	if len(f.Provenance) == 0 {
		return fmt.Errorf("provenance: have none, want at least one line")
	}
	from := make(map[int]bool)
	if err := ordered(inProvenance, f.Provenance,
		func(p Provenance) string { return fmt.Sprintf("provenance %d", p.ID) },
		func(a, b Provenance) int { return cmp.Compare(a.ID, b.ID) },
		func(p Provenance) error { from[p.ID] = true; return p.check() },
	); err != nil {
		return err
	}

	known := make(map[string]bool)
	if err := ordered(inUnits, f.Units,
		func(u Unit) string { return "unit " + u.Name },
		func(a, b Unit) int { return cmp.Compare(a.Name, b.Name) },
		func(u Unit) error { known[u.Name] = true; return u.check() },
	); err != nil {
		return err
	}
	bounded := make(map[string]bool)
	if err := ordered(inTolerances, f.Tolerances,
		func(t Tolerance) string { return "tolerance of " + t.Unit },
		func(a, b Tolerance) int { return cmp.Compare(a.Unit, b.Unit) },
		func(t Tolerance) error {
			bounded[t.Unit] = true
			if !known[t.Unit] {
				return fmt.Errorf("tolerance: unit %s: have no Unit line, want one", abbreviate(t.Unit))
			}
			return t.check()
		},
	); err != nil {
		return err
	}

	used := make(map[string]bool)
	if err := ordered(inRows, f.Rows,
		func(r Row) string { return string(r.Name) },
		func(a, b Row) int { return CompareNames(a.Name, b.Name) },
		func(r Row) error {
			if !from[r.From] {
				return fmt.Errorf("%s: from %d: have no such provenance, want one", r.Name, r.From)
			}
			return r.check(known, used)
		},
	); err != nil {
		return err
	}
	for i, u := range f.Units {
		if !bounded[u.Name] {
			return &itemError{section: inUnits, index: i, err: fmt.Errorf("unit %s: have no Tolerance line, want one", u.Name)}
		}
		if !used[u.Name] {
			return &itemError{section: inUnits, index: i, err: fmt.Errorf("unit %s: have no row with it, want one or no line", u.Name)}
		}
	}

	if err := ordered(inTrajectories, f.Trajectories,
		func(t Trajectory) string { return "trajectory " + string(t.Name) },
		func(a, b Trajectory) int { return CompareNames(a.Name, b.Name) },
		func(t Trajectory) error {
			if !from[t.From] {
				return fmt.Errorf("trajectory %s: from %d: have no such provenance, want one", t.Name, t.From)
			}
			return t.check()
		},
	); err != nil {
		return err
	}
	if err := ordered(inVerdicts, f.Verdicts,
		func(v Verdict) string { return "verdict " + v.Key },
		func(a, b Verdict) int { return cmp.Compare(a.Key, b.Key) },
		Verdict.check,
	); err != nil {
		return err
	}
	return ordered(inClaims, f.Claims,
		func(c ClaimVerdict) string { return "claim " + c.ID },
		func(a, b ClaimVerdict) int { return cmp.Compare(a.ID, b.ID) },
		ClaimVerdict.check,
	)
}

// cited returns an error if there is a provenance line to which no row and no
// trajectory refers. The last line, which is that of the last update, needs no
// reference.
func (f *File) cited() error {
	for i, p := range f.Provenance[:max(len(f.Provenance)-1, 0)] {
		if !f.cites(p.ID) {
			return &itemError{section: inProvenance, index: i, err: fmt.Errorf("provenance %d: have no row and no trajectory from it, want one or no line", p.ID)}
		}
	}
	return nil
}

func (p Provenance) check() error {
	if p.ID < 1 {
		return fmt.Errorf("provenance: number: have %d, want 1 or more", p.ID)
	}
	if !(p.Commit == "unknown" || hex(p.Commit) && 7 <= len(p.Commit) && len(p.Commit) <= 64) {
		return fmt.Errorf("provenance %d: commit: have %q, want 7 to 64 hex digits or unknown", p.ID, abbreviate(p.Commit))
	}
	if d, err := time.Parse(time.DateOnly, p.Date); err != nil || d.Format(time.DateOnly) != p.Date {
		return fmt.Errorf("provenance %d: date: have %q, want a day such as 2006-01-02", p.ID, abbreviate(p.Date))
	}
	if p.Contract < 1 {
		return fmt.Errorf("provenance %d: contract: have %d, want 1 or more", p.ID, p.Contract)
	}
	if err := checkText("machine", p.Machine); err != nil {
		return fmt.Errorf("provenance %d: %w", p.ID, err)
	}
	if err := checkText("reason", p.Reason); err != nil {
		return fmt.Errorf("provenance %d: %w", p.ID, err)
	}
	return nil
}

func (u Unit) check() error {
	const most = 40
	plain := strings.TrimSuffix(u.Name, "%")
	if len(u.Name) > most || !lowerWord(strings.ReplaceAll(plain, "/", "-")) && u.Name != "%" {
		return fmt.Errorf("unit: have %q, want lower-case letters, digits, '-', '/' and a final %% in at most %d bytes", abbreviate(u.Name), most)
	}
	if v, tidy := benchunit.Tidy(1, u.Name); v != 1 || tidy != u.Name {
		return fmt.Errorf("unit: have %s, which benchstat rewrites to %s, want a unit it leaves alone", u.Name, tidy)
	}
	if u.Better != "" && u.Better != "higher" && u.Better != "lower" {
		return fmt.Errorf("unit %s: better: have %q, want higher or lower", u.Name, abbreviate(u.Better))
	}
	if u.Better == "" && !u.Exact {
		return fmt.Errorf("unit %s: have neither better= nor assume=exact, want one", u.Name)
	}
	if higher, published := papers.Published().Unit(u.Name); published && u.Better != "" && higher != (u.Better == "higher") {
		return fmt.Errorf("unit %s: better: have %s, want the direction of units.csv", u.Name, u.Better)
	}
	return nil
}

func (t Tolerance) check() error {
	for _, bound := range []struct {
		name  string
		value float64
	}{{"abs", t.Abs}, {"rel", t.Rel}} {
		if !(bound.value >= 0 && bound.value <= math.MaxFloat64) || math.Signbit(bound.value) {
			return fmt.Errorf("tolerance of %s: %s: have %v, want a finite number >= 0", t.Unit, bound.name, bound.value)
		}
	}
	if t.Any && (t.Abs != 0 || t.Rel != 0) {
		return fmt.Errorf("tolerance of %s: have any beside abs or rel, want one of them", t.Unit)
	}
	if err := checkText("reason", t.Reason); err != nil {
		return fmt.Errorf("tolerance of %s: %w", t.Unit, err)
	}
	return nil
}

// check returns an error if the row is invalid. The map known has the units that are
// declared by Unit lines. The units of the row are added to the map used.
func (r Row) check(known, used map[string]bool) error {
	if err := r.Name.check(true); err != nil {
		return err
	}
	if len(r.Values) == 0 {
		return fmt.Errorf("%s: have no values, want at least one", r.Name)
	}
	for i, v := range r.Values {
		if !known[v.Unit] {
			return fmt.Errorf("%s: unit %s: have no Unit line, want one", r.Name, abbreviate(v.Unit))
		}
		used[v.Unit] = true
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("%s: %s: have %v, want a finite number", r.Name, v.Unit, v.Value)
		}
		if i > 0 && r.Values[i-1].Unit == v.Unit {
			return fmt.Errorf("%s: %s: have it twice, want it once", r.Name, v.Unit)
		}
		if i > 0 && r.Values[i-1].Unit > v.Unit {
			return fmt.Errorf("%s: %s: have it after %s, want the units in order", r.Name, v.Unit, r.Values[i-1].Unit)
		}
	}
	return nil
}

func (t Trajectory) check() error {
	if err := t.Name.check(true); err != nil {
		return err
	}
	if len(t.Points) == 0 {
		return fmt.Errorf("trajectory %s: have no points, want at least one", t.Name)
	}
	for i, p := range t.Points {
		err := p.check()
		switch {
		case err != nil:
		case i > 0 && t.Points[i-1].At == p.At:
			err = fmt.Errorf("have it twice, want it once")
		case i > 0 && t.Points[i-1].At > p.At:
			err = fmt.Errorf("have it after update %v, want them rising, then best, then end", t.Points[i-1].At)
		default:
			continue
		}
		return &itemError{point: i, err: fmt.Errorf("trajectory %s: update %v: %w", t.Name, p.At, err)}
	}
	if t.Thinned != nil {
		if err := t.Thinned.check(t.Points); err != nil {
			return fmt.Errorf("trajectory %s: %w", t.Name, err)
		}
	}
	return nil
}

func (p Point) check() error {
	if p.At > End {
		return fmt.Errorf("have no such update, want one below 1<<63, best or end")
	}
	if !hex(p.SHA256) || len(p.SHA256) != 64 {
		return fmt.Errorf("sha256: have %q, want 64 lower-case hex digits", abbreviate(p.SHA256))
	}
	if p.State != "" && (!hex(p.State) || len(p.State) != 64) {
		return fmt.Errorf("state: have %q, want 64 lower-case hex digits", abbreviate(p.State))
	}
	for i, x := range p.Extra {
		switch {
		case !lowerWord(x.Key) || x.Key == "update" || x.Key == "sha256" || x.Key == "state":
			return fmt.Errorf("extra: have the name %q, want lower-case letters, digits and '-', and not update, sha256 or state", abbreviate(x.Key))
		case math.IsNaN(x.Value) || math.IsInf(x.Value, 0):
			return fmt.Errorf("%s: have %v, want a finite number", x.Key, x.Value)
		case i > 0 && p.Extra[i-1].Key >= x.Key:
			return fmt.Errorf("%s: have it after %s, want each once and in order", x.Key, p.Extra[i-1].Key)
		}
	}
	return nil
}

func (v Verdict) check() error {
	k, err := papers.ParseKey(v.Key)
	if err != nil {
		return fmt.Errorf("verdict: %w", err)
	}
	c, ok := papers.Published().Number(k)
	if !ok || c.Quantity.Unit == "" {
		return fmt.Errorf("verdict %s: have no published number of that key, want one", v.Key)
	}
	if slices.Contains(CellOutcomes(), v.Outcome) {
		return checkEvidence("verdict "+v.Key, v.Evidence)
	}
	return fmt.Errorf("verdict %s: have %q, want one of %q", v.Key, abbreviate(string(v.Outcome)), CellOutcomes())
}

func (c ClaimVerdict) check() error {
	if _, ok := papers.Published().Claim(c.ID); !ok {
		return fmt.Errorf("claim %q: have no published claim of that id, want one", abbreviate(c.ID))
	}
	switch c.Outcome {
	case Holds, Fails, Undecided:
		return checkEvidence("claim "+c.ID, c.Evidence)
	}
	return fmt.Errorf("claim %s: have %q, want holds, fails or undecided", c.ID, abbreviate(string(c.Outcome)))
}

func checkEvidence(of, text string) error {
	fields, err := SplitFields(text)
	if err != nil {
		return fmt.Errorf("%s: evidence: %w", of, err)
	}
	for _, f := range fields {
		if !lowerWord(f.Key) {
			return fmt.Errorf("%s: evidence: have %q, want key=value fields", of, abbreviate(f.Key))
		}
	}
	if err := sameLine(text, JoinFields(fields)); err != nil {
		return fmt.Errorf("%s: evidence: %w", of, err)
	}
	return nil
}

// checkText returns an error unless text is one printable line of 1 to 500 bytes
// that neither begins nor ends with a blank.
func checkText(what, text string) error {
	const most = 500
	switch {
	case strings.TrimSpace(text) == "" || strings.TrimSpace(text) != text:
		return fmt.Errorf("%s: have %q, want text without blanks around it", what, abbreviate(text))
	case len(text) > most:
		return fmt.Errorf("%s: have %d bytes, want at most %d", what, len(text), most)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%s: have %q, want one line of printable text", what, abbreviate(text))
	}
	return nil
}

func hex(s string) bool {
	for i := range len(s) {
		if !('0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'f') {
			return false
		}
	}
	return s != ""
}
