package train

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/rng"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// echoStream is a stream of short strings. The class of a symbol is determined by the
// symbol before it. The first i%3 symbols of string i are not predicted.
type echoStream struct {
	epoch, resetEvery int // strings in an epoch, and strings from one reset of the states to the next
	seed              uint64
}

func (s echoStream) PerEpoch() int { return s.epoch }

func (s echoStream) Fill(i int, p *StreamString) {
	stream := rng.New(s.seed, "babble")
	p.ResetStates = s.resetEvery > 0 && i%s.resetEvery == 0
	last := int32(i % classes)
	for t := range 3 + int(stream.IntN(rng.At{Unit: 99, Row: uint32(i)}, 4)) {
		x := int32(stream.IntN(rng.At{Unit: uint32(t), Row: uint32(i)}, symbols))
		class := last % classes
		if t < i%3 {
			class = -1
		}
		p.Token, p.Target, last = append(p.Token, x), append(p.Target, class), x
	}
}

// noTargets is a stream without predictions.
type noTargets struct{ Stream }

func (s noTargets) Fill(i int, p *StreamString) {
	s.Stream.Fill(i, p)
	for t := range p.Target {
		p.Target[t] = -1
	}
}

// onlineProblem returns the online experiment that most tests modify.
func onlineProblem() *Experiment {
	valid, err := NewStreamSet(echoStream{10, 7, 9}, 0, 12, 8)
	if err != nil {
		panic(err)
	}
	return &Experiment{
		Name: "chatter", About: "the stream of the tests", Build: build, Valid: valid, Seed: 7,
		Online:  Online{Stream: echoStream{20, 6, 3}, Window: 5, Epochs: 9},
		Rule:    optim.Rule{Method: optim.SGD, LR: 1.5},
		Plateau: optim.Plateau{Patience: 1, Factor: 0.5, Return: true, From: 3, MinLR: 0.5},
		Best:    true,
	}
}

// TestOnlineSteps compares an online run with a plain implementation of the definition in
// Online. The plain implementation runs one batch for each group of Every symbols on a VM
// with the same window, and makes an update after each batch in which something is
// predicted.
func TestOnlineSteps(t *testing.T) {
	for _, c := range []struct {
		every  int
		earned bool
	}{{0, false}, {1, false}, {2, false}, {5, false}, {1, true}, {2, true}} {
		every := c.every
		t.Run(fmt.Sprintf("every=%d/earned=%v", every, c.earned), func(t *testing.T) {
			e := onlineProblem()
			e.Online.Every, e.Online.Epochs, e.Online.LimitToPredicted = every, 2, c.earned
			e.Plateau, e.Best = optim.Plateau{}, false
			have := run(t, e, Options{})
			g, err := build(stepgraph.Config{Training: true, Seed: e.Seed})
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
			n := max(every, 1)
			vm, err := scan.Compile(g, device(t, cpu.Best()), scan.Options{MaxStrings: 1, MaxRows: n, MaxSteps: n, MaxExamples: n, Window: 5})
			if err != nil {
				t.Fatal(err)
			}
			defer vm.Close()
			if err := Initialise(vm, e.Seed); err != nil {
				t.Fatal(err)
			}
			opt, err := optim.New(vm, e.Rule)
			if err != nil {
				t.Fatal(err)
			}
			var b Batch
			rows, since := 0, 0
			flush := func() {
				if len(b.Token) == 0 {
					return
				}
				if !b.Continue {
					since = 0
				}
				if since += len(b.Target); c.earned {
					vm.LimitGradient(since)
				}
				if err := b.Load(vm); err != nil {
					t.Fatal(err)
				}
				vm.Forward()
				if len(b.Target) > 0 {
					vm.Backward()
					if err := opt.Step(); err != nil {
						t.Fatal(err)
					}
				}
				rows += len(b.Token)
				b = Batch{Continue: true}
			}
			for i := range 40 {
				var p StreamString
				e.Online.Stream.Fill(i, &p)
				if i%20 == 0 || i%6 == 0 {
					flush()
					b.Continue = false
				}
				for k, x := range p.Token {
					b.Active, b.Token, b.Coord = append(b.Active, 1), append(b.Token, x), append(b.Coord, int32(i), int32(k), int32(opt.State().Updates))
					if p.Target[k] >= 0 {
						b.ExampleRows, b.Target = append(b.ExampleRows, int32(len(b.Token)-1)), append(b.Target, p.Target[k])
					}
					if len(b.Token) == n {
						flush()
					}
				}
				if i%20 == 19 {
					flush()
				}
			}
			want := newParams(vm)
			want.read(vm, vm.Layout().Params)
			if diff := cmp.Diff(want, have.Params); diff != "" {
				t.Errorf("parameters (-want +have):\n%s", diff)
			}
			if have.Updates != opt.State().Updates || have.Rows != int64(rows) || have.Strings != 40 || have.Stopped != byEpochs || have.Epochs(e) != 2 {
				t.Errorf("%d updates, %d rows, %d strings, %v epochs, stopped by %s; want %d, %d, 40, 2 and %s",
					have.Updates, have.Rows, have.Strings, have.Epochs(e), have.Stopped, opt.State().Updates, rows, byEpochs)
			}
		})
	}
}

