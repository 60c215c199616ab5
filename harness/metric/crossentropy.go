package metric

import (
	"errors"
	"fmt"
	"math"

	"pushdown/harness/numeric"
)

// ErrNotFinite is in errors about a number that is NaN or infinite, and their last
// words.
var ErrNotFinite = errors.New("want a finite number")

// CrossEntropy is the mean of row losses in nats: their float64 sum, in the order
// they are added, over their number. The zero CrossEntropy is empty and ready.
// The order is part of the result's bits, so there is no merging: add rows in
// row order, batches in the order of the split.
type CrossEntropy struct {
	sum  float64
	rows int64
}

// Add counts one row's loss.
func (c *CrossEntropy) Add(loss float32) {
	c.sum += float64(loss)
	c.rows++
}

// AddRows counts the losses of a batch, from the first row to the last.
func (c *CrossEntropy) AddRows(losses []float32) {
	for _, loss := range losses {
		c.sum += float64(loss)
	}
	c.rows += int64(len(losses))
}

// Rows is the number of rows counted.
func (c *CrossEntropy) Rows() int64 { return c.rows }

// Mean returns the mean loss in nats per row. No rows, and a loss that was NaN or
// infinite, are errors, the latter [ErrNotFinite].
func (c *CrossEntropy) Mean() (float64, error) {
	if c.rows == 0 {
		return 0, fmt.Errorf("mean cross-entropy: no rows")
	}
	if c.sum-c.sum != 0 {
		return 0, fmt.Errorf("mean cross-entropy: the sum over %d rows is %v, %w", c.rows, c.sum, ErrNotFinite)
	}
	return c.sum / float64(c.rows), nil
}

// Perplexity is e to the mean nats per predicted token.
func Perplexity(nats float64) float64 { return numeric.Exp64(nats) }

// BitsPerCharacter is the mean nats per predicted character over ln 2.
func BitsPerCharacter(nats float64) float64 { return nats / math.Ln2 }
