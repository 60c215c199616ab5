package traces

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/golden"
)

// A Line is one line of the trace of a run.
type Line struct {
	First string // the words that all seeds share, such as "length 100 50"
	Word  string // the word of this run, without blanks
}

// Kind returns the first word of the line.
func (l Line) Kind() string {
	kind, _, _ := strings.Cut(l.First, " ")
	return kind
}

// A List collects the lines of a run.
type List []Line

// Add adds a line. The first argument is the line's last word, which may differ between
// runs. The other arguments give the words before it, as for fmt.Sprintf.
func (l *List) Add(word, format string, args ...any) {
	*l = append(*l, Line{First: fmt.Sprintf(format, args...), Word: word})
}

// A Run is the trace of one seed.
type Run struct {
	Seed  int
	Lines []Line // lines of one kind are adjacent
}

// OfKind returns the lines of a kind.
func (r Run) OfKind(kind string) (list []Line) {
	for _, l := range r.Lines {
		if l.Kind() == kind {
			list = append(list, l)
		}
	}
	return list
}

// Each calls the function take for each line. The arguments are the kind of the line, the
// rest of its first words, and the word of the run. Two empty strings are appended to the
// first words, so that the function can use first[0] and first[1] without checking their
// number. If the function returns an error, Each returns it with the seed and the line.
func (r Run) Each(take func(kind string, first []string, word string) error) error {
	for _, l := range r.Lines {
		first := append(strings.Fields(l.First)[1:], "", "")
		if err := take(l.Kind(), first, l.Word); err != nil {
			return fmt.Errorf("seed %d: %q: %w", r.Seed, l.First, err)
		}
	}
	return nil
}

// A File holds the traces of a row.
type File struct {
	Row  golden.Name // the group of the runs
	Runs []Run       // by seed
}

// none takes the place of a run's word on a line that the run does not have.
const none = "-"

// Merge adds the given runs to f. A run replaces the run of f that has the same seed. If
// Merge returns an error, f is unchanged.
func (f *File) Merge(runs ...Run) error {
	merged := &File{Row: f.Row, Runs: slices.DeleteFunc(slices.Clone(f.Runs), func(r Run) bool {
		return slices.ContainsFunc(runs, func(o Run) bool { return o.Seed == r.Seed })
	})}
	merged.Runs = append(merged.Runs, runs...)
	slices.SortFunc(merged.Runs, func(a, b Run) int { return cmp.Compare(a.Seed, b.Seed) })
	if _, err := merged.Format(); err != nil {
		return err
	}
	*f = *merged
	return nil
}

// Find returns the run of a seed and reports whether there is one.
func (f *File) Find(seed int) (Run, bool) {
	i := slices.IndexFunc(f.Runs, func(r Run) bool { return r.Seed == seed })
	if i < 0 {
		return Run{}, false
	}
	return f.Runs[i], true
}

