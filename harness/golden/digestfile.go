package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/disk"
)

// At scale paper, the golden file has the name apartName. Its trajectories are thinned and
// stored in digest files, in the folder apartFolder beside it.
const (
	apartName   = "paper-scale.txt"
	apartFolder = "digests"
)

// apart reports whether the trajectories of the golden file at path are in digest
// files.
func apart(path string) bool { return filepath.Base(path) == apartName }

// digestFile returns the name of the digest file with the trajectory of run n. Each
// table, section and figure of a paper has one file, such as resurgence-table2.txt.
func (n Name) digestFile() string {
	parts := n.Parts()
	if parts[0].Key == "paper" && len(parts) > 1 {
		return parts[0].Value + "-" + parts[1].Key + parts[1].Value + ".txt"
	}
	return parts[0].Key + "-" + parts[0].Value + ".txt"
}

// digestFiles returns the text of each digest file of f, by name.
func (f *File) digestFiles() map[string][]byte {
	of := make(map[string][]Trajectory)
	for _, t := range f.Trajectories {
		name := t.Name.digestFile()
		of[name] = append(of[name], t)
	}
	texts := make(map[string][]byte)
	for name, list := range of {
		texts[name] = encodeDigests(f.Suite, f.Scale, strings.TrimSuffix(name, ".txt"), list)
	}
	return texts
}

// curveWidth is the number of validations on a line of a validation curve.
const curveWidth = 100

// encodeDigests returns the text of a digest file. The trajectories in list must be
// thinned, sorted and checked. The text has this form:
//
//	From 3
//	Group paper=resurgence/table=2/row=dyck-m4
//	Seed 1
//	1 <digest>
//	1000 <digest> <state> <lr> <valid-loss> temperature=0.5
//	best =1000
//	end =1000 =1000
//	points 42 <digest of all>
//	curve every=500 0.693147 -
//
// A point can refer to an earlier one: =1000 stands for the digest or the state of update
// 1000. On the lines of points, numbers are decimals that read back bit for bit. In the
// curve, losses have six digits, and - stands for the loss of a point that has a line
// above.
func encodeDigests(suite, scale, table string, list []Trajectory) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "suite: %s\nscale: %s\ntable: %s\n", suite, scale, table)
	from, group := 0, Name("")
	for _, t := range list {
		if g := t.Name.Group(); g != group || t.From != from {
			b.WriteByte('\n')
			from = origin(&b, from, t.From)
			fmt.Fprintf(&b, "Group %s\n", g)
			group = g
		}
		fmt.Fprintf(&b, "Seed %d\n%s", t.Name.Seed(), t.digests())
	}
	return b.Bytes()
}

