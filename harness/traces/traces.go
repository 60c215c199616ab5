// Package traces reads and writes the data of figures: what a run leaves beside its values.
//
// The folder traces beside the golden files of a suite has a file for each row, with a line of
// JSON for each run, sorted by seed:
//
//	{"row":"paper=diffstk/table=1/row=gru","seed":1,"trace":{"epochs":[0.2,100],...}}
//
// The value of trace is a struct of the suite, as encoding/json writes it. A file has exactly the
// text that [Format] writes, so equal traces have equal text.
package traces

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pushdown/harness/golden"
)

// A Run is the trace of a run.
type Run struct {
	Row   golden.Name     `json:"row"` // the group of the run
	Seed  int             `json:"seed"`
	Trace json.RawMessage `json:"trace"` // nil if the run has no trace
}

// New returns the trace of the run with the given name. The trace is a struct of the suite. If it is
// nil, the run has no trace.
func New(name golden.Name, trace any) (r Run, err error) {
	r = Run{Row: name.Group(), Seed: name.Seed()}
	if trace != nil {
		r.Trace, err = json.Marshal(trace)
	}
	if err != nil {
		return r, fmt.Errorf("trace of %s: %w", name, err)
	}
	return r, nil
}

// Decode returns the trace of a run as a struct of the suite. It accepts only what [New] writes for
// that struct, and for which the function check returns no error.
func Decode[T any](r Run, check func(T) error) (trace T, err error) {
	if err = decode(r.Trace, &trace); err == nil {
		err = check(trace)
	}
	if err != nil {
		err = fmt.Errorf("seed %d: %w", r.Seed, err)
	}
	return trace, err
}

// decode decodes text into a value. It returns an error unless encoding the value gives text again.
func decode(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	again, err := json.Marshal(to)
	if err != nil || bytes.Equal(again, text) {
		return err
	}
	at := 0
	for at < min(len(again), len(text)) && again[at] == text[at] {
		at++
	}
	return fmt.Errorf("column %d: have %.40q, want it written as %.40q", at+1, text[at:], again[at:])
}

// Merge returns list with the runs of more, sorted by seed. A run of more replaces that of list with
// the same seed.
func Merge(list []Run, more ...Run) []Run {
	list = slices.DeleteFunc(slices.Clone(list), func(r Run) bool {
		return slices.ContainsFunc(more, func(o Run) bool { return o.Seed == r.Seed })
	})
	list = append(list, more...)
	slices.SortFunc(list, func(a, b Run) int { return cmp.Compare(a.Seed, b.Seed) })
	return list
}

// Format returns the text of the traces of a row.
func Format(list []Run) ([]byte, error) {
	if err := check(list); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, r := range list {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("trace of %s: %w", r.Row.WithSeed(r.Seed), err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

// check returns an error unless the traces are those of one row, in the order of their seeds.
func check(list []Run) error {
	if len(list) == 0 {
		return fmt.Errorf("have no trace, want one or more")
	}
	for i, r := range list {
		if _, err := golden.ParseName(string(r.Row.WithSeed(r.Seed))); err != nil {
			return err
		}
		if r.Row != list[0].Row || i > 0 && r.Seed <= list[i-1].Seed {
			return fmt.Errorf("have the trace of %s after that of %s, want one row and ascending seeds", r.Row.WithSeed(r.Seed), list[i-1].Row.WithSeed(list[i-1].Seed))
		}
		if len(r.Trace) == 0 || string(r.Trace) == "null" {
			return fmt.Errorf("trace of %s: have none, want an object", r.Row.WithSeed(r.Seed))
		}
	}
	return nil
}

// Parse parses the text of a trace file. Errors have the name of the file.
func Parse(name string, text []byte) (list []Run, err error) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var r Run
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		err := decode(body, &r)
		if err == nil && !ended {
			err = fmt.Errorf("have a last line without newline, want one")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		list = append(list, r)
	}
	if err := check(list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// Within returns an error unless all numbers lie in [low, high].
func Within(what string, list []float64, low, high float64) error {
	for i, x := range list {
		if !(x >= low && x <= high) {
			return fmt.Errorf("%s %d: have %v, want a number from %v to %v", what, i+1, x, low, high)
		}
	}
	return nil
}

// CheckShare returns an error unless right answers to so many cases are possible, and at is greater
// than before. The two are places such as lengths, for which the answers are counted.
func CheckShare(what string, before, at int, right, cases int64) error {
	if at <= before || cases < 1 || right < 0 || right > cases {
		return fmt.Errorf("%s %d after %d: have %d right answers to %d cases, want ascending ones from 1, with 1 case or more and at most as many right answers", what, at, before, right, cases)
	}
	return nil
}

// Precision says how numbers other than counts are rounded: to multiples of 1/Precision.
// This gives four decimal places, which is more than a figure shows.
const Precision = 1e4

// Rounded rounds a number to a multiple of 1/Precision.
func Rounded(x float64) float64 { return math.Round(x*Precision) / Precision }
