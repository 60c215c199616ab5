package throughput

import (
	"errors"
	"fmt"

	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
)

// Updates lists the updates of cases, on one thread and on two.
func Updates(cases []Case) (list []Work) {
	for _, c := range cases {
		for threads := 1; threads <= 2; threads++ {
			list = append(list, c.Update(threads))
		}
	}
	return list
}

// rule is the update rule of every case.
var rule = optim.Rule{Method: optim.Adam, LR: 0.001}

// Update returns the work of one update of the case: the forward pass, the backward pass
// and a step of Adam.
func (c Case) Update(threads int) Work {
	w := Work{Name: fmt.Sprintf("case=%s/threads=%d", c.Name, threads), Threads: threads, Tokens: float64(c.Tokens())}
	each, err := c.FLOPs()
	w.FLOPs = each * w.Tokens
	w.Open = func(dev kernel.Device) (run, done func() error, _ error) {
		if err != nil {
			return nil, nil, err
		}
		m, err := c.Model()
		if err != nil {
			return nil, nil, err
		}
		return OpenUpdate(dev, m.Build, newStream(c), rule)
	}
	return w
}

// OpenUpdate compiles a network for training. The function run makes the next update, with
// the next batch of the source, and the function done frees the memory.
func OpenUpdate(dev kernel.Device, build func(stepgraph.Config) (*stepgraph.Graph, error), source train.Source, rule optim.Rule) (run, done func() error, err error) {
	g, opts, err := training(build, source, rule)
	if err != nil {
		return nil, nil, err
	}
	vm, err := scan.Compile(g, dev, opts)
	if err != nil {
		return nil, nil, err
	}
	if err := train.Initialise(vm, 1); err != nil {
		return nil, nil, errors.Join(err, vm.Close())
	}
	opt, err := optim.New(vm, rule)
	if err != nil {
		return nil, nil, errors.Join(err, vm.Close())
	}
	u := &network{vm: vm, opt: opt, source: source}
	if x := vm.Ints(stepgraph.InputToken); x != nil {
		u.batch.Token = x
	}
	return u.run, vm.Close, nil
}

// training returns the graph of a network with its gradient and the scan options for
// the batches of the source.
func training(build func(stepgraph.Config) (*stepgraph.Graph, error), source train.Source, rule optim.Rule) (*stepgraph.Graph, scan.Options, error) {
	b := source.Bounds()
	opts := scan.Options{MaxStrings: b.Strings, MaxRows: b.Rows, MaxSteps: b.Steps, MaxExamples: b.Examples, Moments: rule.Moments()}
	g, err := build(stepgraph.Config{Training: true, Seed: 1})
	if err != nil {
		return nil, opts, err
	}
	return g, opts, g.Differentiate()
}

// network is a network in training.
type network struct {
	vm     *scan.VM
	opt    *optim.Optimizer
	source train.Source
	batch  train.Batch
	n      int // updates made
	last   [1]float32
}

func (u *network) run() error {
	b, vm := &u.batch, u.vm
	b.Reset()
	u.source.Fill(u.n, b)
	u.n++
	if err := b.Load(vm); err != nil {
		return err
	}
	vm.Forward()
	vm.Backward()
	err := u.opt.Step()
	vm.Arena().Read(vm.Layout().Params, u.last[:]) // waits for the device
	return err
}

// stream is a source of random symbols, each of which is predicted. The text is drawn
// once and repeats every streamUpdates updates: to draw new text for each update would
// take longer than a small update.
type stream struct {
	c    Case
	text []int32 // row t*B + b is symbol t of string b
}

// streamUpdates is the number of updates after which the text of a stream repeats.
const streamUpdates = 4

func newStream(c Case) *stream {
	return &stream{c, integers("text", (streamUpdates*c.Steps+1)*c.Batch, c.Vocabulary)}
}

func (s *stream) Bounds() train.Bounds {
	n := s.c.Tokens()
	return train.Bounds{Strings: s.c.Batch, Rows: n, Steps: s.c.Steps, Examples: n}
}

func (s *stream) PerEpoch() int { return streamUpdates }

func (s *stream) Fill(update int, b *train.Batch) {
	n, from := s.c.Tokens(), update%streamUpdates*s.c.Tokens()
	b.Continue = s.c.Carry && update > 0
	b.Token = append(b.Token, s.text[from:from+n]...)
	b.Target = append(b.Target, s.text[from+s.c.Batch:][:n]...)
	for t := range s.c.Steps {
		b.Active = append(b.Active, s.c.Batch)
		for i := range s.c.Batch {
			b.ExampleRows = append(b.ExampleRows, int32(t*s.c.Batch+i))
			if s.c.Dropout > 0 {
				b.Coord = append(b.Coord, int32(i), int32(t), int32(update))
			}
		}
	}
}