// single is a source with one string of a stream in each batch.
type single struct{ Stream }

func (s single) Bounds() Bounds { return Bounds{Strings: 1, Rows: 10, Steps: 10, Examples: 10} }

func (s single) Fill(update int, b *Batch) {
	var p StreamString
	s.Stream.Fill(update, &p)
	for t, x := range p.Token {
		b.Active, b.Token, b.Coord = append(b.Active, 1), append(b.Token, x), append(b.Coord, int32(update), int32(t), int32(update))
		if p.Target[t] >= 0 {
			b.ExampleRows, b.Target = append(b.ExampleRows, int32(t)), append(b.Target, p.Target[t])
		}
	}
}

// TestOnlineStringsAreBatches checks that an online run equals an ordinary run if the
// states are reset before every string and every string is one batch.
func TestOnlineStringsAreBatches(t *testing.T) {
	e := onlineProblem()
	e.Online = Online{Stream: echoStream{20, 1, 3}, Window: 10, Every: 10, Epochs: 9}
	e.Plateau.MinLR = 0
	have := run(t, e, Options{})
	plain := onlineProblem()
	plain.Online, plain.Train, plain.MaxUpdates, plain.Plateau = Online{}, single{echoStream{20, 1, 3}}, have.Updates, e.Plateau
	want := run(t, plain, Options{})
	if have.Updates != 9*20 {
		t.Errorf("%d updates, want one for each string, %d", have.Updates, 9*20)
	}
	if diff := cmp.Diff(want.Params, have.Params); diff != "" {
		t.Errorf("parameters (-want +have):\n%s", diff)
	}
	if diff := cmp.Diff(want.Checks, have.Checks); diff != "" {
		t.Errorf("validations (-want +have):\n%s", diff)
	}
}

// TestOnlineTrajectory checks that the trajectory of an online run has points at powers of ten
// and the points End and Best, and that the result does not depend on the instruction set. It
// also checks that the learning rate is cut as the Plateau of the experiment requires.
func TestOnlineTrajectory(t *testing.T) {
	want := run(t, onlineProblem(), Options{})
	for _, isa := range cpu.Available() {
		if diff := differ(want, run(t, onlineProblem(), Options{Device: device(t, isa)})); diff != "" {
			t.Errorf("%v (-want +have):\n%s", isa, diff)
		}
	}
	marks := map[golden.Step]bool{}
	for _, p := range want.Trajectory.Points {
		marks[p.At] = true
	}
	for _, at := range []golden.Step{1, 10, 100, golden.End, golden.Best} {
		if !marks[at] {
			t.Errorf("no digest at %v", at)
		}
	}
	rates := map[float64]bool{}
	for i, c := range want.Checks {
		if i < 3 && c.LR != 1.5 {
			t.Errorf("rate %v before validation %d, want no cut before the third", c.LR, i+1)
		}
		rates[c.LR] = true
	}
	if want.Stopped != byRate || len(rates) < 2 {
		t.Errorf("stopped by %s after %d rates: the run is too simple for this test", want.Stopped, len(rates))
	}
}