// Format returns the text of f. All runs must have the same lines, except that a run may
// have fewer lines of a kind than another.
func (f *File) Format() ([]byte, error) {
	fail := func(format string, args ...any) ([]byte, error) {
		return nil, fmt.Errorf("traces of %s: %w", f.Row, fmt.Errorf(format, args...))
	}
	if len(f.Runs) == 0 {
		return fail("have no run, want one or more")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "row %s\nseeds", f.Row)
	var kinds []string
	for i, r := range f.Runs {
		if r.Seed < 1 || i > 0 && r.Seed <= f.Runs[i-1].Seed {
			return fail("have seed %d at place %d, want ascending seeds from 1", r.Seed, i+1)
		}
		fmt.Fprintf(&b, " %d", r.Seed)
		last := ""
		for _, l := range r.Lines {
			if l.Word == none || len(strings.Fields(l.Word)) != 1 || strings.Join(strings.Fields(l.First), " ") != l.First || l.First == "" {
				return fail("seed %d: have the line %q with the word %q, want words with single blanks between them and one word of the run other than -", r.Seed, l.First, l.Word)
			}
			kind := l.Kind()
			if kind == "row" || kind == "seeds" || kind != last && slices.Contains(kinds, kind) && i == 0 {
				return fail("seed %d: have a line %q here, want lines of one kind to be adjacent, and row and seeds only at the top", r.Seed, kind)
			}
			if last = kind; !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	b.WriteByte('\n')
	for _, kind := range kinds {
		var longest []Line
		all := make([][]Line, len(f.Runs))
		for i, r := range f.Runs {
			if all[i] = r.OfKind(kind); len(all[i]) > len(longest) {
				longest = all[i]
			}
		}
		for k, l := range longest {
			b.WriteString(l.First)
			for i, r := range f.Runs {
				word := none
				if k < len(all[i]) {
					if have := all[i][k].First; have != l.First {
						return fail("seed %d: have line %q, want %q as for another seed", r.Seed, have, l.First)
					}
					word = all[i][k].Word
				}
				b.WriteString(" " + word)
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}

// Parse parses the text of a trace file, which must be exactly as Format writes it. Errors
// contain the name of the file.
func Parse(name string, text []byte) (*File, error) {
	f := &File{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if err := f.line(n, strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	again, err := f.Format()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, Same(name, again, text)
}

// line adds the words of line n to f.
func (f *File) line(n int, words []string) error {
	switch {
	case n == 1:
		if len(words) != 2 || words[0] != "row" {
			return fmt.Errorf("have %.60q, want the word row and a name", words)
		}
		row, err := golden.ParseName(words[1] + "/seed=1")
		f.Row = row.Group()
		return err
	case n == 2:
		if len(words) < 2 || words[0] != "seeds" {
			return fmt.Errorf("have %.60q, want the word seeds and numbers", words)
		}
		for _, w := range words[1:] {
			seed, err := strconv.Atoi(w)
			if err != nil {
				return fmt.Errorf("seeds: have %.20q, want a number", w)
			}
			f.Runs = append(f.Runs, Run{Seed: seed})
		}
		return nil
	}
	k := len(words) - len(f.Runs)
	if k < 1 {
		return fmt.Errorf("have %d words, want a kind and a word for each of %d seeds", len(words), len(f.Runs))
	}
	for i, w := range words[k:] {
		if w != none {
			f.Runs[i].Lines = append(f.Runs[i].Lines, Line{First: strings.Join(words[:k], " "), Word: w})
		}
	}
	return nil
}

// Same returns nil if the two texts are equal. Otherwise it returns an error with the first
// line that differs.
func Same(name string, want, have []byte) error {
	if bytes.Equal(want, have) {
		return nil
	}
	w, h := bytes.SplitAfter(want, []byte("\n")), bytes.SplitAfter(have, []byte("\n"))
	for i := range min(len(w), len(h)) {
		if !bytes.Equal(w[i], h[i]) {
			return fmt.Errorf("%s:%d: have %.60q, want %.60q", name, i+1, h[i], w[i])
		}
	}
	return fmt.Errorf("%s: have %d lines, want %d", name, len(h), len(w))
}

// Within parses a number. It returns an error if the number is less than low or greater
// than high.
func Within(word string, low, high float64) (float64, error) {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= low && x <= high) {
		return 0, fmt.Errorf("have %.20q, want a number from %v to %v", word, low, high)
	}
	return x, nil
}

// CheckNumber returns an error if a word is not the expected number. The parameter what
// describes the number in the error.
func CheckNumber(what, word string, want int) error {
	if word != strconv.Itoa(want) {
		return fmt.Errorf("have %s %.20q, want %d", what, word, want)
	}
	return nil
}

// Ascending parses a number that must be greater than the number on the previous line. The
// parameter what describes the number in errors.
func Ascending(what, word string, before int) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n <= before {
		return 0, fmt.Errorf("have %s %.20q, want ascending ones from 1", what, word)
	}
	return n, nil
}

// Counts parses two words: the number of cases, and how many of them were answered
// right.
func Counts(cases, right string) (all, correct int, err error) {
	if all, err = strconv.Atoi(cases); err != nil || all < 1 {
		return 0, 0, fmt.Errorf("have %.20q cases, want 1 or more", cases)
	}
	if correct, err = strconv.Atoi(right); err != nil || correct < 0 || correct > all {
		return 0, 0, fmt.Errorf("have %.20q right answers, want 0 to %d", right, all)
	}
	return all, correct, nil
}

// NumberedWeight parses a word such as 4:0.3987: a number from 1, and a weight from 0 to 1.
func NumberedWeight(word string) (n int, weight float64, err error) {
	number, rest, _ := strings.Cut(word, ":")
	if n, err = strconv.Atoi(number); err != nil || n < 1 {
		return 0, 0, fmt.Errorf("have %.20q, want a number from 1", number)
	}
	weight, err = Within(rest, 0, 1)
	return n, weight, err
}

// Precision says how numbers other than counts are rounded: to multiples of 1/Precision.
// This gives four decimal places, which is more than a figure shows.
const Precision = 1e4

// Rounded rounds a number to a multiple of 1/Precision.
func Rounded(x float64) float64 { return math.Round(x*Precision) / Precision }

// Decimal formats a number that is not a count, with up to four decimal places.
func Decimal(x float64) string { return strconv.FormatFloat(Rounded(x), 'f', -1, 64) }
