package metric

import (
	"errors"
	"fmt"
	"math"

	"pushdown/harness/numeric"
)

// ErrNotFinite is wrapped by errors about a number that is NaN or infinite. The
// messages of these errors end with the text of ErrNotFinite.
var ErrNotFinite = errors.New("want a finite number")

// CrossEntropy computes the mean of row losses in nats. The mean is the float64 sum
// of the losses, in the order in which they are added, divided by their number. The
// zero CrossEntropy is empty and ready to use. The bits of the result depend on the
// order: add rows in row order, and batches in the order of the split.
type CrossEntropy struct {
	sum  float64
	rows int64
}

// AddRows adds the losses of a batch, from the first row to the last.
func (c *CrossEntropy) AddRows(losses []float32) {
	for _, loss := range losses {
		c.sum += float64(loss)
	}
	c.rows += int64(len(losses))
}

// Rows returns the number of rows added.
func (c *CrossEntropy) Rows() int64 { return c.rows }

// Mean returns the mean loss in nats per row. It returns an error if there are no
// rows, and one that wraps [ErrNotFinite] if the sum is NaN or infinite.
func (c *CrossEntropy) Mean() (float64, error) {
	if c.rows == 0 {
		return 0, fmt.Errorf("mean cross-entropy: have no rows, want at least 1")
	}
	if c.sum-c.sum != 0 {
		return 0, fmt.Errorf("mean cross-entropy: the sum over %d rows is %v, %w", c.rows, c.sum, ErrNotFinite)
	}
	return c.sum / float64(c.rows), nil
}

// Perplexity returns e to the power of the mean nats per predicted token.
func Perplexity(nats float64) float64 { return numeric.Exp64(nats) }

// BitsPerCharacter returns the mean nats per predicted character divided by ln 2.
func BitsPerCharacter(nats float64) float64 { return nats / math.Ln2 }
