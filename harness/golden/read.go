package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/disk"
)

const (
	// benchmarkPrefix starts every result line.
	benchmarkPrefix = "BenchmarkTrain/"
	// maxLine and maxFile limit the input of Read, in bytes. Lines must be short anyway,
	// because benchstat accepts none of 64 KiB or more.
	maxLine = 4096
	maxFile = 64 << 20
)

// A ParseError is an error at a line of a golden file.
type ParseError struct {
	Path string // the file, as given to Read
	Line int    // from 1
	Err  error  // what the line has and what is expected
}

// Error returns the error in the form path:line: message.
func (e *ParseError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

// Unwrap returns Err.
func (e *ParseError) Unwrap() error { return e.Err }

// Read reads the golden file at path. It accepts exactly the text that Format returns, so that
// rewriting a file never loses anything. Errors in the text are of type *ParseError.
func Read(path string) (*File, error) { return read(disk.FS{}, path) }

// read is Read on the given file system.
func read(fsys disk.FS, path string) (*File, error) {
	return readFS(fsys.DirFS(filepath.Dir(path)), filepath.Base(path), path)
}

// ReadScale reads the results of a suite at a scale from fsys, the suite's folder of golden files.
// At scale paper they are in several files; see [Name.File]. If there is no file, the error wraps
// [fs.ErrNotExist]. The parameter shown is the path of the folder for messages.
func ReadScale(fsys fs.FS, scale, shown string) (*File, error) {
	names := []string{scale + ".txt"}
	if scale == paperScale {
		var err error
		if names, err = fs.Glob(fsys, "[^.]*-*.txt"); err != nil { // editors make files that begin with a dot
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: have no golden files of scale %s, want at least one: %w", shown, scale, fs.ErrNotExist)
		}
	}
	var all *File
	for _, name := range names {
		f, err := readFS(fsys, name, filepath.Join(shown, name))
		if scale == paperScale && errors.Is(err, fs.ErrNotExist) { // a link to nothing, beside other files
			return nil, fmt.Errorf("%s: have a file that cannot be read: %v", filepath.Join(shown, name), err)
		}
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = &File{Suite: f.Suite, Scale: f.Scale}
		}
		if f.Suite != all.Suite || f.Scale != scale {
			return nil, fmt.Errorf("%s: have results of %s/%s, want those of %s/%s", filepath.Join(shown, name), f.Suite, f.Scale, all.Suite, scale)
		}
		for _, u := range f.Units {
			if have, ok := all.UnitOf(u.Name); !ok {
				all.Units = append(all.Units, u)
			} else if have != u {
				return nil, fmt.Errorf("%s: have %q, want %q as other files of the folder", filepath.Join(shown, name), u, have)
			}
		}
		all.Rows, all.Trajectories = append(all.Rows, f.Rows...), append(all.Trajectories, f.Trajectories...)
	}
	all.sort()
	return all, nil
}

