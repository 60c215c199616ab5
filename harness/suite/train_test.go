package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
)

// letters is used both as a source of training batches and as a validation set. Each batch
// has one string of two symbols, with a prediction at the second. If stream is set, each
// batch except the first continues the previous one.
type letters struct{ stream bool }

func (letters) Len() int             { return 1 }
func (letters) PerEpoch() int        { return 2 }
func (letters) Bounds() train.Bounds { return train.Bounds{Strings: 1, Rows: 2, Steps: 2, Examples: 1} }
func (l letters) Fill(i int, b *train.Batch) {
	b.Active, b.Token = append(b.Active, 1, 1), append(b.Token, int32(i%3), 1)
	b.ExampleRows, b.Target = append(b.ExampleRows, 1), append(b.Target, int32(i%2))
	b.Continue = l.stream && i > 0
}

// spelling returns an experiment with six updates.
func spelling(stream bool) *train.Experiment {
	return &train.Experiment{
		Name: "spelling",
		Build: func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
			return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
				table := b.Param(stepgraph.Spec{Name: "E", Rows: 3, Cols: 2, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -1, B: 1}})
				h := b.State(stepgraph.StateSpec{Name: "h", Width: 2})
				next := b.Tanh(b.Add(h, b.Gather(table, b.Token())))
				b.SetNext(h, next)
				b.SetLoss(b.CrossEntropy(b.ExampleRows(next), b.Target()))
			})
		},
		Train: letters{stream}, Valid: letters{}, Seed: 1, Rule: optim.Rule{Method: optim.SGD, LR: 0.1}, MaxUpdates: 6,
	}
}

// before is a source that calls a function before it makes a batch.
type before struct {
	train.Source
	do func()
}

func (s before) Fill(update int, b *train.Batch) {
	s.do()
	s.Source.Fill(update, b)
}

// stop trains a run whose deadline passes during its first update.
func stop(t *testing.T, dev kernel.Device, exp *train.Experiment) (e ended, logs string) {
	t.Helper()
	bubble(t, time.Hour, func(t *testing.T, f *fake, _ func() *deadline) {
		exp.Train = before{exp.Train, func() { time.Sleep(time.Hour) }}
		e = endOf(func() { trainRun(f, dev, exp, nil) })
		logs = f.logs
	})
	stopped.Store(false)
	return e, logs
}

func ignore(*train.Result) error { return nil }

// TestTrainStopsAndResumes checks that a run saves its state before the deadline and
// fails with the resume command. It also checks that the next call of trainRun resumes the
// run and logs the update from which it goes on.
func TestTrainStopsAndResumes(t *testing.T) {
	s := Current()
	old := *s
	t.Cleanup(func() { *s = old })
	s.State, s.Resume = t.TempDir(), true
	dev := Open(t)
	want := trainRun(t, dev, spelling(false), ignore)
	for n, log := range []string{"", "going on from update 1\n"} {
		e, logs := stop(t, dev, spelling(false))
		if e.how != "fatal" || !contains(e.text, fmt.Sprintf("stopped after update %d", n+1), "PUSHDOWN_RESUME=1 ") || logs != log {
			t.Fatalf("start %d ended %+v, saying %q, want a stop with a command and %q", n+1, e, logs, log)
		}
	}
	calm := &fake{}
	have := trainRun(calm, dev, spelling(false), ignore)
	if have.Resumed != 2 || have.Params.Digest() != want.Params.Digest() || have.Rows != want.Rows || !contains(calm.logs, "going on from update 2\n") {
		t.Errorf("from update %d to %s with %d rows, saying %q, want from 2 to %s with %d rows",
			have.Resumed, have.Params.Digest(), have.Rows, calm.logs, want.Params.Digest(), want.Rows)
	}
	if e, _ := stop(t, dev, spelling(true)); e.how != "fatal" || !contains(e.text, "stopped after update 1", "state is in ") {
		t.Errorf("a stream ended %+v, want a stop that leaves its state", e)
	}
	if res := trainRun(calm, dev, spelling(true), ignore); res.Resumed != 1 {
		t.Errorf("a stream goes on from update %d, want 1", res.Resumed)
	}
}

// TestStopWithoutState checks the message of a run that stops and cannot save its
// state. The log must give the reason exactly once.
func TestStopWithoutState(t *testing.T) {
	s := Current()
	old := *s
	t.Cleanup(func() { *s = old })
	dev := Open(t)
	clean(t)                                                // the printed commands repeat the variables that are set
	settings := regexp.MustCompile(`again:\n\t(\S+=\S+ )*`) // such as CGO_ENABLED=0, if this test was built with it
	says := func(exp *train.Experiment, want string) (logs string) {
		t.Helper()
		e, logs := stop(t, dev, exp)
		if text := settings.ReplaceAllString(e.text, "again:\n\t"); !contains(text, "stopped after update 1, ", want+"; to run it again:\n\tgo test ") {
			t.Errorf("the run ended %+v, saying %q, want %q", e, logs, want)
		}
		return logs
	}
	s.State, s.Resume = "", false
	says(spelling(false), "set PUSHDOWN_STATE")
	s.State = t.TempDir()
	removed := spelling(false)
	removed.Train = before{removed.Train, func() { os.RemoveAll(s.State) }}
	if logs := says(removed, "its state could not be saved"); strings.Count(logs, "its state is not saved: checkpoint: writing ") != 1 || !contains(logs, "set PUSHDOWN_STATE") {
		t.Errorf("without its folder the run says %q", logs)
	}
}

// TestStateOfAnotherBuild checks that warnOfOtherBuilds names the files of the same
// experiment that other builds have saved, and ignores those of other experiments.
func TestStateOfAnotherBuild(t *testing.T) {
	root := filepath.Join(t.TempDir(), "contract-1")
	file := func(folder string) string { return filepath.Join(root, folder, "run.safetensors") }
	put := func(folder string) { plant(t, root, map[string]string{folder + "/run.safetensors": ""}) }
	own := file("aa-01")
	said := func() string {
		f := &fake{}
		warnOfOtherBuilds(f, own)
		return f.logs
	}
	put("ab-02")
	plant(t, root, map[string]string{"aa-04/other": ""}) // no state
	if have := said(); have != "" {
		t.Errorf("nothing is there, and it says %q", have)
	}
	put("aa-03")
	put("aa-02")
	want := "\n\t" + file("aa-02") + "\n\t" + file("aa-03") + "\n"
	if have := said(); !contains(have, own, "begins anew", want) || strings.Contains(have, "aa-04") || strings.Contains(have, "ab-02") {
		t.Errorf("it says %q, want the two files and that the run begins anew", have)
	}
	put("aa-01")
	if have := said(); have != "" {
		t.Errorf("there is own state, and it says %q", have)
	}
}
