package suite

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pushdown/harness/golden"
)

// TestEightCases runs eight jobs. The tests below run it in other processes. Each job
// prints how many jobs had started before it and how many are running. The first jobs wait
// until as many jobs are running as -parallel allows. Job 3 fails.
func TestEightCases(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	var mu sync.Mutex
	var once sync.Once
	started, running := 0, 0
	full := make(chan struct{})
	var jobs []job
	for i := range 8 {
		jobs = append(jobs, job{golden.Name("test=x").WithSeed(8 - i), func(t *testing.T) {
			mu.Lock()
			before := started
			started, running = started+1, running+1
			if running == parallel() {
				once.Do(func() { close(full) })
			}
			fmt.Printf("case %d after %d with %d\n", i, before, running)
			mu.Unlock()
			if i < parallel() {
				<-full
			}
			mu.Lock()
			running--
			mu.Unlock()
			if i == 3 {
				t.Error("the fourth fails")
			}
		}})
	}
	runAll(t, jobs)
	fmt.Printf("all ended, %d under way, failed %v\n", running, t.Failed())
}

// TestRunAll checks that jobs start in the order of the list, and that exactly as
// many run at a time as -parallel allows. It also checks that a job that fails
// stops no other job, and that runAll returns after the last job.
func TestRunAll(t *testing.T) {
	for _, width := range []int{1, 2, 3, 8} {
		stdout, stderr, status := again(t, nil, "-test.run=^TestEightCases$", fmt.Sprint("-test.parallel=", width), "-test.timeout=1m")
		most, ran := 0, []int(nil)
		for line := range strings.Lines(stdout) {
			var i, before, running int
			if _, err := fmt.Sscanf(line, "case %d after %d with %d", &i, &before, &running); err != nil {
				continue
			}
			// Jobs start in order, but a job prints its line a little later. The jobs that
			// run at the same time, up to width-1, may therefore not have printed their
			// lines yet.
			if before < i-(width-1) {
				t.Errorf("parallel %d: case %d starts after %d others", width, i, before)
			}
			most, ran = max(most, running), append(ran, i)
		}
		slices.Sort(ran)
		if !slices.Equal(ran, []int{0, 1, 2, 3, 4, 5, 6, 7}) || most != width {
			t.Errorf("parallel %d: jobs %v ran, up to %d at a time, want all 8 and %d", width, ran, most, width)
		}
		if status != 1 || !contains(stdout, "all ended, 0 under way, failed true\n", "--- FAIL: TestEightCases/test=x/seed=5") || strings.Count(stdout, "--- FAIL") != 2 {
			t.Errorf("parallel %d: exit status %d\n%s%s", width, status, stdout, stderr)
		}
	}
}

// TestRunAllOfSome checks that -run and shards select jobs.
func TestRunAllOfSome(t *testing.T) {
	stdout, _, status := again(t, nil, "-test.run=^TestEightCases$/^test=x$/^seed=8$", "-test.parallel=1")
	if status != 0 || strings.Count(stdout, "case ") != 1 || !contains(stdout, "case 0 after 0 with 1\n", "all ended") {
		t.Errorf("of one case: exit status %d\n%s", status, stdout)
	}
	ran := 0
	for _, shard := range []string{"1/2", "2/2"} {
		stdout, _, _ := again(t, []string{"PUSHDOWN_SHARD=" + shard}, "-test.run=^TestEightCases$", "-test.parallel=1", "-test.v")
		n := strings.Count(stdout, " after ")
		if n == 0 || n+strings.Count(stdout, "PUSHDOWN_SHARD="+shard+": this run belongs to another shard") != 8 {
			t.Errorf("shard %s runs %d of 8\n%s", shard, n, stdout)
		}
		ran += n
	}
	if ran != 8 {
		t.Errorf("two shards ran %d of 8", ran)
	}
}

// TestTooManyCases is run by TestRunAllBeforeItsTimeout in other processes. The
// first two jobs end at once. If there is a deadline, the other six run until it
// stops them.
func TestTooManyCases(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	var jobs []job
	for i := range 8 {
		jobs = append(jobs, job{golden.Name(fmt.Sprintf("test=x/row=%d", i%3)).WithSeed(i + 1), func(t *testing.T) {
			fmt.Printf("begun: %s\n", t.Name())
			d := newDeadline(t)
			if d.end.IsZero() || i < 2 {
				return
			}
			for !d.due() {
				time.Sleep(time.Millisecond)
			}
			d.stop(t, 1, "state is in /state/x.safetensors", true)
		}})
	}
	runAll(t, jobs)
}

// TestRunAllBeforeItsTimeout checks a process with more jobs than its -timeout
// allows. It must end before the timeout: the current jobs stop, and no other job
// begins. The printed command must run exactly the jobs that did not begin.
func TestRunAllBeforeItsTimeout(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds; run without -short")
	}
	const begun, pattern = "begun: TestTooManyCases/", `^TestTooManyCases$/^test=x$/^row=1$/^(seed=5|seed=8)$|` +
		`^TestTooManyCases$/^test=x$/^row=2$/^seed=6$|^TestTooManyCases$/^test=x$/^row=0$/^seed=7$`
	for width := 1; width <= 2; width++ {
		stdout, stderr, status := again(t, nil, "-test.run=^TestTooManyCases$", fmt.Sprint("-test.parallel=", width), "-test.timeout=2s")
		if status != 1 || contains(stdout+stderr, "panic") || strings.Count(stdout, begun) != 2+width ||
			strings.Count(stdout, ": stopped after update 1, ") != width || strings.Count(stdout, ": not begun: another run was stopped for the deadline of -timeout") != 6-width ||
			!contains(stdout, fmt.Sprintf("not begun: %d of the runs; to run them:\n", 6-width)) {
			t.Errorf("parallel %d: exit status %d\n%s%s", width, status, stdout, stderr)
		}
		if width == 2 && !contains(stdout, " -run '"+pattern+"' -timeout=0 ") {
			t.Errorf("its output lacks the pattern %s\n%s", pattern, stdout)
		}
	}
	stdout, stderr, status := again(t, nil, "-test.run="+pattern, "-test.timeout=0", "-test.parallel=1")
	for _, name := range []string{"row=1/seed=5", "row=2/seed=6", "row=0/seed=7", "row=1/seed=8"} {
		if !contains(stdout, begun+"test=x/"+name+"\n") {
			t.Errorf("the pattern leaves out %s", name)
		}
	}
	if status != 0 || strings.Count(stdout, begun) != 4 {
		t.Errorf("exit status %d\n%s%s", status, stdout, stderr)
	}
}
