package suite

import (
	"flag"
	"sync"
	"sync/atomic"
	"testing"

	"pushdown/harness/golden"
)

// Case is one of the runs of RunAll.
type Case struct {
	Name golden.Name
	Run  func(t *testing.T) // must not call t.Parallel
}

// RunAll runs each case as Run does, and returns when all have ended. It starts
// them in the order of the list, as many at a time as -parallel says: by default
// one for each processor. Subtests that call t.Parallel start in any order, and
// if a long one comes last the other processors wait for it; here the caller
// lists the longest first. Cases that are not begun for the deadline of the test
// fail, and t says with which command they run.
func RunAll(t *testing.T, cases []Case) {
	t.Helper()
	var taken atomic.Int64
	var workers sync.WaitGroup
	late := make([]bool, len(cases))
	for range min(parallel(), len(cases)) {
		workers.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(cases)); i = taken.Add(1) - 1 {
				run(t, cases[i].Name, cases[i].Run, func(t *testing.T, why string) {
					late[i] = true
					t.Fatalf("not begun: %s", why)
				})
			}
		})
	}
	workers.Wait()
	var names []string
	for i, c := range cases {
		if late[i] {
			names = append(names, t.Name()+"/"+string(c.Name))
		}
	}
	if len(names) > 0 {
		t.Errorf("not begun: %d of the runs; to run them:\n\t%s", len(names), runCommand(names...))
	}
}

// parallel is the value of -parallel, which testing has seen to be at least 1.
func parallel() int {
	return flag.Lookup("test.parallel").Value.(flag.Getter).Get().(int)
}
