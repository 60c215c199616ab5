package pushdown

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pushdown/corpora/formal"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/suites"
	"pushdown/suites/dyck"
	"pushdown/suites/throughput"
)

func TestMain(m *testing.M) {
	suite.Main(m,
		golden.Unit{Name: "GFLOP/s", Better: "higher"},
		golden.Unit{Name: "ns/element", Better: "lower"},
		golden.Unit{Name: "ns/row", Better: "lower"},
		golden.Unit{Name: "peak-%", Better: "higher"},
		golden.Unit{Name: "strings/s", Better: "higher"},
		golden.Unit{Name: "tokens/s", Better: "higher"},
		golden.Unit{Name: "trip-ns", Better: "lower"},
		golden.Unit{Name: "updates/s", Better: "higher"},
	)
}

// BenchmarkPeak runs the loop of FMAs in registers whose fastest run is the bound of the other
// benchmarks, again and again. peak-% is the part of the bound that the machine gives to a
// program that runs for long: about 100 on a quiet machine with a constant clock, less where
// the clock changes or other programs use the processor. What limits this loop also limits
// products. With two threads, trip-ns is how long a word takes to go from one to the other and back. Two processors of a
// virtual machine can share a cache or not, and that can change from one minute to the next. Two threads gain less in small
// networks if they share none.
func BenchmarkPeak(b *testing.B) {
	for threads := 1; threads <= 2; threads++ {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			if threads > runtime.NumCPU() {
				b.Skipf("%d threads, have %d processors", threads, runtime.NumCPU())
			}
			const n = 1 << 20 // takes milliseconds or more, so that starting goroutines does not matter
			flops := make([]float64, threads)
			peak := cpu.Peak()
			var trip time.Duration
			if threads == 2 && runtime.GOMAXPROCS(0) >= 2 {
				trip = roundTrip()
			}
			for b.Loop() {
				var wg sync.WaitGroup
				for i := range flops {
					wg.Go(func() { flops[i] += cpu.RunPeak(n) })
				}
				wg.Wait()
			}
			total := 0.0
			for _, f := range flops {
				total += f
			}
			speed := total / b.Elapsed().Seconds()
			suite.ReportMetric(b, speed*1e-9, "GFLOP/s")
			suite.ReportMetric(b, 100*speed/(float64(threads)*peak), "peak-%")
			if trip > 0 {
				suite.ReportMetric(b, float64(trip), "trip-ns")
			}
		})
	}
}

// roundTrip returns how long a word takes to go from one thread to another and back: each waits until the other has written it.
func roundTrip() time.Duration {
	const trips = 1 << 16 // takes milliseconds or more, so that starting goroutines does not matter
	var word atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for first := range int64(2) {
		wg.Go(func() {
			for now := first; now < 2*trips; now += 2 {
				for word.Load() != now {
				}
				word.Store(now + 1)
			}
		})
	}
	wg.Wait()
	return time.Since(start) / trips
}

// BenchmarkGEMM multiplies an [m, k] by a [k, n] matrix. Either matrix may be transposed.
// The shapes are those of the networks in BenchmarkTrain. For small matrices, one iteration
// of the benchmark repeats the product many times. peak-% is the speed as a percentage of
// the peak of the FMA units of the cores in use.
func BenchmarkGEMM(b *testing.B) { measure(b, throughput.Products(), "GFLOP/s") }

// BenchmarkKernel runs the kernels other than products: gates, softmax, the loss,
// stacks, the optimiser, embeddings and dropout. peak-% is the speed as a percentage of
// the bound that package throughput defines. For gates, softmax and the losses with
// exponentials, the bound is the peak of the FMA units. For all other kernels it is the
// speed of a copy, measured in the same process.
func BenchmarkKernel(b *testing.B) { measure(b, throughput.Kernels(), "ns/element") }

// BenchmarkTrain runs one update: it packs a batch and runs the forward pass, the backward
// pass and the optimiser. A token is one step of one string. peak-% is the speed as a
// percentage of the peak of the FMA units of the cores in use. The speed counts all the
// arithmetic of the network's equations, even what harness/scan finds a way to save.
func BenchmarkTrain(b *testing.B) {
	measure(b, updates(throughput.Cases()), "tokens/s")
	measure(b, dyckUpdates(), "ns/row")
}

// BenchmarkGrow runs the same for networks that differ in one size, which their names state: the cost by that size. It is
// skipped unless the flag -bench names it, because its networks are no work of the suites.
func BenchmarkGrow(b *testing.B) {
	if f := flag.Lookup("test.bench"); !strings.Contains(f.Value.String(), "Grow") {
		b.Skipf("-bench %s: want -bench Grow", f.Value)
	}
	measure(b, updates(throughput.Growth()), "tokens/s")
}

