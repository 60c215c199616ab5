package suite

import (
	"flag"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pushdown/harness/golden"
)

// A job is a subtest that runAll runs.
type job struct {
	Name golden.Name
	Run  func(t *testing.T) // must not call t.Parallel
}

// runAll runs each job as a subtest and returns when all have ended. It skips jobs of other shards.
// As many jobs run at a time as -parallel allows. They start in the order of the list, which they
// would not do if they called t.Parallel. The caller lists the longest jobs first, so that none of
// them runs alone at the end. If it is too late for a job to begin, the job fails, and t reports
// the command that runs it.
func runAll(t *testing.T, jobs []job) {
	t.Helper()
	var taken atomic.Int64
	var workers sync.WaitGroup
	late := make([]bool, len(jobs))
	for range min(parallel(), len(jobs)) {
		workers.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(jobs)); i = taken.Add(1) - 1 {
				t.Run(string(jobs[i].Name), func(t *testing.T) { jobs[i].run(t, &late[i]) })
			}
		})
	}
	workers.Wait()
	var names []string
	for i, j := range jobs {
		if late[i] {
			names = append(names, t.Name()+"/"+string(j.Name))
		}
	}
	if len(names) > 0 {
		t.Errorf("not begun: %d of the runs; to run them:\n\t%s", len(names), command(false, names...))
	}
}

// run runs the job in its subtest. It fails the subtest if package testing has changed its name, or
// if it is too late for a run to begin; then it also sets late.
func (j job) run(t *testing.T, late *bool) {
	t.Helper()
	Summarize(t)
	if !strings.HasSuffix(t.Name(), "/"+string(j.Name)) {
		t.Fatalf("subtest: have name %s, want %s: the name occurs twice or has a character that testing replaces", t.Name(), j.Name)
	}
	if shard := Current().Shard; !shard.Owns(string(j.Name)) {
		t.Skipf("PUSHDOWN_SHARD=%s: this run belongs to another shard", shard)
	}
	if why := newDeadline(t).refusal(); why != "" {
		*late = true
		t.Fatalf("not begun: %s", why)
	}
	j.Run(t)
}

// parallel returns the value of -parallel. The testing package ensures that it is at
// least 1.
func parallel() int {
	return flag.Lookup("test.parallel").Value.(flag.Getter).Get().(int)
}