// readFS reads the golden file with the given name. The parameter shown is its path for messages.
func readFS(fsys fs.FS, name, shown string) (*File, error) {
	text, err := readText(fsys, name, shown)
	if err != nil {
		return nil, err
	}
	f, err := Parse(shown, text)
	if err == nil {
		err = f.checkPlace(shown)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// checkPlace returns an error if a run of f belongs into another file than the one at path.
func (f *File) checkPlace(path string) error {
	if f.Scale != paperScale {
		return nil
	}
	for _, n := range append(names(f.Rows, Row.name), names(f.Trajectories, Trajectory.name)...) {
		if file := n.File(f.Scale); file != filepath.Base(path) {
			return fmt.Errorf("%s: have %s, want it in %s", path, n, file)
		}
	}
	return nil
}

// readText reads a file. It returns an error if the file is too large. shown is the
// path for messages.
func readText(fsys fs.FS, name, shown string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	var text []byte
	switch {
	case err != nil:
	case info.Size() > maxFile:
		err = fmt.Errorf("%s: have %d bytes, want at most %d", shown, info.Size(), maxFile)
	default:
		text, err = fs.ReadFile(fsys, name)
	}
	var fault *fs.PathError
	if errors.As(err, &fault) {
		fault.Path = shown
	}
	return text, err
}

// Parse parses the text of a golden file. path is the path for messages.
func Parse(path string, text []byte) (*File, error) {
	r := &reader{file: new(File), at: make(map[Name]int)}
	fault := func(line int, err error) error { return &ParseError{Path: path, Line: line, Err: err} }
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return nil, fault(bytes.Count(text, []byte("\n"))+1, errors.New("have a last line without newline, want one"))
	}
	for line := range strings.Lines(string(text)) {
		r.line++
		if len(line) > maxLine {
			return nil, fault(r.line, fmt.Errorf("line: have %d bytes, want at most %d", len(line), maxLine))
		}
		if err := r.read(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fault(r.line, err)
		}
	}
	if err := r.file.check(); err != nil {
		line := 1
		var of *runError
		if errors.As(err, &of) {
			line = r.at[of.name]
		}
		return nil, fault(line, err)
	}
	if n, err := canonical(string(text), string(r.file.encode())); err != nil {
		return nil, fault(n, err)
	}
	return r.file, nil
}

// canonical compares the text of a file with the text that this package writes for the same
// content. If they differ, it returns the number of the first line that differs, and an
// error that describes the difference.
func canonical(text, written string) (n int, err error) {
	if text == written {
		return 0, nil
	}
	have, want := slices.Collect(strings.Lines(text)), slices.Collect(strings.Lines(written))
	for n < min(len(have), len(want)) && have[n] == want[n] {
		n++
	}
	line := func(list []string) string {
		switch {
		case n >= len(list):
			return "the end of the file"
		case list[n] == "\n":
			return "a blank line"
		}
		return strconv.Quote(abbreviate(strings.TrimSuffix(list[n], "\n")))
	}
	h, w := line(have), line(want)
	switch {
	case h == "a blank line":
		err = fmt.Errorf("have a blank line, want none before %s", w)
	case w == "a blank line":
		err = fmt.Errorf("have %s, want a blank line before it", h)
	case n < min(len(have), len(want)):
		err = sameLine(strings.TrimSuffix(have[n], "\n"), strings.TrimSuffix(want[n], "\n"))
	default:
		err = fmt.Errorf("have %s, want %s", h, w)
	}
	return n + 1, err
}

// sameLine returns an error if a line is not the expected one. The error shows the first
// words that differ, or both lines if they differ in the first word.
func sameLine(have, want string) error {
	if have == want {
		return nil
	}
	at := 0
	for at < min(len(have), len(want)) && have[at] == want[at] {
		at++
	}
	start := strings.LastIndexByte(have[:at], ' ') + 1
	if at == len(have) && want[at] == ' ' || at == len(want) && have[at] == ' ' {
		start = at + 1 // one of the lines ends with the last common word
	}
	if start == 0 {
		return fmt.Errorf("have the line %q, want %q", abbreviate(have), abbreviate(want))
	}
	word := func(line string) string {
		if start >= len(line) {
			return "the end of the line"
		}
		w, _, _ := strings.Cut(line[start:], " ")
		return strconv.Quote(abbreviate(w))
	}
	h, w := word(have), word(want)
	if start >= len(have) || start >= len(want) {
		return fmt.Errorf("column %d: have %s, want %s", start+1, h, w)
	}
	return fmt.Errorf("column %d: have %s, want it written as %s", start+1, h, w)
}

// A reader builds a File line by line.
type reader struct {
	file *File
	line int
	from Origin       // that of the last From line
	run  Name         // the last run
	at   map[Name]int // the line of the first item of each run
}

// read parses one line.
func (r *reader) read(line string) error {
	if line == "" {
		return nil // Parse checks at the end that blank lines are where they belong
	}
	f := r.file
	if name, ok := strings.CutPrefix(line, benchmarkPrefix); ok {
		return r.row(name)
	}
	word, rest, _ := strings.Cut(line, " ")
	fields, err := SplitFields(rest)
	if err != nil {
		return err
	}
	p := &form{fields: fields}
	switch word {
	case "suite:":
		f.Suite = p.word("suite")
	case "scale:":
		f.Scale = p.word("scale")
	case "Unit":
		u := Unit{Name: p.word("unit")}
		u.Better, _ = p.optional("better")
		u.Exact, u.Clock = p.flag("assume", "exact"), p.flag("clock", "true")
		f.Units = append(f.Units, u)
	case "From":
		r.from = Origin{Commit: p.required("commit"), Machine: p.required("machine"), Date: p.required("date"),
			Contract: p.whole("contract", p.required("contract")), Reason: p.required("reason")}
	case "Run":
		r.begin(p.name())
	case "points":
		t, err := r.trajectory(line)
		if err != nil {
			return err
		}
		t.Thinned = &Thinned{Points: p.whole("points", p.word("points")), SHA256: p.word("points")}
	case "curve":
		t, err := r.trajectory(line)
		if err == nil && t.Thinned == nil {
			err = fmt.Errorf("curve: have no line of points before it, want one")
		}
		if err != nil {
			return err
		}
		return t.Thinned.read(strings.Fields(rest))
	default:
		at, err := parseStep(word)
		if err != nil {
			return fmt.Errorf("have %q, want a line of a golden file", abbreviate(line))
		}
		t, err := r.trajectory(line)
		if err != nil {
			return err
		}
		t.Points = append(t.Points, p.point(at))
	}
	return p.end()
}

// begin begins the run with the given name.
func (r *reader) begin(name Name) {
	r.run = name
	if r.at[name] == 0 {
		r.at[name] = r.line
	}
}

// row parses a result line: name, iterations, then pairs of value and unit.
func (r *reader) row(line string) error {
	part := strings.Split(line, " ")
	name := part[0]
	if len(part) < 4 || len(part)%2 != 0 {
		return fmt.Errorf("result %s: have %d words after the name, want 1 and then pairs of value and unit", abbreviate(name), len(part)-1)
	}
	if part[1] != "1" {
		return fmt.Errorf("result %s: iterations: have %q, want 1", abbreviate(name), abbreviate(part[1]))
	}
	row := Row{Name: Name(name), Origin: r.from}
	for i := 2; i < len(part); i += 2 {
		v, err := strconv.ParseFloat(part[i], 64)
		if err != nil {
			return fmt.Errorf("result %s: value: have %q, want a finite number", abbreviate(name), abbreviate(part[i]))
		}
		row.Values = append(row.Values, Value{Unit: part[i+1], Value: v})
	}
	r.file.Rows = append(r.file.Rows, row)
	r.begin(row.Name)
	return nil
}

// trajectory returns the trajectory of the current run, to which a line belongs.
func (r *reader) trajectory(line string) (*Trajectory, error) {
	if r.run == "" {
		return nil, fmt.Errorf("have %q, want a run before it", abbreviate(line))
	}
	all := r.file.Trajectories
	if last := len(all) - 1; last < 0 || all[last].Name != r.run {
		all = append(all, Trajectory{Name: r.run, Origin: r.from})
	}
	r.file.Trajectories = all
	return &all[len(all)-1], nil
}

// point parses the rest of the line of a point.
func (f *form) point(at Step) Point {
	p := Point{At: at, SHA256: f.word("digest")}
	if len(f.fields) > 0 && f.fields[0].Key == "" {
		p.State = f.word("digest of the state")
	}
	for len(f.fields) > 0 && f.fields[0].Key != "" {
		x := f.fields[0]
		f.fields = f.fields[1:]
		p.Extra = append(p.Extra, Scalar{x.Key, f.number(x.Key, x.Value)})
	}
	return p
}

// read parses the words of a curve line, without the word curve.
func (n *Thinned) read(words []string) error {
	every := n.every()
	if len(words) > 0 && len(n.Curve) == 0 {
		if text, ok := strings.CutPrefix(words[0], "every="); ok {
			var err error
			if every, err = parseStep(text); err != nil {
				return err
			}
			words = words[1:]
		}
	}
	for _, w := range words {
		v := Validation{Update: every * Step(len(n.Curve)+1)}
		if at, loss, ok := strings.Cut(w, ":"); ok {
			step, err := parseStep(at)
			if err != nil {
				return err
			}
			v.Update, w = step, loss
		}
		var err error
		if v.Loss, err = strconv.ParseFloat(w, 64); err != nil {
			return fmt.Errorf("curve: update %v: have %q, want a number", v.Update, abbreviate(w))
		}
		n.Curve = append(n.Curve, v)
	}
	return nil
}
