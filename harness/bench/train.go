package bench

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"pushdown/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// Train runs an experiment inside a test: on the given device, with progress
// lines, saved before the deadline of the test and taken up again where the
// environment says so. A run that has to stop fails the test with the command
// that goes on. updates bounds the run to its beginning; 0 is all of it.
func Train(t testing.TB, dev kernel.Device, exp *train.Experiment, updates int) *train.Result {
	t.Helper()
	s := Current()
	opts := train.Options{Device: dev, Resume: s.Resume, Updates: updates}
	if s.State != "" && updates == 0 {
		path, err := exp.StatePath(s.State)
		switch {
		case err == nil:
			opts.State = path
		case s.Resume:
			t.Fatal(err)
		default:
			t.Logf("no state will be saved: %v", err)
		}
	}
	deadline := NewDeadline(t, nil)
	opts.Stop, opts.Saved = deadline.Due, deadline.Saved
	progress := NewProgress(Output(t), Plan{Label: exp.Name, Updates: exp.MaxUpdates, Item: "rows"})
	last := Point{}
	opts.Progress = func(p train.Progress) {
		last = Point{Epoch: p.Epoch, Update: p.Update, Loss: p.Loss, Items: p.Rows}
		if !math.IsNaN(p.Valid) {
			last.Unit, last.Metric = "valid-ce", p.Valid
		}
		progress.Report(last)
	}
	res, err := train.Run(exp, opts)
	if errors.Is(err, train.ErrStopped) {
		if opts.State == "" {
			t.Fatalf("stopped after update %d before the deadline of -timeout, and there is no state folder: give -timeout more, or set PUSHDOWN_STATE", res.Updates)
		}
		deadline.Stop(t, res.Updates, opts.State)
	}
	if err != nil {
		t.Fatal(err)
	}
	if updates == 0 {
		progress.Done(last)
	}
	res.Trajectory.Name = golden.Name(exp.Name)
	return res
}

// Machine describes the device for the provenance of golden files.
func Machine(dev kernel.Device) string {
	return fmt.Sprintf("%s %s", runtime.Version(), dev)
}
