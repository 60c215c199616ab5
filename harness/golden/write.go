package golden

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"pushdown/harness/disk"
)

// Format returns the text of f. It first sorts the slices of f. It returns an error if Read
// would refuse the text. Thinned trajectories are also an error, because Write puts them
// into files of their own. Equal files give equal text.
func Format(f *File) ([]byte, error) { return f.format(false) }

// format returns the text of f. If the parameter apart is set, the trajectories are in
// digest files: all of them must be thinned, and the text does not have them.
func (f *File) format(apart bool) ([]byte, error) {
	f.sort()
	err := errors.Join(f.check(), f.cited())
	if apart {
		err = errors.Join(err, f.paired())
	}
	for _, t := range f.Trajectories {
		if (t.Thinned != nil) != apart {
			err = errors.Join(err, fmt.Errorf("%s: trajectory is thinned: have %v, want %v", t.Name, !apart, apart))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("golden file %s/%s: %w", f.Suite, f.Scale, err)
	}
	rows := *f
	if apart {
		rows.Trajectories = nil
	}
	text := rows.encode()
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(line) > maxLine {
			return nil, fmt.Errorf("golden file %s/%s: line %d: have %d bytes, want at most %d", f.Suite, f.Scale, i+1, len(line), maxLine)
		}
	}
	return text, nil
}

// sort sorts all slices into the order of the file.
func (f *File) sort() {
	slices.SortFunc(f.Provenance, func(a, b Provenance) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(f.Units, func(a, b Unit) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(f.Tolerances, func(a, b Tolerance) int { return cmp.Compare(a.Unit, b.Unit) })
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
	slices.SortFunc(f.Verdicts, func(a, b Verdict) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(f.Claims, func(a, b ClaimVerdict) int { return cmp.Compare(a.ID, b.ID) })
}

// encode returns the text of a sorted and checked file.
func (f *File) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "suite: %s\nscale: %s\n", f.Suite, f.Scale)
	b.WriteByte('\n')
	for _, p := range f.Provenance {
		fmt.Fprintf(&b, "Provenance %d %s\n", p.ID, JoinFields([]Field{
			{"commit", p.Commit}, {"machine", p.Machine}, {"date", p.Date},
			{"contract", strconv.Itoa(p.Contract)}, {"reason", p.Reason},
		}))
	}
	gap(&b, len(f.Units))
	for _, u := range f.Units {
		b.WriteString(u.String() + "\n")
	}
	for _, t := range f.Tolerances {
		b.WriteString(t.String() + "\n")
	}
	gap(&b, len(f.Rows))
	from := 0
	for _, r := range f.Rows {
		from = origin(&b, from, r.From)
		b.WriteString(r.String() + "\n")
	}
	gap(&b, len(f.Trajectories))
	from = 0
	for _, t := range f.Trajectories {
		from = origin(&b, from, t.From)
		b.WriteString(t.String())
	}
	gap(&b, len(f.Verdicts))
	for _, v := range f.Verdicts {
		fmt.Fprintf(&b, "Verdict %s %s", v.Key, v.Outcome)
		writeEvidence(&b, v.Evidence)
	}
	gap(&b, len(f.Claims))
	for _, c := range f.Claims {
		fmt.Fprintf(&b, "Claim %s %s", c.ID, c.Outcome)
		writeEvidence(&b, c.Evidence)
	}
	return b.Bytes()
}

// gap writes a blank line before a section, unless the section has no items.
func gap(b *bytes.Buffer, items int) {
	if items > 0 {
		b.WriteByte('\n')
	}
}

// origin writes a From line with the given number of a Provenance line, unless the From
// line above has the same number. It returns the number.
func origin(b *bytes.Buffer, have, want int) int {
	if have != want {
		fmt.Fprintf(b, "From %d\n", want)
	}
	return want
}

func writeEvidence(b *bytes.Buffer, evidence string) {
	if evidence != "" {
		b.WriteString(" " + evidence)
	}
	b.WriteByte('\n')
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
	return s
}

// String returns the Tolerance line.
func (t Tolerance) String() string {
	return "Tolerance " + t.Unit + " " + JoinFields(append(t.bounds(), Field{"reason", t.Reason}))
}

func (t Tolerance) bounds() []Field {
	switch {
	case t.Any:
		return []Field{{"", "any"}}
	case t.Rel != 0 && t.Abs != 0:
		return []Field{{"abs", Number(t.Abs)}, {"rel", Number(t.Rel)}}
	case t.Rel != 0:
		return []Field{{"rel", Number(t.Rel)}}
	}
	return []Field{{"abs", Number(t.Abs)}}
}

// String returns the row as a benchmark line.
func (r Row) String() string {
	s := benchmarkPrefix + string(r.Name) + " 1"
	for _, v := range r.Values {
		s += " " + Number(v.Value) + " " + v.Unit
	}
	return s
}

// String returns one Trajectory line with its newline for every point. For a
// thinned trajectory it returns the name and the lines of the digest file.
func (t Trajectory) String() string {
	if t.Thinned != nil {
		return string(t.Name) + "\n" + t.digests()
	}
	var b bytes.Buffer
	for _, p := range t.Points {
		fmt.Fprintf(&b, "Trajectory %s %s\n", t.Name, p.text())
	}
	return b.String()
}

// text returns the part of a point's Trajectory line after the name.
func (p Point) text() string {
	fields := []Field{{"update", p.At.String()}, {"sha256", p.SHA256}}
	if p.State != "" {
		fields = append(fields, Field{"state", p.State})
	}
	for _, x := range p.Extra {
		fields = append(fields, Field{x.Key, hexFloat(x.Value)})
	}
	return JoinFields(fields)
}

// Number returns the shortest decimal text that reads back as v. It has an exponent only
// if v is not 0 and its absolute value is below 1e-5 or at least 1e15.
func Number(v float64) string {
	if a := math.Abs(v); a == 0 || 1e-5 <= a && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}

// Write formats f and atomically writes it to path; see package disk. If path is a symbolic
// link, the file that it points to is written. For paper-scale.txt, Write thins the
// trajectories and writes the digest files, too. If it is interrupted between two of these
// files, Read returns an error that says so where the files contradict each other, and the
// next Write or UpdateFile first completes what was interrupted.
func Write(path string, f *File) (err error) {
	file, err := writable(path)
	if err != nil {
		return err
	}
	release, err := lock(file, lockTries)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := disk.Recover(journal(file)); err != nil {
		return err
	}
	return write(file, f, apart(path))
}

// journal returns the path of the journal of an update of a golden file and its digests.
func journal(file string) string {
	folder, base := filepath.Split(file)
	return filepath.Join(folder, "."+base+".journal")
}

// write writes f to file, as Write does. The caller has resolved symbolic links and
// holds the lock of the file.
func write(file string, f *File, apart bool) error {
	if apart {
		f = f.thin()
	}
	text, err := f.format(apart)
	if err != nil {
		return err
	}
	if !apart {
		return disk.WriteFile(file, text)
	}
	changes, err := f.digestChanges(file)
	if err != nil {
		return err
	}
	return disk.WriteAll(journal(file), append(changes, disk.Change{Path: file, Text: text}))
}
