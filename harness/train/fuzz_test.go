package train

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
)

// FuzzProgress resumes a run on batches and a run on a stream from checkpoints whose progress
// record is an arbitrary text. If the record is accepted, its counts must be possible, it must
// survive another checkpoint, and the next update must not fail in the device. Errors must
// name the file.
func FuzzProgress(f *testing.F) {
	online := onlineProblem()
	online.Online.Every = 3
	dev := device(f, cpu.Best())
	var runners []*runner
	var files []*checkpoint.File
	for _, e := range []*Experiment{shortProblem(), online} {
		path := state(f)
		_, list := checkpoints(f, e)
		put(f, path, list[2]) // of the stream, with states and symbols that wait for an update
		file, err := checkpoint.Read(path)
		if err != nil {
			f.Fatal(err)
		}
		files = append(files, file)
		f.Add(file.Meta[metaProgress])
		r, err := newRunner(e, Options{Device: dev, Stop: func() bool { return true }})
		if err != nil {
			f.Fatal(err)
		}
		f.Cleanup(r.close)
		runners = append(runners, r)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i, r := range runners {
			file := *files[i]
			file.Meta = map[string]string{"experiment": file.Meta["experiment"], metaProgress: text}
			if _, err := progressOf(&file); err != nil && !strings.HasPrefix(err.Error(), file.Path+": ") {
				t.Errorf("progress: %v, want an error that begins with %s", err, file.Path)
			}
			r.res, r.ahead, r.reader, r.unsaved = &Result{}, -1, reader{}, nil
			r.batch.Reset()
			if err := r.restore(&file); err != nil {
				if !strings.HasPrefix(err.Error(), file.Path+": ") {
					t.Errorf("resuming: %v, want an error that begins with %s", err, file.Path)
				}
				continue
			}
			if n := r.owed(); n < 0 || n > 1 || r.res.Updates < 0 || r.res.Rows < 0 || r.res.Strings < 0 || r.res.Took < 0 || r.since < 0 || r.exp.online() && len(r.batch.Token) >= r.exp.Online.every() {
				t.Fatalf("have a run of %+v with %d due validations and %d pending symbols, want the record refused", r.res, n, len(r.batch.Token))
			}
			saved, err := r.file()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.restore(saved); err != nil {
				t.Fatalf("resuming from the next checkpoint: %v", err)
			}
			again, err := r.file()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(saved.Meta[metaProgress], again.Meta[metaProgress]); diff != "" {
				t.Fatalf("progress after another checkpoint (-first +second):\n%s", diff)
			}
			failure := (*kernel.Failure)(nil)
			if err := r.run(); errors.As(err, &failure) {
				t.Fatalf("after an accepted record: %v", err)
			}
		}
	})
}
