package traces

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/golden"
)

// A Kind is a line of a suite.
type Kind struct {
	Name  string
	First int // words behind the name and before those of the runs
}

// A Reader takes in what a text says.
type Reader struct {
	Kinds []Kind
	// Row is told the row.
	Row func(row golden.Name)
	// Seed is told the seed of each run, in their order.
	Seed func(seed int)
	// Word is told what a line of a kind says of a run: its first words, and the
	// word of the run. What it lets pass and should not, Again finds.
	Word func(run int, kind string, first []string, word string) error
	// Again writes what was read.
	Again func() ([]byte, error)
}

// Parse reads a text that is as it would be written. name is that of the file, for
// errors.
func (r *Reader) Parse(name string, text []byte) error {
	p := &parser{Reader: r}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if err := p.line(strings.Fields(line)); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	again, err := r.Again()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return Same(name, again, text)
}

// parser reads line by line.
type parser struct {
	*Reader
	row   golden.Name
	seeds []int
}

// line takes the words of a line in.
func (p *parser) line(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("have an empty line, need none")
	}
	kind, words := words[0], words[1:]
	if kind == "row" {
		return p.named(words)
	}
	if p.row == "" {
		return fmt.Errorf("have %q, need the row first", kind)
	}
	if kind == "seeds" {
		return p.seeded(words)
	}
	at := slices.IndexFunc(p.Kinds, func(k Kind) bool { return k.Name == kind })
	if at < 0 {
		return fmt.Errorf("have %q, need %s", kind, p.names())
	}
	first := p.Kinds[at].First
	if want := first + len(p.seeds); len(p.seeds) == 0 || len(words) != want {
		return fmt.Errorf("%s: have %d words, need %d and one for each of %d seeds", kind, len(words), first, len(p.seeds))
	}
	for run, seed := range p.seeds {
		if err := p.Word(run, kind, words[:first], words[first+run]); err != nil {
			return fmt.Errorf("%s: seed %d: %w", kind, seed, err)
		}
	}
	return nil
}

// names lists the first words that a line may have.
func (p *parser) names() string {
	list := "row, seeds"
	for i, k := range p.Kinds {
		if i == len(p.Kinds)-1 {
			return list + " or " + k.Name
		}
		list += ", " + k.Name
	}
	return list
}

func (p *parser) named(words []string) error {
	if len(words) != 1 || p.row != "" {
		return fmt.Errorf("row: have %d names, need one, once", len(words))
	}
	name, err := golden.ParseName(words[0] + "/seed=1")
	if err != nil {
		return fmt.Errorf("row: %w", err)
	}
	p.row = name.Group()
	p.Row(p.row)
	return nil
}

func (p *parser) seeded(words []string) error {
	if p.seeds != nil {
		return fmt.Errorf("seeds: have them twice, need them once")
	}
	for _, w := range words {
		seed, err := strconv.Atoi(w)
		if err != nil {
			return fmt.Errorf("seeds: have %.20q, need a number", w)
		}
		p.seeds = append(p.seeds, seed)
		p.Seed(seed)
	}
	return nil
}

// Within reads a number of a range.
func Within(word string, low, high float64) (float64, error) {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= low && x <= high) {
		return 0, fmt.Errorf("have %.20q, need a number from %v to %v", word, low, high)
	}
	return x, nil
}

// Counts reads the number of cases and of the right answers among them.
func Counts(cases, right string) (all, correct int, err error) {
	if all, err = strconv.Atoi(cases); err != nil || all < 1 {
		return 0, 0, fmt.Errorf("have %.20q cases, need 1 or more", cases)
	}
	if correct, err = strconv.Atoi(right); err != nil || correct < 0 || correct > all {
		return 0, 0, fmt.Errorf("have %.20q right answers, need 0 to %d", right, all)
	}
	return all, correct, nil
}

// Same holds a text against how it would be written, and names the first line that
// is not so.
func Same(name string, want, have []byte) error {
	if bytes.Equal(want, have) {
		return nil
	}
	w, h := bytes.SplitAfter(want, []byte("\n")), bytes.SplitAfter(have, []byte("\n"))
	for i := range min(len(w), len(h)) {
		if !bytes.Equal(w[i], h[i]) {
			return fmt.Errorf("%s: line %d: have %.60q, need %.60q", name, i+1, h[i], w[i])
		}
	}
	return fmt.Errorf("%s: have %d lines, need %d", name, len(h), len(w))
}
