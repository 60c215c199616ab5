package train

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
	"pushdown/harness/kernel/cpu"
)

// TestRunUnderFaults trains a short run on a faulty file system, with a checkpoint after every
// update, and writes its parameters at the end. The run must go on if a checkpoint cannot be
// written. Whatever the fault, the next process ends with the same parameters.
func TestRunUnderFaults(t *testing.T) {
	e := shortProblem()
	e.MaxUpdates, e.CheckEvery = 3, 2
	want := run(t, e, Options{})
	dev := device(t, cpu.Best())
	params := func(folder string) string { return filepath.Join(folder, "params.safetensors") }
	starts := 0
	disktest.Run(t, disktest.Case{
		Setup: func(testing.TB, string) {},
		Do: func(fsys disk.FS, folder string) error {
			path, err := (checkpoint.Key{Experiment: want.Params.Digest(), Contract: "1"}).Path(fsys, folder, "run")
			if err != nil {
				return err
			}
			res, err := Run(e, Options{Device: dev, State: path, FS: fsys, Resume: true, SaveEvery: time.Nanosecond,
				Resumed: func(int) { starts++ },
				Ended:   func(res *Result) error { return res.Params.WriteFS(fsys, params(folder), e.Name) },
			})
			if err == nil {
				if diff := differ(want, res); diff != "" {
					return errors.New(diff)
				}
			}
			return err
		},
		Good: func(t testing.TB, _ string, err error) {
			if err != nil && strings.Contains(err.Error(), "/run.safetensors: ") && strings.Contains(err.Error(), "writing ") {
				t.Errorf("have %v, want a run that goes on", err)
			}
		},
		Done: func(t testing.TB, folder string) {
			p, err := ReadParams(params(folder))
			if err != nil {
				t.Fatal(err)
			}
			if have := p.Digest(); have != want.Params.Digest() {
				t.Errorf("have parameters with the digest %s, want %s", have, want.Params.Digest())
			}
		},
	})
	if t.Logf("runs that went on from a checkpoint: %d", starts); starts == 0 {
		t.Error("no run went on from a checkpoint, want one or more")
	}
}
