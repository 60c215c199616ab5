package dyck

import (
	"fmt"
	"strconv"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/traces"
)

// The text of the traces of a row, in the frame of package traces:
//
//	row paper=second-order-lstm/table=1/row=m4-attention2/task=lr1e-2
//	seeds 1 2
//	ldpa 3 51768 51768 51760         distance, cases, right answers
//	wcpa 1 20 0                      epoch, per cent; - after the last epoch of a run
//	angle 1 32.2754 31.4886 30.621   place, degrees between random matrices and cells
//	cell (a 1:0.9987 2:0.8812        symbol, cell and weight
var kinds = []traces.Kind{{Name: "ldpa", First: 2}, {Name: "wcpa", First: 1}, {Name: "angle", First: 2}, {Name: "cell", First: 1}}

// Format writes the traces. Equal ones give equal text.
func (s *Traces) Format() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	w := traces.NewWriter(s.Row, s.seeds())
	first := s.Runs[0]
	for i, c := range first.LDPA {
		w.Line(fmt.Sprintf("ldpa %d %d", c.Distance, c.Cases), func(run int) string { return strconv.FormatInt(s.Runs[run].LDPA[i].Correct, 10) })
	}
	for i := range s.epochs() {
		w.Line(fmt.Sprintf("wcpa %d", i+1), func(run int) string {
			if t := s.Runs[run]; i < len(t.WCPA) {
				return traces.Decimal(t.WCPA[i])
			}
			return "-"
		})
	}
	for i, x := range first.Random {
		w.Line(fmt.Sprintf("angle %d %s", i+1, traces.Decimal(x)), func(run int) string { return traces.Decimal(s.Runs[run].Angles[i]) })
	}
	for i, c := range first.Cells {
		w.Line("cell "+c.Symbol, func(run int) string {
			c := s.Runs[run].Cells[i]
			return fmt.Sprintf("%d:%s", c.Cell, traces.Decimal(c.Weight))
		})
	}
	return w.Bytes(), nil
}

// ParseTraces reads what [Traces.Format] writes, and nothing else: text that it
// would write otherwise is an error. name is that of the file, for errors.
func ParseTraces(name string, text []byte) (*Traces, error) {
	s := &Traces{}
	r := traces.Reader{
		Kinds: kinds,
		Row:   func(row golden.Name) { s.Row = row },
		Seed:  func(seed int) { s.Runs = append(s.Runs, Trace{Seed: seed}) },
		Word: func(run int, kind string, first []string, word string) error {
			return s.Runs[run].take(kind, first, word)
		},
		Again: s.Format,
	}
	if err := r.Parse(name, text); err != nil {
		return nil, err
	}
	return s, nil
}

// take adds to a run the word of its seed behind the first ones of a line.
func (t *Trace) take(kind string, first []string, word string) error {
	switch kind {
	case "ldpa":
		distance, err := strconv.Atoi(first[0])
		if err != nil || distance < 1 || len(t.LDPA) > 0 && distance <= t.LDPA[len(t.LDPA)-1].Distance {
			return fmt.Errorf("have distance %.20q, need ascending ones from 1", first[0])
		}
		cases, right, err := traces.Counts(first[1], word)
		if err != nil {
			return err
		}
		t.LDPA = append(t.LDPA, metric.Count{Distance: distance, Share: metric.Share{Correct: int64(right), Cases: int64(cases)}})
	case "wcpa":
		if word == "-" {
			return nil // an epoch that follows stands in a wrong line then
		}
		x, err := traces.Within(word, 0, 100)
		if err != nil {
			return err
		}
		t.WCPA = append(t.WCPA, x)
	case "angle":
		random, err := traces.Within(first[1], 0, 90)
		if err != nil {
			return err
		}
		x, err := traces.Within(word, 0, 90)
		if err != nil {
			return err
		}
		t.Random, t.Angles = append(t.Random, random), append(t.Angles, x)
	case "cell":
		number, weight, _ := strings.Cut(word, ":")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return fmt.Errorf("have cell %.20q, need one from 1", number)
		}
		x, err := traces.Within(weight, 0, 1)
		if err != nil {
			return err
		}
		t.Cells = append(t.Cells, Cell{Symbol: first[0], Cell: n, Weight: x})
	}
	return nil
}
