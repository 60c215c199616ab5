package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOnValidation checks that a run calls OnValidation before the first update and
// after each validation. A run that resumes must first call it with the validations of
// the checkpoint.
func TestOnValidation(t *testing.T) {
	told := func(opts Options) (counts []int, last []Validation) {
		e := shortProblem()
		e.OnValidation = func(checks []Validation) { counts, last = append(counts, len(checks)), checks }
		run(t, e, opts)
		return counts, last
	}
	res, list := checkpoints(t, shortProblem())
	var want []int
	for n := range len(res.Checks) + 1 {
		want = append(want, n)
	}
	counts, last := told(Options{})
	if diff := cmp.Diff(want, counts); diff != "" || !cmp.Equal(res.Checks, last) {
		t.Errorf("validations passed to OnValidation (-want +have):\n%s", diff)
	}
	path := state(t)
	put(t, path, list[11]) // after update 12, with validations after 5 and 10
	counts, last = told(Options{State: path, Resume: true})
	if diff := cmp.Diff(want[2:], counts); diff != "" || !cmp.Equal(res.Checks, last) {
		t.Errorf("resumed from update 12 (-want +have):\n%s", diff)
	}
}
