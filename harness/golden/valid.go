package golden

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchunit"
)

// A runError is an error in the row or the trajectory of a run. Parse adds the number of the line
// at which the run begins.
type runError struct {
	name Name
	err  error
}

func (e *runError) Error() string { return fmt.Sprintf("%s: %v", e.name, e.err) }
func (e *runError) Unwrap() error { return e.err }

// check returns an error if f is not valid as a golden file. If the error is in a run, it is of
// type *runError.
func (f *File) check() error {
	if !lowerWord(f.Suite) {
		return fmt.Errorf("suite: have %q, want a name such as dyck", abbreviate(f.Suite))
	}
	if !lowerWord(f.Scale) {
		return fmt.Errorf("scale: have %q, want a name such as ci", abbreviate(f.Scale))
	}
	known, used := make(map[string]bool), make(map[string]bool)
	for i, u := range f.Units {
		if err := u.check(); err != nil {
			return err
		}
		if i > 0 && f.Units[i-1].Name >= u.Name {
			return fmt.Errorf("unit %s: have it after %s, want each once and in order", u.Name, f.Units[i-1].Name)
		}
		known[u.Name] = true
	}
	for _, r := range f.Rows {
		if err := r.check(known, used); err != nil {
			return &runError{r.Name, err}
		}
	}
	for _, u := range f.Units {
		if !used[u.Name] {
			return fmt.Errorf("unit %s: have no row with it, want one or no line", u.Name)
		}
	}
	for _, t := range f.Trajectories {
		err := t.check()
		if err == nil && (t.Thinned != nil) != (f.Scale == paperScale) {
			err = fmt.Errorf("have a thinned trajectory: %v, want %v at scale %s", t.Thinned != nil, t.Thinned == nil, f.Scale)
		}
		if err != nil {
			return &runError{t.Name, err}
		}
	}
	for _, list := range [][]Name{names(f.Rows, Row.name), names(f.Trajectories, Trajectory.name)} {
		for i := 1; i < len(list); i++ {
			switch c := CompareNames(list[i-1], list[i]); {
			case c == 0:
				return &runError{list[i], fmt.Errorf("have it twice, want it once")}
			case c > 0:
				return &runError{list[i], fmt.Errorf("have it after %s, want the runs in order", abbreviate(string(list[i-1])))}
			}
		}
	}
	return nil
}

func (r Row) name() Name        { return r.Name }
func (t Trajectory) name() Name { return t.Name }

// names returns the name of each item.
func names[T any](items []T, name func(T) Name) (list []Name) {
	for _, item := range items {
		list = append(list, name(item))
	}
	return list
}

func (o Origin) check() error {
	if err := checkCommit(o.Commit); err != nil {
		return fmt.Errorf("origin: %w", err)
	}
	if d, err := time.Parse(time.DateOnly, o.Date); err != nil || d.Format(time.DateOnly) != o.Date {
		return fmt.Errorf("origin: date: have %q, want a day such as 2006-01-02", abbreviate(o.Date))
	}
	if o.Contract < 1 {
		return fmt.Errorf("origin: contract: have %d, want 1 or more", o.Contract)
	}
	if err := checkText("machine", o.Machine); err != nil {
		return fmt.Errorf("origin: %w", err)
	}
	if err := checkText("reason", o.Reason); err != nil {
		return fmt.Errorf("origin: %w", err)
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
	return nil
}

// check returns an error if the row is invalid. The map known has the units that are declared by
// Unit lines. The units of the row are added to the map used.
func (r Row) check(known, used map[string]bool) error {
	if err := r.Name.check(true); err != nil {
		return err
	}
	if err := r.Origin.check(); err != nil {
		return err
	}
	if len(r.Values) == 0 {
		return fmt.Errorf("have no values, want at least one")
	}
	for i, v := range r.Values {
		if !known[v.Unit] {
			return fmt.Errorf("unit %s: have no Unit line, want one", abbreviate(v.Unit))
		}
		used[v.Unit] = true
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("%s: have %v, want a finite number", v.Unit, v.Value)
		}
		if i > 0 && r.Values[i-1].Unit >= v.Unit {
			return fmt.Errorf("%s: have it after %s, want each once and in order", v.Unit, r.Values[i-1].Unit)
		}
	}
	return nil
}

func (t Trajectory) check() error {
	if err := t.Name.check(true); err != nil {
		return err
	}
	if err := t.Origin.check(); err != nil {
		return err
	}
	if len(t.Points) == 0 {
		return fmt.Errorf("have no points, want at least one")
	}
	for i, p := range t.Points {
		err := p.check()
		if err == nil && i > 0 && t.Points[i-1].At >= p.At {
			err = fmt.Errorf("have it after update %v, want each once, rising, then best, then end", t.Points[i-1].At)
		}
		if err != nil {
			return fmt.Errorf("update %v: %w", p.At, err)
		}
	}
	if t.Thinned != nil {
		return t.Thinned.check(t.Points)
	}
	return nil
}

func (p Point) check() error {
	if p.At > End {
		return fmt.Errorf("have no such update, want one below 1<<63, best or end")
	}
	if !digest(p.SHA256) {
		return fmt.Errorf("digest: have %q, want 64 lower-case hex digits", abbreviate(p.SHA256))
	}
	if p.State != "" && !digest(p.State) {
		return fmt.Errorf("digest of the state: have %q, want 64 lower-case hex digits", abbreviate(p.State))
	}
	for i, x := range p.Extra {
		switch {
		case !lowerWord(x.Key):
			return fmt.Errorf("extra: have the name %q, want lower-case letters, digits and '-'", abbreviate(x.Key))
		case math.IsNaN(x.Value) || math.IsInf(x.Value, 0):
			return fmt.Errorf("%s: have %v, want a finite number", x.Key, x.Value)
		case i > 0 && p.Extra[i-1].Key >= x.Key:
			return fmt.Errorf("%s: have it after %s, want each once and in order", x.Key, p.Extra[i-1].Key)
		}
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

// digest reports whether s is a SHA-256 in hex.
func digest(s string) bool { return hex(s) && len(s) == 64 }

func hex(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !('0' <= r && r <= '9' || 'a' <= r && r <= 'f') })
}
