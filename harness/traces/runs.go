package traces

import (
	"cmp"
	"fmt"
	"slices"

	"pushdown/harness/golden"
)

// Merge returns the runs with others taken in, in the place of those of the same
// seeds, and in the order of seeds.
func Merge[T any](runs, others []T, seed func(T) int) []T {
	all := slices.DeleteFunc(slices.Clone(runs), func(t T) bool {
		return slices.ContainsFunc(others, func(o T) bool { return seed(o) == seed(t) })
	})
	all = append(all, others...)
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(seed(a), seed(b)) })
	return all
}

// Ascending refuses no seeds, and seeds that are not in their order from 1.
func Ascending(row golden.Name, seeds []int) error {
	if len(seeds) == 0 {
		return fmt.Errorf("traces of %s: have no run, need one or more", row)
	}
	for i, seed := range seeds {
		if seed < 1 || i > 0 && seed <= seeds[i-1] {
			return fmt.Errorf("traces of %s: have seed %d at place %d, need ascending ones from 1", row, seed, i+1)
		}
	}
	return nil
}