// updates returns an update of every case. On an interpreter the networks are
// tiny, and only the names are those of the cases.
func updates(cases []throughput.Case) (list []throughput.Work) {
	if !suite.Current().Emulated() {
		return throughput.Updates(cases)
	}
	for _, c := range cases {
		c.Hidden, c.Embedding, c.Vocabulary = 4, min(c.Embedding, 3), min(c.Vocabulary, 5)
		c.Batch, c.Steps, c.Stacks, c.Depth = 2, 3, min(c.Stacks, 2), min(c.Depth, 3)
		list = append(list, c.Update(1))
	}
	return list
}

// dyckUpdates returns one training update of a Dyck-RNN, that of the last row of table 2 in
// the suite dyck. Of all rows of this table, it has the most deeply nested brackets. The
// network has five parameter tensors. A batch has 512 prefixes.
func dyckUpdates() []throughput.Work {
	list := dyck.Table2()
	e := list[len(list)-1]
	w := throughput.Work{Name: fmt.Sprintf("model=%s/m=%d/batch=%d", e.Name, e.M, e.Batch), Threads: 1}
	run, err := e.Build(1)
	if err == nil {
		var b train.Batch
		run.Train.Fill(0, &b)
		w.Tokens = float64(len(b.Token))
	}
	w.Open = func(dev kernel.Device) (run1, done func() error, _ error) {
		if err != nil {
			return nil, nil, err
		}
		return throughput.OpenUpdate(dev, run.Build, first{run.Train}, run.Rule)
	}
	return []throughput.Work{w}
}

// first is a source that returns the first batch of Source again and again.
type first struct{ train.Source }

func (f first) Fill(_ int, b *train.Batch) { f.Source.Fill(0, b) }

// jobs are rows of the suites whose runs ci/baselines compares as a whole, from the first update on. Up to
// the given number of updates there is no validation. The last job evaluates 10,000 strings.
var jobs = []struct {
	name, suite, row string
	scale            suite.Scale
	updates          int
}{
	{"dyck", "dyck", "table=2/row=dyck-m8", suite.CI, 500},
	{"diffstk", "recognition", "table=1/row=diffstk-mrnn", suite.Paper, 6_000},
	{"stack", "patterns", "table=2/row=stack-rnn/task=anbn", suite.Paper, 8_000},
	{"score", "dyck", "m4-baseline/task=lr1e-2", suite.Paper, 0},
}

// BenchmarkJob runs the beginning of a training, or an evaluation, as a suite does.
func BenchmarkJob(b *testing.B) {
	for _, j := range jobs {
		for threads := 1; threads <= 2; threads++ {
			b.Run(fmt.Sprintf("job=%s/threads=%d", j.name, threads), func(b *testing.B) {
				if threads > runtime.NumCPU() || suite.Current().Emulated() {
					b.Skipf("%d threads, have %d processors, or an interpreter", threads, runtime.NumCPU())
				}
				dev := suite.OpenThreads(b, threads)
				_, found, err := exchange.Find(suites.All, j.suite, j.scale, j.row)
				if err != nil {
					b.Fatal(err)
				}
				x, err := found.(suite.Row).Build(1)
				if err != nil {
					b.Fatal(err)
				}
				each, unit := float64(j.updates), "updates/s"
				run := func() error {
					_, err := train.Run(x, train.Options{Device: dev, Updates: j.updates})
					return err
				}
				if j.updates == 0 {
					run, each = score(b, dev, found.(dyck.LanguageModel), x)
					unit = "strings/s"
				}
				for b.Loop() {
					if err := run(); err != nil {
						b.Fatal(err)
					}
				}
				suite.ReportMetric(b, each*float64(b.N)/b.Elapsed().Seconds(), unit)
			})
		}
	}
}

// score returns a function that evaluates the test strings of e with the first parameters of its run, and
// the number of strings.
func score(b *testing.B, dev kernel.Device, e dyck.LanguageModel, x *train.Experiment) (run func() error, strings float64) {
	b.Helper()
	lang, corpus, err := e.Sample(formal.Test)
	if err != nil {
		b.Fatal(err)
	}
	res, err := train.Run(x, train.Options{Device: dev, Updates: 1})
	if err != nil {
		b.Fatal(err)
	}
	eval, err := train.NewEvaluator(x.Build, dev, dyck.NewSentences(lang, corpus, 128), 1)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { eval.Close() })
	return func() error {
		_, err := eval.Run(res.Params, nil)
		return err
	}, float64(corpus.Len())
}

