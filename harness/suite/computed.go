package suite

import (
	"fmt"
	"testing"

	"pushdown/harness/golden"
)

// A Computed is a row of a table that is computed without training and does not depend on
// a seed, such as a model of counts. It has one run, with seed 1.
type Computed struct {
	Place Place
	// Compute returns the values of the row, in units of the suite, and a digest of what
	// they were computed from, as 64 hexadecimal digits.
	Compute func() (values []golden.Value, digest string, err error)
}

// Result computes the row at a scale. Its trajectory has the digest as its only point.
func (c Computed) Result(scale Scale) (*Result, error) {
	name, err := c.Place.Name(1)
	if err != nil {
		return nil, err
	}
	values, digest, err := c.Compute()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Result{
		Scale: string(scale), Row: golden.Row{Name: name, Values: values},
		Trajectory: golden.Trajectory{Name: name, Points: []golden.Point{{At: golden.End, SHA256: digest}}},
	}, nil
}

// compute computes the row inside a test.
func (c Computed) compute(t *testing.T) *finished {
	t.Helper()
	scale := Current().Scale
	res, err := c.Result(scale)
	built(t, scale, nil, err)
	Attributes(t, res.Row, res.Trajectory.Points[0].SHA256)
	return &finished{Result: res, seed: 1}
}
