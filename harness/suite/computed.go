package suite

import (
	"errors"
	"fmt"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
)

// A Computed is a row of a table that is computed without training, such as a model of counts,
// or a score of networks that another suite trained.
type Computed struct {
	ID    RowID
	Seeds int  // it has runs with the seeds 1 to Seeds
	Long  bool // takes minutes, so that tests repeat it only if the long checks are selected
	// Compute returns the values of a run, in units of the suite, and a digest of what
	// they were computed from, as 64 hexadecimal digits.
	Compute func(dev kernel.Device, seed int) (values []golden.Value, digest string, err error)
	About   any // what it is computed from, for package exchange; nil if nobody else can compute it
}

// Result computes a run at a scale. Its trajectory has the digest as its only point.
func (c Computed) Result(dev kernel.Device, scale Scale, seed int) (*Result, error) {
	name, err := c.ID.Name(seed)
	if err != nil {
		return nil, err
	}
	values, digest, err := c.Compute(dev, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Result{
		Scale: string(scale), Row: golden.Row{Name: name, Values: values},
		Trajectory: golden.Trajectory{Name: name, Points: []golden.Point{{At: golden.End, SHA256: digest}}},
	}, nil
}

// compute computes a run inside a test.
func (c Computed) compute(t *testing.T, seed int) *finished {
	t.Helper()
	res, err := c.Result(Open(t), Current().Scale, seed)
	if m, ok := errors.AsType[*Missing](err); ok && m.Need == trained && Current().Only {
		t.Skipf("PUSHDOWN_RESUME=only: %v", err)
	}
	Built(t, nil, err)
	attributes(t, res.Row, res.Trajectory.Points[0].SHA256)
	return &finished{Result: res}
}
