package golden

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Format returns the text of f. It first sorts the slices of f. It returns an error if Read
// would refuse the text. Equal files give equal text.
func Format(f *File) ([]byte, error) {
	f.sort()
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("golden file %s/%s: %w", f.Suite, f.Scale, err)
	}
	text := f.encode()
	n := 0
	for line := range bytes.Lines(text) {
		if n++; len(line) > maxLine {
			return nil, fmt.Errorf("golden file %s/%s: line %d: have %d bytes, want at most %d", f.Suite, f.Scale, n, len(line), maxLine)
		}
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("golden file %s/%s: have %d bytes, want at most %d", f.Suite, f.Scale, len(text), maxFile)
	}
	return text, nil
}

// sort sorts all slices into the order of the file.
func (f *File) sort() {
	slices.SortFunc(f.Units, func(a, b Unit) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(f.Rows, func(a, b Row) int { return CompareNames(a.Name, b.Name) })
	for _, r := range f.Rows {
		slices.SortFunc(r.Values, func(a, b Value) int { return cmp.Compare(a.Unit, b.Unit) })
	}
	slices.SortFunc(f.Trajectories, func(a, b Trajectory) int { return CompareNames(a.Name, b.Name) })
	for _, t := range f.Trajectories {
		slices.SortFunc(t.Points, func(a, b Point) int { return cmp.Compare(a.At, b.At) })
		for _, p := range t.Points {
			slices.SortFunc(p.Extra, func(a, b Scalar) int { return cmp.Compare(a.Key, b.Key) })
		}
	}
}

// encode returns the text of a sorted and checked file.
func (f *File) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "suite: %s\nscale: %s\n", f.Suite, f.Scale)
	if len(f.Units) > 0 {
		b.WriteByte('\n')
	}
	for _, u := range f.Units {
		b.WriteString(u.String() + "\n")
	}
	var last Origin
	from := func(o Origin) {
		if o != last {
			fmt.Fprintf(&b, "\nFrom %v\n", o)
			last = o
		}
	}
	rows, trajectories := f.Rows, f.Trajectories
	for len(rows) > 0 || len(trajectories) > 0 {
		var name Name
		switch {
		case len(rows) > 0 && (len(trajectories) == 0 || CompareNames(rows[0].Name, trajectories[0].Name) <= 0):
			from(rows[0].Origin)
			name = rows[0].Name
			b.WriteString(rows[0].String() + "\n")
			rows = rows[1:]
		default:
			from(trajectories[0].Origin)
			name = trajectories[0].Name
			fmt.Fprintf(&b, "Run %s\n", name)
		}
		if len(trajectories) > 0 && trajectories[0].Name == name {
			from(trajectories[0].Origin)
			b.WriteString(trajectories[0].String())
			trajectories = trajectories[1:]
		}
	}
	return b.Bytes()
}

// String returns the Unit line.
func (u Unit) String() string {
	s := "Unit " + u.Name
	if u.Better != "" {
		s += " better=" + u.Better
	}
	if u.Exact {
		s += " assume=exact"
	}
	if u.Clock {
		s += " clock=true"
	}
	return s
}

// String returns the fields of a From line.
func (o Origin) String() string {
	return JoinFields([]Field{
		{"commit", o.Commit}, {"machine", o.Machine}, {"date", o.Date}, {"contract", strconv.Itoa(o.Contract)}, {"reason", o.Reason},
	})
}

// String returns the row as a benchmark line.
func (r Row) String() string {
	s := benchmarkPrefix + string(r.Name) + " 1"
	for _, v := range r.Values {
		s += " " + Number(v.Value) + " " + v.Unit
	}
	return s
}

// curveWidth is the number of validations on a line of a validation curve.
const curveWidth = 100

// String returns a line for each point and, if t is thinned, lines about all points of the run.
func (t Trajectory) String() string {
	var b bytes.Buffer
	for _, p := range t.Points {
		fmt.Fprintf(&b, "%v %s", p.At, p.SHA256)
		if p.State != "" {
			b.WriteString(" " + p.State)
		}
		for _, x := range p.Extra {
			b.WriteString(" " + x.Key + "=" + Number(x.Value))
		}
		b.WriteByte('\n')
	}
	if t.Thinned == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "points %d %s\n", t.Thinned.Points, t.Thinned.SHA256)
	every := t.Thinned.every()
	for i, v := range t.Thinned.Curve {
		if i%curveWidth == 0 {
			b.WriteString("curve")
		}
		if i == 0 && every > 0 {
			fmt.Fprintf(&b, " every=%d", every)
		}
		b.WriteByte(' ')
		if every == 0 {
			b.WriteString(v.Update.String() + ":")
		}
		b.WriteString(Number(v.Loss))
		if i%curveWidth == curveWidth-1 || i == len(t.Thinned.Curve)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// every returns the number of updates between validations. It returns 0 if this number is
// not always the same, counted from the start of the run.
func (n *Thinned) every() Step {
	for i, v := range n.Curve {
		if v.Update != n.Curve[0].Update*Step(i+1) {
			return 0
		}
	}
	if len(n.Curve) == 0 {
		return 0
	}
	return n.Curve[0].Update
}

// Number returns the shortest decimal text that reads back as v. It has an exponent only
// if v is not 0 and its absolute value is below 1e-5 or at least 1e15.
func Number(v float64) string {
	if a := math.Abs(v); a == 0 || 1e-5 <= a && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}
