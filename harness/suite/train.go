package suite

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// Train trains an experiment inside a test on the given device and prints progress
// lines. If the run cannot end before the deadline of the test, Train saves its
// state, and the test fails with the command that resumes the run. Train resumes a
// saved run if Settings.Resume is set. If it is too late for the run to begin, the
// test fails with the command that runs it. updates is the number of updates to
// make; 0 means the whole run.
func Train(t testing.TB, dev kernel.Device, exp *train.Experiment, updates int) *train.Result {
	t.Helper()
	return trainUntil(t, dev, exp, updates, NewDeadline(t, nil), nil)
}

// trainUntil does the work of Train, with an explicit deadline. After a whole run it passes
// the result to the function in the last parameter, which may be nil. Then it removes the
// saved state of the run.
func trainUntil(t testing.TB, dev kernel.Device, exp *train.Experiment, updates int, deadline *Deadline, ended func(*train.Result) error) *train.Result {
	t.Helper()
	defer deadline.shutdown.begin()()
	deadline.Begin(t)
	s := Current()
	opts := train.Options{Device: dev, Resume: s.Resume, Updates: updates}
	if s.State != "" && updates == 0 {
		path, err := exp.StatePath(s.State)
		switch {
		case err == nil:
			opts.State = path
			if s.Resume {
				warnOfOtherBuilds(t, path)
			}
		case s.Resume:
			t.Fatal(err)
		default:
			t.Logf("no state will be saved: %v", err)
		}
	}
	opts.Stop, opts.Saved = deadline.Due, deadline.Saved
	opts.Warn = func(err error) {
		t.Logf("the run goes on, but its state is not saved: %v; to save it, remove the cause or set PUSHDOWN_STATE to another folder", err)
	}
	plan := Plan{Label: exp.Name, Updates: exp.MaxUpdates, Item: "rows"}
	if updates > 0 {
		plan.Updates = min(updates, plan.Updates)
	}
	progress := NewProgress(Output(t), plan)
	opts.Resumed = func(update int) {
		t.Logf("going on from update %d", update)
		progress.From(update)
	}
	opts.Ended = func(res *train.Result) error {
		res.Trajectory.Name = golden.Name(exp.Name)
		if ended == nil {
			return nil
		}
		return ended(res)
	}
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
		saved, resume := "state is in "+opts.State, true
		if errors.Is(err, train.ErrUnsaved) || opts.State == "" {
			saved, resume = unsavedState(&opts)
		}
		deadline.stop(t, res.Updates, saved, resume)
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

// unsavedState describes what is on disk if a run was stopped and could not save its last
// state. It also reports whether the run can resume from an earlier state.
func unsavedState(opts *train.Options) (text string, resume bool) {
	switch _, missing := os.Stat(opts.State); {
	case opts.Updates > 0:
		return "no state is saved for the beginning of a run", false
	case opts.State == "":
		return "there is no folder for its state: use a longer -timeout, or set PUSHDOWN_STATE", false
	case missing == nil:
		return "its state could not be saved, but an earlier one is in " + opts.State, true
	}
	return "its state could not be saved", false
}

// warnOfOtherBuilds logs a message if there is no state at path, but another build of the
// program has saved state of the same experiment. The run then starts from the beginning.
func warnOfOtherBuilds(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	list, err := otherBuilds(path)
	if err != nil {
		t.Logf("looking for the state of other builds: %v", err)
	}
	if len(list) > 0 {
		t.Logf("no state of this build is in %s: the run begins anew; another build of the program began it and left\n\t%s\n"+
			"to go on with that, run the build that wrote it: the same sources, flags and toolchain", path, strings.Join(list, "\n\t"))
	}
}

// otherBuilds lists the checkpoints of the same experiment that other builds have
// written. path has the form .../<experiment>-<build>/<file>; the others differ
// only in <build>.
func otherBuilds(path string) ([]string, error) {
	own, file := filepath.Dir(path), filepath.Base(path)
	root, folder := filepath.Split(own)
	experiment, _, _ := strings.Cut(folder, "-")
	entries, err := os.ReadDir(root)
	var list []string
	for _, e := range entries { // by name
		name, _, _ := strings.Cut(e.Name(), "-")
		other := filepath.Join(root, e.Name(), file)
		if name != experiment || e.Name() == folder {
			continue
		}
		if _, err := os.Stat(other); err == nil {
			list = append(list, other)
		}
	}
	return list, err
}

// Machine returns the Go version and the name of the device, for the provenance of
// golden files.
func Machine(dev kernel.Device) string {
	return fmt.Sprintf("%s %s", runtime.Version(), dev)
}
