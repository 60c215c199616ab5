//go:build unix

package train

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/rng"
	"pushdown/harness/stepgraph"
)

// stacked returns the builder of a Stack RNN like that of package models. It reads the
// two topmost cells of ten stacks of 200 cells, with its gradients clipped to 15.
func stacked(hidden, actions int) func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
	const stacks, read, vocabulary = 10, 2, 2
	return func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
			param := func(name string, rows, cols int) stepgraph.Spec {
				return stepgraph.Spec{Name: name, Rows: rows, Cols: cols, Init: stepgraph.Init{Kind: stepgraph.Normal, B: 0.1}}
			}
			const limit, least = 15, 0x1p-96
			state := b.State(stepgraph.StateSpec{Name: "stack", Width: 200, Stacks: stacks, Init: -1})
			s := b.ClipGrad(state, limit)
			x := b.Gather(b.Param(param("E", vocabulary, hidden)), b.Token())
			h := b.Sigmoid(b.ClipGrad(b.Add(x, b.MatMul(b.Top(s, read), b.Param(param("P", stacks*read, hidden)))), limit))
			a := b.ClipGrad(b.Softmax(b.ClipGrad(b.MatMul(h, b.Param(param("A", hidden, actions*stacks))), limit), actions), limit)
			v := b.ToStackMajor(b.Sigmoid(b.ClipGrad(b.MatMul(h, b.Param(param("D", hidden, stacks))), limit)), 1)
			push, pop := b.Slice(a, 0, stacks, actions), b.Slice(a, 1, stacks, actions)
			if actions == 3 {
				b.SetNext(state, b.PushNoop(b.FlushGrad(b.ClipGrad(s, limit), least), push, pop, b.Slice(a, 2, stacks, actions), v, 1, -1))
			} else {
				b.SetNext(state, b.Push(b.FlushGrad(b.ClipGrad(s, limit), least), push, pop, v, 1, -1))
			}
			logits := b.MatMul(b.ExampleRows(b.ClipGrad(h, limit)), b.Param(param("W_o", hidden, vocabulary)))
			b.SetLoss(b.CrossEntropy(logits, b.Target()))
		})
	}
}

// count is the stream of the strings a^n b^n, n from 2 to 14.
type count struct{}

func (count) PerEpoch() int { return 2000 }

func (count) Fill(i int, p *StreamString) {
	n := 2 + int(rng.New(1, "count").IntN(rng.At{Row: uint32(i)}, 13))
	p.ResetStates = i%1000 == 0
	for t := range 2 * n {
		p.Token, p.Target = append(p.Token, int32((t+n-1)/n%2)), append(p.Target, int32(t/n))
	}
}

// BenchmarkOnline trains like the authors' program of the Stack RNN: it makes an
// update after each symbol, with gradients through 50 steps.
func BenchmarkOnline(b *testing.B) {
	for _, hidden := range []int{40, 100} {
		for _, actions := range []int{2, 3} {
			b.Run(fmt.Sprintf("hidden=%d/noop=%v", hidden, actions == 3), func(b *testing.B) {
				valid, err := NewStreamSet(count{}, 0, 10, 256)
				if err != nil {
					b.Fatal(err)
				}
				e := &Experiment{
					Name: "count", Build: stacked(hidden, actions), Valid: valid, Seed: 1,
					Online: Online{Stream: count{}, Window: 50}, Rule: optim.Rule{Method: optim.SGD, LR: 0.1}, MaxUpdates: 1 << 30, GradScale: 32,
				}
				began := cpuTime()
				res := run(b, e, Options{Device: device(b, cpu.Best()), Updates: max(b.N, 100)})
				b.ReportMetric(float64(res.Rows)/res.Took.Seconds(), "symbols/s")
				b.ReportMetric(float64(res.Rows)/(cpuTime()-began).Seconds(), "symbols/cpu-s")
			})
		}
	}
}

// cpuTime returns the processor time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
