package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pushdown/harness/golden"
)

// Experiments returns the names of the runs that leave results at a scale. The keys are the
// hashes of their experiments. The error wraps a *[Missing] if a corpus is missing.
func (s *Suite) Experiments(scale Scale) (map[string]golden.Name, error) {
	names := map[string]golden.Name{}
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
			names[hash] = golden.Name(x.Name)
		}
	}
	return names, nil
}

// Difference describes the first difference between two results of one experiment. It
// returns "" if they differ at most in their origins and wall times. The digests of the trajectories
// stand for the parameters, which [ReadResult] has compared with them.
func (s *Suite) Difference(a, b *Result) (string, error) {
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

// timeless returns the fields of r in JSON, without origin and wall times.
func (s *Suite) timeless(r *Result) (fields map[string]json.RawMessage, err error) {
	c := *r
	c.Origin, c.Built = golden.Origin{}, false
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