// measure runs each element of list as a sub-benchmark and reports its speed in unit.
func measure(b *testing.B, list []throughput.Work, unit string) {
	for _, w := range list {
		b.Run(w.Name, func(b *testing.B) {
			if w.Threads > runtime.NumCPU() {
				b.Skipf("%d threads, have %d processors", w.Threads, runtime.NumCPU())
			}
			dev := suite.OpenThreads(b, w.Threads)
			run := open(b, w, dev)
			run() // touches the memory for the first time
			for b.Loop() {
				run()
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			switch unit {
			case "GFLOP/s":
				suite.ReportMetric(b, w.FLOPs/seconds*1e-9, unit)
			case "ns/element":
				suite.ReportMetric(b, seconds*1e9/w.Elements, unit)
			case "ns/row":
				suite.ReportMetric(b, seconds*1e9/w.Tokens, unit)
			case "tokens/s":
				suite.ReportMetric(b, w.Tokens/seconds, unit)
			}
			if _, ok := dev.(*cpu.Device); ok && w.FLOPs+w.Traffic.Footprint() > 0 {
				suite.ReportMetric(b, 100*bound(w)/seconds, "peak-%")
			}
		})
	}
}

// open prepares w on dev and returns the function that does the work once. The memory is
// freed at the end of the test.
func open(t testing.TB, w throughput.Work, dev kernel.Device) (run func()) {
	t.Helper()
	do, done, err := w.Open(dev)
	if err != nil {
		t.Fatalf("%s: %v", w.Name, err)
	}
	t.Cleanup(func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	return func() {
		if err := do(); err != nil {
			t.Fatalf("%s: %v", w.Name, err)
		}
	}
}

// bound returns the longer of two times, in seconds: that of w's FLOPs at the peak speed of
// this processor, and that of its memory traffic at the speed of a copy. The bound is not
// strict: a training update may save some of its arithmetic, and work that mostly reads is
// faster than a copy. See the sections Bounds and Networks of the comment of package
// throughput.
func bound(w throughput.Work) float64 {
	s := w.FLOPs / (float64(w.Threads) * cpu.Peak())
	if n := w.Traffic.Footprint(); n > 0 {
		s = max(s, copying(int(n))*w.Traffic.Moved()/(1.5*n)) // a copy moves 1.5 times its footprint
	}
	return s
}

// copies caches the results of the function copying: it maps a number of bytes to the time of
// the copy in seconds.
var copies = map[int]float64{}

// copying returns the time of a copy in seconds. bytes is the total size of source and
// destination. The time is the shortest of at least five measurements, which take at least 30
// milliseconds in total. The result is kept for later calls with the same number of bytes.
func copying(bytes int) float64 {
	if s, ok := copies[bytes]; ok {
		return s
	}
	from, to := make([]byte, bytes/2), make([]byte, bytes/2)
	for i := range from {
		from[i] = byte(i) // makes the system allocate every page
	}
	calls := 1 + 1<<16/bytes // enough work for the resolution of the clock
	least := time.Hour
	for start, n := time.Now(), 0; n < 5 || time.Since(start) < 30*time.Millisecond; n++ {
		before := time.Now()
		for range calls {
			copy(to, from)
		}
		least = min(least, time.Since(before))
	}
	copies[bytes] = least.Seconds() / float64(calls)
	return copies[bytes]
}

// TestNoBenchmarkAllocates checks that a run of a benchmark does not allocate. It skips
// products and kernels that would take long on this processor, and shrinks networks
// until an update is fast.
func TestNoBenchmarkAllocates(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs every benchmark: go test . -run NoBenchmarkAllocates")
	}
	const most = 0.05 // longest run, in seconds
	list := slices.Concat(throughput.Products(), throughput.Kernels(), dyckUpdates())
	for _, c := range throughput.Cases() {
		for w := c.Update(1); w.FLOPs/cpu.Peak() > most; w = c.Update(1) {
			c.Hidden, c.Embedding, c.Vocabulary = (c.Hidden+1)/2, (c.Embedding+1)/2, (c.Vocabulary+1)/2
		}
		list = append(list, c.Update(1), c.Update(2))
	}
	looked := 0
	for _, w := range list {
		if w.FLOPs/cpu.Peak() > most {
			continue
		}
		t.Run(w.Name, func(t *testing.T) {
			run := open(t, w, suite.OpenThreads(t, w.Threads))
			n := testing.AllocsPerRun(2, run)
			for range 3 { // the runtime may allocate if a thread waits long; measure again
				if n > 0 && w.Threads > 1 {
					n = testing.AllocsPerRun(2, run)
				}
			}
			if n != 0 {
				t.Errorf("%v allocations in a run, want none", n)
			}
		})
		looked++
	}
	if looked < 20 {
		t.Errorf("looked at %d benchmarks, want at least 20", looked)
	}
}
