package traces

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"pushdown/harness/golden"
)

// A Writer makes the text of a row.
type Writer struct {
	runs int
	text bytes.Buffer
}

// NewWriter begins with the row and the seeds of its runs.
func NewWriter(row golden.Name, seeds []int) *Writer {
	w := &Writer{runs: len(seeds)}
	fmt.Fprintf(&w.text, "row %s\n", row)
	w.Line("seeds", func(run int) string { return strconv.Itoa(seeds[run]) })
	return w
}

// Line writes first words and the word of each run.
func (w *Writer) Line(first string, word func(run int) string) {
	w.text.WriteString(first)
	for run := range w.runs {
		w.text.WriteByte(' ')
		w.text.WriteString(word(run))
	}
	w.text.WriteByte('\n')
}

// Bytes is the text.
func (w *Writer) Bytes() []byte { return w.text.Bytes() }

// Places is one over the last place of numbers that are no counts: a figure shows
// less.
const Places = 1e4

// Rounded is a number as it is written.
func Rounded(x float64) float64 { return math.Round(x*Places) / Places }

// Decimal writes it.
func Decimal(x float64) string { return strconv.FormatFloat(Rounded(x), 'f', -1, 64) }
