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

// Read reads the golden file at path. For paper-scale.txt it also reads the folder
// digests beside it. Read accepts exactly the text that Write writes, so that rewriting
// a file never loses anything. Errors in the text are of type *ParseError.
func Read(path string) (*File, error) {
	shown := path
	if apart(path) {
		if at, err := filepath.EvalSymlinks(path); err == nil {
			path = at // the digests are beside the file, not beside a link to it
		}
	}
	return readFS(disk.DirFS(filepath.Dir(path)), filepath.Base(path), shown)
}

// ReadFS reads a golden file as Read does, but from fsys.
func ReadFS(fsys fs.FS, name string) (*File, error) { return readFS(fsys, name, name) }

// readFS is ReadFS with the path to show in messages.
func readFS(fsys fs.FS, name, shown string) (*File, error) {
	text, err := readText(fsys, name, shown)
	if err != nil {
		return nil, err
	}
	f, err := Parse(shown, text)
	if err != nil || !apart(shown) {
		return f, err
	}
	if err := f.readDigests(fsys, name, shown); err != nil {
		return nil, err
	}
	return f, nil
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

// Parse parses the text of a golden file. path is the path for messages. If its last
// element is paper-scale.txt, the result has no trajectories, because they are in other
// files.
func Parse(path string, text []byte) (*File, error) {
	r := &reader{file: new(File), path: path}
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return nil, r.fault(bytes.Count(text, []byte("\n"))+1, errors.New("have a last line without newline, want one"))
	}
	rest := string(text)
	for n := 1; rest != ""; n++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if len(line) > maxLine {
			return nil, r.fault(n, fmt.Errorf("line: have %d bytes, want at most %d", len(line), maxLine))
		}
		r.line = n
		if err := r.read(line); err != nil {
			return nil, r.fault(n, err)
		}
	}
	err := r.file.check()
	switch {
	case err != nil:
	case !apart(path):
		err = r.file.cited()
	case len(r.file.Trajectories) > 0:
		err = &itemError{section: inTrajectories, err: fmt.Errorf("have a trajectory, want it in %s", r.file.Trajectories[0].Name.digestFile())}
	}
	if err != nil {
		return nil, r.fault(r.locate(err), err)
	}
	if n, err := canonical(string(text), string(r.file.encode())); err != nil {
		return nil, r.fault(n, err)
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

// A reader builds a File line by line and records the line number of each item.
type reader struct {
	file    *File
	path    string
	line    int
	section section
	from    int                 // the number of the last From line
	lines   [inClaims + 1][]int // by section, the line number of each item
	points  [][]int             // the line number of each point, by trajectory
}

func (r *reader) fault(line int, err error) error {
	return &ParseError{Path: r.path, Line: line, Err: err}
}

// locate returns the number of the line that has the item described by err, an
// error of File.check.
func (r *reader) locate(err error) int {
	var item, point *itemError
	if !errors.As(err, &item) {
		return 1
	}
	if item.section == inTrajectories {
		at := 0
		if errors.As(item.err, &point) {
			at = point.point
		}
		return r.points[item.index][at]
	}
	return r.lines[item.section][item.index]
}

// enter records that the current line is an item of section s. It returns an error
// if a line of a later section came before.
func (r *reader) enter(s section) error {
	if s < r.section {
		return fmt.Errorf("have a line of an earlier section, want suite, scale, Provenance, Unit, Tolerance, Benchmark, Trajectory, Verdict, Claim in this order")
	}
	r.section = s
	r.lines[s] = append(r.lines[s], r.line)
	return nil
}

// read parses one line.
func (r *reader) read(line string) error {
	if line == "" {
		return nil // Parse checks at the end that blank lines are where they belong
	}
	if name, ok := strings.CutPrefix(line, benchmarkPrefix); ok {
		return r.row(name)
	}
	word, rest, _ := strings.Cut(line, " ")
	fields, err := SplitFields(rest)
	if err != nil {
		return err
	}
	f := &form{fields: fields}
	switch word {
	case "suite:", "scale:":
		return r.header(word, f)
	case "Provenance":
		return r.provenance(f)
	case "Unit":
		return r.unit(f)
	case "Tolerance":
		return r.tolerance(f)
	case "From":
		r.from = f.whole("from", f.word("number"))
		return f.end()
	case "Trajectory":
		return r.point(f)
	case "Verdict":
		v := Verdict{Key: f.word("cell"), Outcome: Outcome(f.word("outcome")), Evidence: JoinFields(f.fields)}
		r.file.Verdicts = append(r.file.Verdicts, v)
		return errors.Join(f.err, r.enter(inVerdicts))
	case "Claim":
		c := ClaimVerdict{ID: f.word("claim"), Outcome: Outcome(f.word("outcome")), Evidence: JoinFields(f.fields)}
		r.file.Claims = append(r.file.Claims, c)
		return errors.Join(f.err, r.enter(inClaims))
	}
	return fmt.Errorf("have %q, want a line of a golden file", abbreviate(line))
}

func (r *reader) header(word string, f *form) error {
	if err := r.enter(inHeader); err != nil {
		return err
	}
	at := &r.file.Suite
	if word == "scale:" {
		at = &r.file.Scale
	}
	if *at != "" {
		return fmt.Errorf("%s have it twice, want it once", word)
	}
	*at = f.word("name")
	return f.end()
}

func (r *reader) provenance(f *form) error {
	p := Provenance{ID: f.whole("provenance", f.word("number"))}
	p.Commit = f.required("commit")
	p.Machine = f.required("machine")
	p.Date = f.required("date")
	p.Contract = f.whole("contract", f.required("contract"))
	p.Reason = f.required("reason")
	r.file.Provenance = append(r.file.Provenance, p)
	return errors.Join(f.end(), r.enter(inProvenance))
}

func (r *reader) unit(f *form) error {
	u := Unit{Name: f.word("unit")}
	u.Better, _ = f.optional("better")
	if assume, ok := f.optional("assume"); ok {
		if u.Exact = assume == "exact"; !u.Exact {
			f.fail("unit %s: assume: have %q, want exact", u.Name, abbreviate(assume))
		}
	}
	r.file.Units = append(r.file.Units, u)
	return errors.Join(f.end(), r.enter(inUnits))
}

func (r *reader) tolerance(f *form) error {
	t := Tolerance{Unit: f.word("unit")}
	if len(f.fields) > 0 && f.fields[0] == (Field{"", "any"}) {
		t.Any, f.fields = true, f.fields[1:]
	} else {
		abs, hasAbs := f.optional("abs")
		rel, hasRel := f.optional("rel")
		if !hasAbs && !hasRel {
			f.fail("tolerance of %s: have no bound, want abs=, rel= or any", abbreviate(t.Unit))
		}
		if hasAbs {
			t.Abs = f.number("abs", abs)
		}
		if hasRel {
			t.Rel = f.number("rel", rel)
		}
	}
	t.Reason = f.required("reason")
	r.file.Tolerances = append(r.file.Tolerances, t)
	return errors.Join(f.end(), r.enter(inTolerances))
}

// row parses a result line: name, iterations, then pairs of value and unit.
func (r *reader) row(line string) error {
	if err := r.enter(inRows); err != nil {
		return err
	}
	part := strings.Split(line, " ")
	name := part[0]
	if len(part) < 4 || len(part)%2 != 0 {
		return fmt.Errorf("result %s: have %d words after the name, want 1 and then pairs of value and unit", abbreviate(name), len(part)-1)
	}
	if part[1] != "1" {
		return fmt.Errorf("result %s: iterations: have %q, want 1", abbreviate(name), abbreviate(part[1]))
	}
	row := Row{Name: Name(name), From: r.from}
	for i := 2; i < len(part); i += 2 {
		v, err := strconv.ParseFloat(part[i], 64)
		if err != nil {
			return fmt.Errorf("result %s: value: have %q, want a finite number", abbreviate(name), abbreviate(part[i]))
		}
		row.Values = append(row.Values, Value{Unit: part[i+1], Value: v})
	}
	r.file.Rows = append(r.file.Rows, row)
	return nil
}

// point parses a Trajectory line and appends its point to the trajectory.
func (r *reader) point(f *form) error {
	if err := r.enter(inTrajectories); err != nil {
		return err
	}
	name := f.name()
	at, err := parseMark(f.required("update"))
	if err != nil && f.err == nil {
		f.err = err
	}
	p := Point{At: at, SHA256: f.required("sha256")}
	p.State, _ = f.optional("state")
	for len(f.fields) > 0 && f.fields[0].Key != "" {
		x := f.fields[0]
		f.fields = f.fields[1:]
		p.Extra = append(p.Extra, Scalar{x.Key, f.number(x.Key, x.Value)})
	}
	all := &r.file.Trajectories
	if last := len(*all) - 1; last >= 0 && (*all)[last].Name == name && (*all)[last].From == r.from {
		(*all)[last].Points = append((*all)[last].Points, p)
		r.points[last] = append(r.points[last], r.line)
	} else {
		*all = append(*all, Trajectory{Name: name, From: r.from, Points: []Point{p}})
		r.points = append(r.points, []int{r.line})
	}
	return f.end()
}
