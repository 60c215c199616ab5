package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// trainRun trains an experiment inside a test on the given device and prints progress
// lines. If the run cannot end before the deadline of the test, trainRun saves its
// state, and the test fails with the command that resumes the run. It resumes a
// saved run if Settings.Resume is set. If it is too late for the run to begin, the
// test fails with the command that runs it. At its end, the run passes its result to the function
// in the last parameter, and then its saved state is removed.
func trainRun(t testing.TB, dev kernel.Device, exp *train.Experiment, ended func(*train.Result) error) *train.Result {
	t.Helper()
	defer beginRun()()
	deadline := newDeadline(t)
	deadline.begin(t)
	s := Current()
	progress := newProgress(t.Output(), exp.Name, exp.MaxUpdates)
	opts := train.Options{
		Device: dev, Resume: s.Resume, Stop: deadline.due, Saved: deadline.saved, Progress: progress.report,
		Warn: func(err error) {
			t.Logf("the run goes on, but its state is not saved: %v; to save it, remove the cause or set PUSHDOWN_STATE to another folder", err)
		},
		Resumed: func(update int) {
			t.Logf("going on from update %d", update)
			progress.resume(update)
		},
		Ended: func(res *train.Result) error {
			res.Trajectory.Name = golden.Name(exp.Name)
			return ended(res)
		},
	}
	if s.State != "" {
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
	res, err := train.Run(exp, opts)
	if errors.Is(err, train.ErrStopped) {
		saved, resume := "state is in "+opts.State, true
		if errors.Is(err, train.ErrUnsaved) || opts.State == "" {
			saved, resume = unsavedState(opts.State)
		}
		deadline.stop(t, res.Updates, saved, resume)
	}
	if err != nil {
		t.Fatal(err)
	}
	progress.done()
	return res
}

// unsavedState describes what is on disk if a run was stopped and could not save its last
// state to the file with the given name. It also reports whether the run can resume from an earlier state.
func unsavedState(name string) (text string, resume bool) {
	if name == "" {
		return "there is no folder for its state: use a longer -timeout, or set PUSHDOWN_STATE", false
	}
	if _, err := os.Stat(name); err == nil {
		return "its state could not be saved, but an earlier one is in " + name, true
	}
	return "its state could not be saved", false
}

// warnOfOtherBuilds logs a message if there is no state at path, but another build of the
// program has saved state of the same experiment. The run then starts from the beginning. path has
// the form .../<experiment>-<build>/<file>; that of another build differs only in <build>.
func warnOfOtherBuilds(t testing.TB, path string) {
	t.Helper()
	folder, file := filepath.Split(path)
	root, own := filepath.Split(filepath.Clean(folder))
	experiment, _, _ := strings.Cut(own, "-")
	list, _ := fs.Glob(os.DirFS(root), experiment+"-*/"+file) // the pattern is well-formed
	if len(list) == 0 || slices.Contains(list, own+"/"+file) {
		return
	}
	for i, name := range list {
		list[i] = filepath.Join(root, filepath.FromSlash(name))
	}
	t.Logf("no state of this build is in %s: the run begins anew; another build of the program began it and left\n\t%s\n"+
		"to go on with that, run the build that wrote it: the same sources, flags and toolchain", path, strings.Join(list, "\n\t"))
}

// Machine returns the Go version and the name of the device, for the provenance of
// golden files.
func Machine(dev kernel.Device) string {
	return fmt.Sprintf("%s %s", runtime.Version(), dev)
}
