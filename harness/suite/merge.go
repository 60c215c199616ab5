package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
)

// An Expected is a run that leaves a result.
type Expected struct {
	Name  golden.Name
	suite *Suite
	runs  Runs
}

// Experiments returns the runs that leave results at a scale. The keys are the
// hashes of their experiments. The error wraps a *[Missing] if a corpus is missing.
func (s *Suite) Experiments(scale Scale) (map[string]Expected, error) {
	list := map[string]Expected{}
	for _, r := range s.Rows(scale) {
		for _, seed := range r.List() {
			x, err := r.Build(uint64(seed))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.ID().Group().WithSeed(seed), err)
			}
			hash, err := x.Hash()
			if err != nil {
				return nil, err
			}
			list[hash] = Expected{golden.Name(x.Name), s, r}
		}
	}
	return list, nil
}

// Remeasure measures the parameters of a result of the run again, and lets the schedule decide again on
// the losses of its validations. It returns an error if the result in the given file says anything else.
func (e Expected) Remeasure(dev kernel.Device, file string) error {
	r, err := ReadResult(file)
	if err != nil {
		return err
	}
	x, err := e.runs.Build(uint64(e.Name.Seed()))
	if err != nil {
		return err
	}
	return r.remeasure(dev, e.suite, e.runs, x, file)
}

// Difference describes the first difference between two results of one experiment. It
// returns "" if they differ at most in their origins and wall times. The digests of the trajectories
// stand for the parameters, which [ReadResult] has compared with them.
func (e Expected) Difference(a, b *Result) (string, error) {
	s := e.suite
	x, err := s.timeless(a)
	if err != nil {
		return "", err
	}
	y, err := s.timeless(b)
	if err != nil {
		return "", err
	}
	if why := golden.FirstDifference(b.Trajectory, a.Trajectory); why != "" {
		return why, nil
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(x)), maps.Keys(y))
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		if have, want := x[key], y[key]; !bytes.Equal(have, want) {
			at := max(0, common(have, want)-20)
			return fmt.Sprintf("%s: have %.60q, want %.60q", key, have[at:], want[at:]), nil
		}
	}
	return "", nil
}

// timeless returns the fields of r in JSON, without origin, scale and wall times.
func (s *Suite) timeless(r *Result) (fields map[string]json.RawMessage, err error) {
	c := *r
	c.Origin, c.Built, c.Scale = golden.Origin{}, false, ""
	c.Row.Values = slices.Clone(r.Row.Values)
	for i, v := range c.Row.Values {
		if slices.ContainsFunc(s.Units, func(u Unit) bool { return u.Clock && u.Name == v.Unit }) {
			c.Row.Values[i].Value = 0
		}
	}
	text, err := json.Marshal(&c)
	if err != nil {
		return nil, err
	}
	return fields, json.Unmarshal(text, &fields)
}
