package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pushdown/harness/golden"
)

// Experiment returns the hash of the experiment of which r is the result. The file of r has
// this name.
func (r *Result) Experiment() string { return r.experiment }

// Contract returns the version of the numeric contract under which r was computed.
func (r *Result) Contract() string { return r.contract }

// Experiments returns the names of the runs that leave results at a scale. The keys are the
// hashes of their experiments. The error wraps a *[Missing] if a corpus is missing.
func (s *Suite) Experiments(scale Scale) (map[string]golden.Name, error) {
	names := map[string]golden.Name{}
	for _, r := range s.Rows(scale) {
		for seed := 1; seed <= r.Seeds; seed++ {
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
// returns "" if they differ at most in their origins and wall times.
func (s *Suite) Difference(a, b *Result) (string, error) {
	x, err := s.timeless(a)
	if err != nil {
		return "", err
	}
	y, err := s.timeless(b)
	if err != nil {
		return "", err
	}
	for _, key := range slices.Sorted(maps.Keys(x)) {
		have, want := strings.Split(x[key], "\n"), strings.Split(y[key], "\n")
		for i := range min(len(have), len(want)) {
			if have[i] != want[i] {
				return fmt.Sprintf("%s: have %q, want %q", key, have[i], want[i]), nil
			}
		}
		if len(have) != len(want) {
			return fmt.Sprintf("%s: have %d lines, want %d", key, len(have), len(want)), nil
		}
	}
	if len(x) != len(y) {
		return fmt.Sprintf("have %d parts, want %d", len(x), len(y)), nil
	}
	return "", nil
}

// timeless returns the metadata of the result file of r without origin and wall times. It
// has digests of the parameters, which [ReadResult] has compared with the parameters.
func (s *Suite) timeless(r *Result) (map[string]string, error) {
	c := *r
	c.Origin = golden.Origin{Commit: "unknown", Machine: "unknown", Date: "2006-01-02"}
	c.Row.Values = slices.Clone(r.Row.Values)
	for i, v := range c.Row.Values {
		if slices.ContainsFunc(s.Units, func(u Unit) bool { return u.Clock && u.Name == v.Unit }) {
			c.Row.Values[i].Value = 0
		}
	}
	f, err := c.file(s)
	if err != nil {
		return nil, err
	}
	return f.Meta, nil
}