// TestOnlineResume stops an online run after any string. It checks that the run
// resumes there and that its result has the same bits. The checkpoint must hold the
// states, the window and the symbols that wait for an update.
func TestOnlineResume(t *testing.T) {
	for _, o := range []Online{
		{Window: 5}, {Window: 5, Every: 4}, {Window: 5, LimitToPredicted: true}, {Window: 1}, {Window: 30, Every: 30}, // no string has 30 symbols
	} {
		t.Run(fmt.Sprintf("window=%d/every=%d/earned=%v", o.Window, o.Every, o.LimitToPredicted), func(t *testing.T) {
			e := onlineProblem()
			o.Stream, o.Epochs = e.Online.Stream, e.Online.Epochs
			e.Online = o
			want, list := checkpoints(t, e)
			if diff := differ(run(t, e, Options{}), want); diff != "" {
				t.Fatalf("checkpoints change the run (-without +with):\n%s", diff)
			}
			if len(list) != want.Strings-1 {
				t.Fatalf("%d checkpoints of %d strings, want one after each but the last", len(list), want.Strings)
			}
			if testing.Short() {
				list = list[:25]
			}
			dev := device(t, cpu.Generic)
			for i, text := range list {
				path := state(t)
				put(t, path, text)
				strings := 0
				have := run(t, e, Options{Device: dev, State: path, Resume: true, Progress: func(Progress) { strings++ }})
				if strings != want.Strings-i-1 {
					t.Errorf("%d strings read after a stop at string %d of %d", strings, i+1, want.Strings)
				}
				if diff := differ(want, have); diff != "" {
					t.Fatalf("from the checkpoint after string %d (-want +have):\n%s", i+1, diff)
				}
			}
			path := state(t)
			for range 40 { // each process reads one or two strings
				if _, err := Run(e, Options{Device: dev, State: path, Resume: true, Stop: func() bool { return true }}); !errors.Is(err, ErrStopped) {
					t.Fatalf("error %v, want a stop", err)
				}
			}
			if diff := differ(want, run(t, e, Options{State: path, Resume: true})); diff != "" {
				t.Errorf("a string for each process (-want +have):\n%s", diff)
			}
		})
	}
}

// TestOnlineEnds checks that a run ends after the last update that the experiment or the
// options allow, even in the middle of a string. It also checks that a run that must
// return its best parameters fails if it has no validation, and that a stream without
// predictions leads to no updates.
func TestOnlineEnds(t *testing.T) {
	e := onlineProblem()
	e.MaxUpdates, e.Online.Epochs, e.Best = 13, 0, false
	if res := run(t, e, Options{}); res.Updates != 13 || res.Stopped != byUpdates || !res.Complete || len(res.Checks) != 0 {
		t.Errorf("%d updates, stopped by %s, complete %v, %d validations; want 13, %s, true, 0", res.Updates, res.Stopped, res.Complete, len(res.Checks), byUpdates)
	}
	want := run(t, onlineProblem(), Options{Updates: 100})
	if want.Updates != 100 || want.Stopped != byPrefix || want.Complete {
		t.Errorf("%d updates, stopped by %s, complete %v; want 100, %s, false", want.Updates, want.Stopped, want.Complete, byPrefix)
	}
	whole := run(t, onlineProblem(), Options{})
	if k := len(want.Trajectory.Points); cmp.Diff(want.Trajectory.Points, whole.Trajectory.Points[:k]) != "" {
		t.Error("the beginning of a run has other digests than the run")
	}
	e.Best = true
	if _, err := Run(e, Options{Device: device(t, cpu.Best())}); err == nil || !strings.HasSuffix(err.Error(), "have Best set and no validation in a run of 13 updates, want at least one") {
		t.Errorf("error %v", err)
	}
	e = onlineProblem()
	e.Online.Stream, e.Online.Epochs, e.Best = noTargets{e.Online.Stream}, 1, false
	res := run(t, e, Options{})
	if start := run(t, e, Options{}); res.Updates != 0 || res.Strings != 20 || !slices.EqualFunc(res.Params.Data, start.Params.Data, slices.Equal[[]float32]) {
		t.Errorf("%d updates of a stream without predictions", res.Updates)
	}
}

// missingTarget is a stream of strings with one target too few.
type missingTarget struct{ Stream }

func (s missingTarget) Fill(i int, p *StreamString) {
	s.Stream.Fill(i, p)
	p.Target = p.Target[1:]
}

// badSymbol is a stream with a symbol outside the vocabulary.
type badSymbol struct{ Stream }

func (s badSymbol) Fill(i int, p *StreamString) {
	s.Stream.Fill(i, p)
	p.Token[0] = symbols
}

