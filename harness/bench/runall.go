package bench

import (
	"flag"
	"sync"
	"sync/atomic"
	"testing"

	"pushdown/golden"
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
// lists the longest first.
func RunAll(t *testing.T, cases []Case) {
	t.Helper()
	var taken atomic.Int64
	var workers sync.WaitGroup
	for range min(parallel(), len(cases)) {
		workers.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(cases)); i = taken.Add(1) - 1 {
				Run(t, cases[i].Name, cases[i].Run)
			}
		})
	}
	workers.Wait()
}

// parallel is the value of -parallel, which testing has seen to be at least 1.
func parallel() int {
	return flag.Lookup("test.parallel").Value.(flag.Getter).Get().(int)
}
