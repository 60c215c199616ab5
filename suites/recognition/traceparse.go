package recognition

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"pushdown/golden"
)

// ParseTraces reads what [Traces.Format] writes, and nothing else: text that it
// would write otherwise is an error. name is that of the file, for errors.
func ParseTraces(name string, text []byte) (*Traces, error) {
	p := &traceParser{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if err := p.line(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	again, err := p.traces.Format()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%s: %s", name, departure(again, text))
	}
	return &p.traces, nil
}

// departure names the first line that is not as it would be written.
func departure(want, have []byte) string {
	w, h := bytes.SplitAfter(want, []byte("\n")), bytes.SplitAfter(have, []byte("\n"))
	for i := range min(len(w), len(h)) {
		if !bytes.Equal(w[i], h[i]) {
			return fmt.Sprintf("line %d: have %.60q, need %.60q", i+1, h[i], w[i])
		}
	}
	return fmt.Sprintf("have %d lines, need %d", len(h), len(w))
}

// A traceParser reads line by line.
type traceParser struct{ traces Traces }

// line takes the words of a line in.
func (p *traceParser) line(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("have an empty line, need none")
	}
	kind, words := words[0], words[1:]
	if kind == "row" {
		return p.row(words)
	}
	if p.traces.Row == "" {
		return fmt.Errorf("have %q, need the row first", kind)
	}
	if kind == "seeds" {
		return p.seeds(words)
	}
	before, ok := map[string]int{"epoch": 1, "length": 2, "step": 1}[kind]
	if !ok {
		return fmt.Errorf("have %q, need row, seeds, epoch, length or step", kind)
	}
	runs := p.traces.Runs
	if want := before + len(runs); len(runs) == 0 || len(words) != want {
		return fmt.Errorf("%s: have %d words, need %d and one for each of %d seeds", kind, len(words), before, len(runs))
	}
	for i := range runs {
		if err := runs[i].take(kind, words[:before], words[before+i]); err != nil {
			return fmt.Errorf("%s: seed %d: %w", kind, runs[i].Seed, err)
		}
	}
	return nil
}

func (p *traceParser) row(words []string) error {
	if len(words) != 1 || p.traces.Row != "" {
		return fmt.Errorf("row: have %d names, need one, once", len(words))
	}
	name, err := golden.ParseName(words[0] + "/seed=1")
	if err != nil {
		return fmt.Errorf("row: %w", err)
	}
	p.traces.Row = name.Group()
	return nil
}

func (p *traceParser) seeds(words []string) error {
	if p.traces.Runs != nil {
		return fmt.Errorf("seeds: have them twice, need them once")
	}
	for _, w := range words {
		seed, err := strconv.Atoi(w)
		if err != nil {
			return fmt.Errorf("seeds: have %.20q, need a number", w)
		}
		p.traces.Runs = append(p.traces.Runs, Trace{Seed: seed})
	}
	return nil
}

// take adds to a run the word of its seed behind the first ones of a line. What it
// lets pass and should not, formatting finds.
func (t *Trace) take(kind string, first []string, word string) error {
	switch kind {
	case "epoch":
		x, err := within(word, 0, 100)
		if err != nil {
			return err
		}
		t.Epochs = append(t.Epochs, x)
	case "length":
		length, err := strconv.Atoi(first[0])
		if err != nil || length < 1 || len(t.Lengths) > 0 && length <= t.Lengths[len(t.Lengths)-1].Length {
			return fmt.Errorf("have length %.20q, need ascending ones from 1", first[0])
		}
		cases, err := strconv.Atoi(first[1])
		if err != nil || cases < 1 {
			return fmt.Errorf("have %.20q cases, need 1 or more", first[1])
		}
		right, err := strconv.Atoi(word)
		if err != nil || right < 0 || right > cases {
			return fmt.Errorf("have %.20q right answers, need 0 to %d", word, cases)
		}
		t.Lengths = append(t.Lengths, Share{length, cases, right})
	case "step":
		parts := strings.Split(word, ":")
		if len(parts) != 4 {
			return fmt.Errorf("have %d numbers in %.40q, need push, pop, no-op and top", len(parts), word)
		}
		s := Step{Symbol: first[0]}
		for i, to := range []*float64{&s.Push, &s.Pop, &s.Noop, &s.Top} {
			low := 0.0
			if i == 3 {
				low = -1
			}
			x, err := within(parts[i], low, 1)
			if err != nil {
				return err
			}
			*to = x
		}
		t.Steps = append(t.Steps, s)
	}
	return nil
}

// within reads a number of a range.
func within(word string, low, high float64) (float64, error) {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= low && x <= high) {
		return 0, fmt.Errorf("have %.20q, need a number from %v to %v", word, low, high)
	}
	return x, nil
}