func TestOnlineMistakes(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(e *Experiment)
	}{
		{"have a window of 0 steps and an update every 0 symbols", func(e *Experiment) { e.Online.Window = 0 }},
		{"have a window of 5 steps and an update every 6 symbols", func(e *Experiment) { e.Online.Every = 6 }},
		{"have a window of 5 steps and an update every -1 symbols", func(e *Experiment) { e.Online.Every = -1 }},
		{"have limits of 0 epochs and 0 updates", func(e *Experiment) { e.Online.Epochs = 0 }},
		{"have limits of -1 epochs", func(e *Experiment) { e.Online.Epochs = -1 }},
		{"have CheckEvery 3", func(e *Experiment) { e.CheckEvery = 3 }},
		{"BPTT 4 and Window 0, want 0", func(e *Experiment) { e.BPTT = 4 }},
		{"have a schedule of t, want none", func(e *Experiment) { e.Scalars = []Scalar{{Name: "t", Start: 1, Factor: 1}} }},
		{"has 0 strings in an epoch", func(e *Experiment) { e.Online.Stream = echoStream{} }},
		{"both batches and a stream", func(e *Experiment) { e.Train = newSource(1, 1) }},
		{"lacks a model, training data", func(e *Experiment) { e.Online.Stream = nil }},
		{"string 0: have 4 symbols and 3 targets, want one target per symbol", func(e *Experiment) { e.Online.Stream = missingTarget{e.Online.Stream} }},
		{"update 1: scan: input token: number 0 is 5, want 0 to 4", func(e *Experiment) { e.Online.Stream = badSymbol{e.Online.Stream} }},
		{"want a finite number", func(e *Experiment) { e.Rule.LR = 1e30 }},
		{"want a finite number", func(e *Experiment) { e.Rule.LR, e.Online.BestIfDiverged = 1e30, true }}, // the run diverges before a validation
		{"have Online.BestIfDiverged without Best, want both", func(e *Experiment) { e.Online.BestIfDiverged, e.Best = true, false }},
	} {
		e := onlineProblem()
		c.change(e)
		if _, err := Run(e, Options{Device: device(t, cpu.Best())}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %s", err, c.want)
		}
	}
}

// TestOnlineHash checks that the window and the other online settings are part of the
// hash, and that the description of an experiment with batches does not mention them.
func TestOnlineHash(t *testing.T) {
	seen := map[string]string{}
	for what, change := range map[string]func(e *Experiment){
		"nothing": func(*Experiment) {}, "window": func(e *Experiment) { e.Online.Window++ }, "every": func(e *Experiment) { e.Online.Every = 2 },
		"epochs": func(e *Experiment) { e.Online.Epochs++ }, "first cut": func(e *Experiment) { e.Plateau.From++ },
		"least rate": func(e *Experiment) { e.Plateau.MinLR /= 2 }, "return": func(e *Experiment) { e.Plateau.ReturnBelow = 1 },
		"reach": func(e *Experiment) { e.Online.LimitToPredicted = true }, "strings of an epoch": func(e *Experiment) { e.Online.Stream = echoStream{19, 6, 3} },
	} {
		e := onlineProblem()
		change(e)
		h, err := e.Hash()
		if err != nil {
			t.Fatal(err)
		}
		if seen[h] != "" {
			t.Errorf("a change of %s gives the hash of a change of %s", what, seen[h])
		}
		seen[h] = what
	}
	text, err := problem().description()
	if err != nil || strings.Contains(string(text), "online") || strings.Contains(string(text), "least") {
		t.Errorf("description %s (%v), want none of a stream", text, err)
	}
}

// TestOnlineAllocatesNothing counts the allocations between two strings.
func TestOnlineAllocatesNothing(t *testing.T) {
	e := onlineProblem()
	e.Online.Stream, e.Plateau = echoStream{150, 30, 3}, optim.Plateau{}
	var stats runtime.MemStats
	var before, allocated, n uint64
	last := 0
	run(t, e, Options{Device: device(t, cpu.Best()), State: state(t), SaveEvery: time.Hour, Stop: func() bool { return false }, Progress: func(p Progress) {
		runtime.ReadMemStats(&stats)
		marked := false
		for u := last + 1; u <= p.Update; u++ {
			marked = marked || golden.Step(u).Decade()
		}
		if p.Epoch > 1 && !p.Validated && !marked {
			allocated += stats.Mallocs - before
			n++
		}
		before, last = stats.Mallocs, p.Update
	}})
	// A few allocations per string are allowed, because the test stream allocates a
	// generator for each string.
	if n < 1000 || allocated/n > 6 {
		t.Errorf("%d allocations in %d strings", allocated, n)
	}
}
