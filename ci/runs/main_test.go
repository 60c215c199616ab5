package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
)

// letters is one string of two symbols. It serves both as the training source and as the
// validation set.
type letters struct{}

func (letters) Len() int             { return 1 }
func (letters) PerEpoch() int        { return 4 }
func (letters) Bounds() train.Bounds { return train.Bounds{Strings: 1, Rows: 2, Steps: 2, Examples: 1} }
func (letters) Fill(i int, b *train.Batch) {
	b.Active, b.Token = append(b.Active, 1, 1), append(b.Token, int32(i%3), 1)
	b.ExampleRows, b.Target = append(b.ExampleRows, 1), append(b.Target, int32(i%2))
}

// TestRuns checks what the command prints about a run that was stopped after ten of forty
// updates. It also checks that an invalid result file and wrong arguments are reported.
func TestRuns(t *testing.T) {
	root := t.TempDir()
	exp := &train.Experiment{
		Name: "paper=resurgence/table=2/row=dyck-m4/seed=3",
		Build: func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
			return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
				table := b.Param(stepgraph.Spec{Name: "E", Rows: 3, Cols: 2, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -1, B: 1}})
				h := b.State(stepgraph.StateSpec{Name: "h", Width: 2})
				next := b.Tanh(b.Add(h, b.Gather(table, b.Token())))
				b.SetNext(h, next)
				b.SetLoss(b.CrossEntropy(b.ExampleRows(next), b.Target()))
			})
		},
		Train: letters{}, Valid: letters{}, Seed: 3, Rule: optim.Rule{Method: optim.SGD, LR: 0.1}, MaxUpdates: 40,
	}
	path, err := exp.StatePath(root)
	if err != nil {
		t.Fatal(err)
	}
	dev, err := cpu.New(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	updates := 0
	if _, err := train.Run(exp, train.Options{
		Device: dev, State: path, SaveEvery: time.Nanosecond,
		Progress: func(p train.Progress) { updates = p.Update }, Stop: func() bool { return updates == 10 },
	}); err == nil {
		t.Fatal("the run was not stopped")
	}
	var stdout, stderr bytes.Buffer
	if status := run(&stdout, &stderr, []string{"-state", root}); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	for _, want := range []string{exp.Name, "epoch 2.50 of at most 10", "10 updates, 2 validations, best 1.", "at most 0.00 h left", "0 runs have ended, 1 have not"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("output without %q:\n%s", want, &stdout)
		}
	}
	folder := filepath.Join(root, "contract-1", "results")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	begun, err := filepath.Glob(filepath.Join(root, "contract-1", "*", "run.safetensors"))
	if err != nil || len(begun) != 1 {
		t.Fatalf("have the checkpoints %q and the error %v, want one", begun, err)
	}
	for _, file := range []string{filepath.Join(folder, "x.safetensors"), begun[0]} {
		if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	status := run(&stdout, &stderr, []string{"-state", root})
	for _, want := range []string{"x.safetensors", "; to train this run again, delete that file", begun[0], "; to train this run from the start, delete that file"} {
		if status != 1 || !strings.Contains(stderr.String(), want) {
			t.Errorf("status %d and %q, want 1 and %q", status, &stderr, want)
		}
	}
	if status := run(&stdout, &stderr, []string{"-h"}); status != 0 {
		t.Errorf("-h: status %d, want 0", status)
	}
	file := filepath.Join(folder, "x.safetensors")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"x"}, `have the argument "x" after the flags, want none`},
		{[]string{"-statt", "y"}, "not defined: -statt"},
		{[]string{"-state", filepath.Join(root, "none")}, "none: "},
		{[]string{"-state", file}, "x.safetensors: "},
	} {
		stderr.Reset()
		if status := run(&stdout, &stderr, c.args); status != 2 || !strings.Contains(stderr.String(), c.want) || strings.Contains(stderr.String(), "nil") {
			t.Errorf("%q: status %d and %q, want 2 and %q", c.args, status, &stderr, c.want)
		}
	}
}
