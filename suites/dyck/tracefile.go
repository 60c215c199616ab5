package dyck

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// The text of the traces of a row, one number for each seed behind the first ones
// of a line:
//
//	row paper=second-order-lstm/table=1/row=m4-attention2/task=lr1e-2
//	seeds 1 2
//	ldpa 3 51768 51768 51760         distance, cases, right answers
//	wcpa 1 20 0                      epoch, per cent; - after the last epoch of a run
//	angle 1 32.2754 31.4886 30.621   place, degrees between random matrices and cells
//	cell (a 1:0.9987 2:0.8812        symbol, cell and weight

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
	for i, c := range first.LDPA {
		line(fmt.Sprintf("ldpa %d %d", c.Distance, c.Cases), func(t Trace) string { return strconv.FormatInt(t.LDPA[i].Correct, 10) })
	}
	for i := range s.epochs() {
		line(fmt.Sprintf("wcpa %d", i+1), func(t Trace) string {
			if i >= len(t.WCPA) {
				return "-"
			}
			return decimal(t.WCPA[i])
		})
	}
	for i, x := range first.Random {
		line(fmt.Sprintf("angle %d %s", i+1, decimal(x)), func(t Trace) string { return decimal(t.Angles[i]) })
	}
	for i, c := range first.Cells {
		line("cell "+c.Symbol, func(t Trace) string {
			return fmt.Sprintf("%d:%s", t.Cells[i].Cell, decimal(t.Cells[i].Weight))
		})
	}
	return b.Bytes(), nil
}