// digests returns the lines that follow the Seed line of a thinned trajectory.
func (t Trajectory) digests() string {
	var b strings.Builder
	digest, state := make(map[string]Step), make(map[string]Step)
	refer := func(of map[string]Step, sum string, at Step) string {
		earlier, ok := of[sum]
		of[sum] = at
		if ok {
			return "=" + earlier.String()
		}
		return sum
	}
	for _, p := range t.Points {
		fmt.Fprintf(&b, "%v %s", p.At, refer(digest, p.SHA256, p.At))
		if p.State != "" {
			b.WriteString(" " + refer(state, p.State, p.At))
		}
		rate, rated := p.Scalar(rateKey)
		loss, validated := p.Scalar(lossKey)
		both := rated && validated
		if both {
			b.WriteString(" " + Number(rate) + " " + Number(loss))
		}
		for _, x := range p.Extra {
			if !both || x.Key != rateKey && x.Key != lossKey {
				b.WriteString(" " + x.Key + "=" + Number(x.Value))
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "points %d %s\n", t.Thinned.Points, t.Thinned.SHA256)
	every := t.Thinned.every()
	for i, v := range t.Thinned.Curve {
		switch {
		case i == 0 && every > 0:
			fmt.Fprintf(&b, "curve every=%d", every)
		case i%curveWidth == 0:
			b.WriteString("curve")
		}
		b.WriteByte(' ')
		if every == 0 {
			b.WriteString(v.Update.String() + ":")
		}
		if _, kept := t.loss(v.Update); kept {
			b.WriteByte('-')
		} else {
			b.WriteString(Number(v.Loss))
		}
		if i%curveWidth == curveWidth-1 || i == len(t.Thinned.Curve)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// loss returns the validation loss of the point with the given mark. The second result is
// false if t does not keep that point or if the point has no loss.
func (t Trajectory) loss(at Step) (float64, bool) {
	for _, p := range t.Points {
		if p.At == at {
			return p.Scalar(lossKey)
		}
	}
	return 0, false
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

// parseDigests parses the text of a digest file. It accepts only text that
// encodeDigests writes. name is the path of the file, for messages.
func parseDigests(name string, text []byte, suite, scale string) ([]Trajectory, error) {
	r := &digestReader{}
	table := strings.TrimSuffix(path.Base(filepath.ToSlash(name)), ".txt")
	fault := func(line int, err error) error { return &ParseError{Path: name, Line: line, Err: err} }
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return nil, fault(bytes.Count(text, []byte("\n"))+1, errors.New("have a last line without newline, want one"))
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if len(line) > maxLine {
			return nil, fault(n, fmt.Errorf("line: have %d bytes, want at most %d", len(line), maxLine))
		}
		if err := r.read(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fault(n, err)
		}
		if len(r.lines) < len(r.list) {
			r.lines = append(r.lines, n)
		}
	}
	for i, t := range r.list {
		var err error
		switch {
		case t.From < 1:
			err = fmt.Errorf("%s: have no From line, want one", t.Name)
		case t.Thinned.Points == 0:
			err = fmt.Errorf("%s: have no line of all points, want one", t.Name)
		case t.Name.check(true) != nil:
			err = t.Name.check(true)
		case t.Name.digestFile() != table+".txt":
			err = fmt.Errorf("%s: have it here, want it in %s", t.Name, t.Name.digestFile())
		case i > 0 && CompareNames(r.list[i-1].Name, t.Name) >= 0:
			err = fmt.Errorf("%s: have it after %s, want each once and in order", t.Name, r.list[i-1].Name)
		default:
			err = t.check()
		}
		if err != nil {
			return nil, fault(r.lines[i], err)
		}
	}
	if n, err := canonical(string(text), string(encodeDigests(suite, scale, table, r.list))); err != nil {
		return nil, fault(n, err)
	}
	return r.list, nil
}

// A digestReader builds trajectories line by line.
type digestReader struct {
	from  int
	group Name
	list  []Trajectory
	lines []int // the line number of the Seed line of each trajectory
}

func (r *digestReader) read(line string) error {
	words := strings.Split(line, " ")
	switch words[0] {
	case "", "suite:", "scale:", "table:":
		return nil // parseDigests checks the order of these lines at the end
	case "From", "Group", "Seed":
		if len(words) != 2 {
			return fmt.Errorf("%s: have %d words, want 2", words[0], len(words))
		}
		number, err := strconv.Atoi(words[1])
		switch {
		case words[0] == "Group":
			r.group = Name(words[1])
			return nil
		case err != nil || number < 0:
			return fmt.Errorf("%s: have %q, want a number", words[0], abbreviate(words[1]))
		case words[0] == "From":
			r.from = number
			return nil
		}
		r.list = append(r.list, Trajectory{Name: r.group.WithSeed(number), From: r.from, Thinned: new(Thinned)})
		return nil
	}
	if len(r.list) == 0 {
		return fmt.Errorf("have %q, want Seed before it", abbreviate(line))
	}
	t := &r.list[len(r.list)-1]
	switch words[0] {
	case "points":
		if len(words) != 3 {
			return fmt.Errorf("points: have %d words, want 3", len(words))
		}
		var err error
		if t.Thinned.Points, err = strconv.Atoi(words[1]); err != nil {
			return fmt.Errorf("points: have %q, want a number", abbreviate(words[1]))
		}
		t.Thinned.SHA256 = words[2]
		return nil
	case "curve":
		return t.readCurve(words[1:])
	}
	return t.readPoint(words)
}

// readPoint parses the line of a point and appends the point to t.
func (t *Trajectory) readPoint(words []string) error {
	at, err := parseMark(words[0])
	if err != nil {
		return err
	}
	p := Point{At: at}
	sums := words[1:]
	for i, w := range sums {
		if len(w) != 64 && !strings.HasPrefix(w, "=") || i == 2 {
			sums = sums[:i]
			break
		}
	}
	words = words[1+len(sums):]
	for i, w := range sums {
		if mark, refers := strings.CutPrefix(w, "="); refers {
			earlier := slices.IndexFunc(t.Points, func(p Point) bool { return p.At.String() == mark })
			if earlier < 0 {
				return fmt.Errorf("update %v: have %q, want an earlier update of the run", at, abbreviate(w))
			}
			w = []string{t.Points[earlier].SHA256, t.Points[earlier].State}[i]
		}
		*[]*string{&p.SHA256, &p.State}[i] = w
	}
	if len(words) >= 2 && !strings.Contains(words[0], "=") {
		words = append([]string{rateKey + "=" + words[0], lossKey + "=" + words[1]}, words[2:]...)
	}
	for _, w := range words {
		key, text, _ := strings.Cut(w, "=")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("update %v: have %q, want key=number", at, abbreviate(w))
		}
		p.Extra = append(p.Extra, Scalar{key, v})
	}
	slices.SortStableFunc(p.Extra, func(a, b Scalar) int { return strings.Compare(a.Key, b.Key) })
	t.Points = append(t.Points, p)
	return nil
}

// readCurve parses the words of a curve line, without the word curve.
func (t *Trajectory) readCurve(words []string) error {
	n := t.Thinned
	every := n.every()
	if len(words) > 0 && len(n.Curve) == 0 {
		if text, ok := strings.CutPrefix(words[0], "every="); ok {
			var err error
			if every, err = parseMark(text); err != nil {
				return err
			}
			words = words[1:]
		}
	}
	for _, w := range words {
		v := Validation{Update: every * Step(len(n.Curve)+1)}
		if at, loss, ok := strings.Cut(w, ":"); ok {
			mark, err := parseMark(at)
			if err != nil {
				return err
			}
			v.Update, w = mark, loss
		}
		if loss, kept := t.loss(v.Update); kept && w == "-" {
			v.Loss = Round6(loss)
		} else if loss, err := strconv.ParseFloat(w, 64); err == nil {
			v.Loss = loss
		} else {
			return fmt.Errorf("curve: update %v: have %q, want a number, or - if the update is kept", v.Update, abbreviate(w))
		}
		n.Curve = append(n.Curve, v)
	}
	return nil
}

// readDigests adds to f the trajectories of the digest files beside the golden file at
// name. It returns an error if the rows of f and the trajectories do not match. They do not
// match if an update was interrupted. The parameter shown is the path for messages.
func (f *File) readDigests(fsys fs.FS, name, shown string) error {
	entries, err := fs.ReadDir(fsys, path.Join(path.Dir(name), apartFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder := filepath.Join(filepath.Dir(shown), apartFolder)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || path.Ext(e.Name()) != ".txt" {
			continue
		}
		shown := filepath.Join(folder, e.Name())
		text, err := readText(fsys, path.Join(path.Dir(name), apartFolder, e.Name()), shown)
		if err != nil {
			return err
		}
		list, err := parseDigests(shown, text, f.Suite, f.Scale)
		if err != nil {
			return err
		}
		f.Trajectories = append(f.Trajectories, list...)
	}
	slices.SortFunc(f.Trajectories, func(a, b Trajectory) int { return CompareNames(a.Name, b.Name) })
	for _, check := range []func() error{f.check, f.cited, f.paired} {
		if err := check(); err != nil {
			if _, e := fs.Stat(fsys, filepath.ToSlash(journal(name))); e == nil {
				return fmt.Errorf("%s and %s: %w: an update was interrupted: run its command again, which completes it", shown, folder, err)
			}
			return fmt.Errorf("%s and %s: %w: one of them was edited: take both from one commit", shown, folder, err)
		}
	}
	return nil
}

// paired returns an error if a row has no trajectory or a trajectory has no row.
func (f *File) paired() error {
	rows, trajectories := f.rowIndex(), f.trajectoryIndex()
	for _, r := range f.Rows {
		if _, ok := trajectories[r.Name]; !ok {
			return fmt.Errorf("%s: have a row without digests, want both", r.Name)
		}
	}
	for _, t := range f.Trajectories {
		if _, ok := rows[t.Name]; !ok {
			return fmt.Errorf("%s: have digests without a row, want both", t.Name)
		}
	}
	return nil
}

// digestChanges returns the changes of the digest files of f, in the folder beside the golden
// file at name. It makes the folder. Digest files in this folder that f does not have are
// removed.
func (f *File) digestChanges(name string) (changes []disk.Change, err error) {
	folder := filepath.Join(filepath.Dir(name), apartFolder)
	if err := disk.MkdirAll(folder); err != nil {
		return nil, err
	}
	disk.RemoveStale(folder)
	entries, err := disk.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	texts := f.digestFiles()
	for _, e := range entries {
		if texts[e.Name()] == nil && !strings.HasPrefix(e.Name(), ".") && filepath.Ext(e.Name()) == ".txt" {
			changes = append(changes, disk.Change{Path: filepath.Join(folder, e.Name())})
		}
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		at, err := writable(filepath.Join(folder, file))
		if err != nil {
			return nil, err
		}
		if have, err := disk.ReadFile(at); err != nil || !bytes.Equal(have, texts[file]) {
			changes = append(changes, disk.Change{Path: at, Text: texts[file]})
		}
	}
	return changes, nil
}
