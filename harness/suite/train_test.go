package suite

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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

// TestTrainStopsAndResumes checks that a run saves its state before the deadline and
// fails with the resume command. It also checks that the next call of Train resumes the
// run and logs the update from which it goes on.
func TestTrainStopsAndResumes(t *testing.T) {
	s := Current()
	old := *s
	t.Cleanup(func() { *s = old })
	s.State, s.Resume = t.TempDir(), true
	dev := Open(t)
	want := Train(t, dev, spelling(false), 0)

	late := &fake{deadline: newClock().at.Add(time.Hour)}
	// Each run begins in time, but its deadline passes before its first update
	// ends.
	begin := func(stream bool) ended {
		k, calls := newClock(), 0
		d := newDeadline(late, func() time.Time {
			if calls++; calls == 3 {
				k.advance(time.Hour)
			}
			return k.at
		}, time.Hour, new(atomic.Bool))
		return endOf(func() { trainUntil(late, dev, spelling(stream), 0, d, nil) })
	}
	for n := 1; n <= 2; n++ {
		end := begin(false)
		if end.how != "fatal" || !contains(end.text, "stopped after update "+string(rune('0'+n)), "PUSHDOWN_RESUME=1 ") {
			t.Fatalf("start %d ended %+v, want a stop with a command", n, end)
		}
	}
	if !contains(late.logs, "going on from update 1\n") {
		t.Errorf("the second start says %q, want that it goes on from update 1", late.logs)
	}
	k := newClock()
	k.advance(time.Hour)
	end := endOf(func() {
		trainUntil(late, dev, spelling(false), 0, newDeadline(late, k.now, time.Hour, new(atomic.Bool)), nil)
	})
	if end.how != "fatal" || !contains(end.text, "not begun: ", "; to run it:\n\t", "go test ") {
		t.Errorf("at the deadline a run ended %+v, want that it does not begin", end)
	}
	calm := &fake{}
	have := Train(calm, dev, spelling(false), 0)
	if have.Resumed != 2 || have.Params.Digest() != want.Params.Digest() || have.Rows != want.Rows || !contains(calm.logs, "going on from update 2\n") {
		t.Errorf("from update %d to %s with %d rows, saying %q, want from 2 to %s with %d rows",
			have.Resumed, have.Params.Digest(), have.Rows, calm.logs, want.Params.Digest(), want.Rows)
	}
	if end := begin(true); end.how != "fatal" || !contains(end.text, "stopped after update 1", "state is in ") {
		t.Errorf("a stream ended %+v, want a stop that leaves its state", end)
	}
	if res := Train(calm, dev, spelling(true), 0); res.Resumed != 1 {
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
	stop := func(exp *train.Experiment, updates int) (e ended, logs string) {
		k, calls := newClock(), 0
		late := &fake{deadline: k.at.Add(time.Hour)}
		d := newDeadline(late, func() time.Time {
			if calls++; calls == 3 {
				k.advance(time.Hour)
			}
			return k.at
		}, time.Hour, new(atomic.Bool))
		e = endOf(func() { trainUntil(late, dev, exp, updates, d, nil) })
		e.text = settings.ReplaceAllString(e.text, "again:\n\t")
		return e, late.logs
	}
	s.State, s.Resume = "", false
	if e, _ := stop(spelling(false), 0); !contains(e.text, "stopped after update 1, ", "set PUSHDOWN_STATE; to run it again:\n\tgo test ") {
		t.Errorf("without a folder the run ended %+v", e)
	}
	s.State = t.TempDir()
	if e, _ := stop(spelling(false), 4); !contains(e.text, "no state is saved for the beginning of a run; to run it again:\n\tgo test ") {
		t.Errorf("the beginning of a run ended %+v", e)
	}
	removed := spelling(false)
	removed.Train = stateRemover{removed.Train, s.State}
	e, logs := stop(removed, 0)
	if !contains(e.text, "its state could not be saved; to run it again:\n\tgo test ") || strings.Count(logs, "its state is not saved: checkpoint: writing ") != 1 || !contains(logs, "set PUSHDOWN_STATE") {
		t.Errorf("without its folder the run ended %+v, saying %q", e, logs)
	}
}

// stateRemover is a source that removes the folder of the state each time it makes
// a batch.
type stateRemover struct {
	train.Source
	folder string
}

func (d stateRemover) Fill(update int, b *train.Batch) {
	d.Source.Fill(update, b)
	os.RemoveAll(d.folder)
}

// TestStateOfAnotherBuild checks that warnOfOtherBuilds names the files of the same
// experiment that other builds have saved, and ignores those of other experiments.
func TestStateOfAnotherBuild(t *testing.T) {
	root := filepath.Join(t.TempDir(), "contract-1")
	file := func(folder string) string { return filepath.Join(root, folder, "run.safetensors") }
	put := func(folder string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(folder), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	own := file("aa-01")
	said := func() string {
		f := &fake{}
		warnOfOtherBuilds(f, own)
		return f.logs
	}
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	put("ab-02")
	if err := os.MkdirAll(filepath.Join(root, "aa-04"), 0o755); err != nil { // an empty folder, which has no state
		t.Fatal(err)
	}
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
