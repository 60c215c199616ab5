package recognition

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// The text of the traces of a row, one word for each seed behind the first ones of
// a line:
//
//	row paper=diffstk/table=1/row=diffstk-mrnn/task=batch8
//	seeds 1 2
//	epoch 1 0.2 100                  number, per cent
//	length 100 50 50 49              length, cases, right answers
//	step ( 1:0:0:0.9987 0:1:0:-1     symbol; push, pop, no-op, top

// decimals of the numbers that are no counts: a figure shows less.
const decimals = 1e4

func rounded(x float64) float64 { return math.Round(x*decimals) / decimals }

func decimal(x float64) string { return strconv.FormatFloat(rounded(x), 'f', -1, 64) }

// Format writes the traces. Equal ones give equal text.
func (s *Traces) Format() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	line := func(head string, each func(t Trace) string) {
		b.WriteString(head)
		for _, t := range s.Runs {
			b.WriteByte(' ')
			b.WriteString(each(t))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "row %s\n", s.Row)
	line("seeds", func(t Trace) string { return strconv.Itoa(t.Seed) })
	first := s.Runs[0]
	for i := range first.Epochs {
		line(fmt.Sprintf("epoch %d", i+1), func(t Trace) string { return decimal(t.Epochs[i]) })
	}
	for i, c := range first.Lengths {
		line(fmt.Sprintf("length %d %d", c.Length, c.Cases), func(t Trace) string { return strconv.Itoa(t.Lengths[i].Correct) })
	}
	for i, c := range first.Steps {
		line("step "+c.Symbol, func(t Trace) string {
			s := t.Steps[i]
			return decimal(s.Push) + ":" + decimal(s.Pop) + ":" + decimal(s.Noop) + ":" + decimal(s.Top)
		})
	}
	return b.Bytes(), nil
}
