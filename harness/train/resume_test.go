package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
)

// shortProblem returns an experiment that ends after a few dozen updates. Its run
// cuts the learning rate, returns to the best parameters and stops by patience.
func shortProblem() *Experiment {
	e := problem()
	e.CheckEvery, e.Plateau.Patience, e.Plateau.Stop = 5, 1, 3
	return e
}

// state returns a path for a checkpoint.
func state(t testing.TB) string { return filepath.Join(t.TempDir(), "run.safetensors") }

// every is an interval so short that a checkpoint is due after every update.
const every = time.Nanosecond

// checkpoints runs an experiment. It returns the result and the bytes of the
// checkpoint after each update.
func checkpoints(t testing.TB, e *Experiment) (res *Result, list [][]byte) {
	t.Helper()
	path := state(t)
	res = run(t, e, Options{State: path, SaveEvery: every, Saved: func(took time.Duration) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if took <= 0 {
			t.Errorf("a checkpoint took %v", took)
		}
		list = append(list, text)
	}})
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a finished run leaves its checkpoint behind (%v)", err)
	}
	return res, list
}

func put(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestResumeFromEveryUpdate checks, with Adam and with SGD, that a run has the same result
// if it resumes from any of its checkpoints. The resumed runs use another instruction set.
func TestResumeFromEveryUpdate(t *testing.T) {
	for _, c := range []struct {
		name string
		rule optim.Rule
	}{
		{"adam", optim.Rule{Method: optim.Adam, LR: 0.2, ClipNorm: 1}},
		{"sgd", optim.Rule{Method: optim.SGD, LR: 12, Clip: 0.3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := shortProblem()
			e.Rule = c.rule
			want, list := checkpoints(t, e)
			if diff := differ(run(t, e, Options{}), want); diff != "" {
				t.Fatalf("checkpoints change the run (-without +with):\n%s", diff)
			}
			if len(list) != want.Updates-1 {
				t.Fatalf("%d checkpoints of %d updates, want one after each but the last", len(list), want.Updates)
			}
			t.Logf("%d updates", want.Updates)
			cuts := map[float64]bool{}
			for _, k := range want.Checks {
				cuts[k.LR] = true
			}
			if len(cuts) < 2 || want.Stopped != byPatience {
				t.Fatalf("%d learning rates and an end by %q: the run is too simple for this test", len(cuts), want.Stopped)
			}
			dev := device(t, cpu.Generic)
			path := state(t)
			for i, text := range list {
				put(t, path, text)
				have := run(t, e, Options{Device: dev, State: path, Resume: true})
				if have.Resumed != i+1 {
					t.Errorf("went on from update %d, want %d", have.Resumed, i+1)
				}
				if diff := differ(want, have); diff != "" {
					t.Fatalf("from the checkpoint after update %d (-want +have):\n%s", i+1, diff)
				}
			}
		})
	}
}

// TestStopAndGo stops a run after every update and resumes it.
func TestStopAndGo(t *testing.T) {
	e, path := shortProblem(), state(t)
	want := run(t, e, Options{})
	for i := 1; ; i++ {
		put(t, path+".other", nil) // keeps the folder from being removed
		res, err := Run(e, Options{Device: device(t, cpu.Best()), State: path, Resume: true, Stop: func() bool { return true }})
		if err == nil {
			if diff := differ(want, res); diff != "" || i != want.Updates+1 { // the last validation needs one more start
				t.Errorf("finished after %d starts, want %d (-want +have):\n%s", i, want.Updates+1, diff)
			}
			return
		}
		if !errors.Is(err, ErrStopped) || res.Updates != min(i, want.Updates) || res.Complete {
			t.Fatalf("start %d: error %v after %d updates", i, err, res.Updates)
		}
		if _, err := checkpoint.Verify(path); err != nil {
			t.Fatalf("start %d: %v", i, err)
		}
	}
}

// TestStopInValidation stops a run during each of its validations. The process that
// resumes makes the validation again from its start.
func TestStopInValidation(t *testing.T) {
	falling := cooling()
	continuing := shortProblem()
	continuing.Train = continuingSource{newSource(8, 400)}
	checks := 0
	following := shortProblem()
	following.Train = followingSource{newSource(8, 400), &checks}
	following.OnValidation = func(list []Validation) { checks = len(list) }
	last := shortProblem()
	last.Plateau, last.MaxUpdates = optim.Plateau{}, 10
	for name, e := range map[string]*Experiment{"batches": falling, "continuing": continuing, "following": following, "stream": onlineProblem(), "last update": last} {
		t.Run(name, func(t *testing.T) {
			inside, seen := false, 0
			e.Observe = func() (func(*BatchOutput) error, func() ([]float64, error)) {
				inside = true
				visit, figures := losses()
				return visit, func() ([]float64, error) { inside = false; return figures() }
			}
			e.ExtraSets = []ExtraSet{{set{4, 2}, losses}}
			want := run(t, e, Options{})
			for k := range want.Checks {
				path := state(t)
				for at := 1; at < 4; at++ { // batches of the validation
					calls := 0
					inside, seen = false, -1
					res, err := Run(e, Options{Device: device(t, cpu.Best()), State: path, Stop: func() bool {
						if !inside {
							calls = 0
							return false
						}
						if calls++; calls == 1 {
							seen++
						}
						return seen == k && calls == at
					}})
					if err == nil && at > 1 {
						continue // the validation has fewer batches
					}
					if !errors.Is(err, ErrStopped) || len(res.Checks) != k {
						t.Fatalf("error %v with %d validations, want a stop in number %d", err, len(res.Checks), k+1)
					}
					have := run(t, e, Options{Device: device(t, cpu.Generic), State: path, Resume: true})
					if diff := differ(want, have); diff != "" || have.Resumed != want.Checks[k].Update {
						t.Fatalf("stopped in validation %d, went on from update %d (-want +have):\n%s", k+1, have.Resumed, diff)
					}
				}
			}
		})
	}
}

// TestStopWithoutState checks that a run without a checkpoint file returns ErrStopped
// when it is stopped after its first update.
func TestStopWithoutState(t *testing.T) {
	res, err := Run(shortProblem(), Options{Device: device(t, cpu.Best()), Stop: func() bool { return true }})
	if !errors.Is(err, ErrStopped) || res.Updates != 1 {
		t.Errorf("error %v after %d updates, want %v after 1", err, res.Updates, ErrStopped)
	}
}

// TestNoResume checks that a checkpoint is read only if Resume is set, and that a run
// without a checkpoint starts from the beginning.
func TestNoResume(t *testing.T) {
	want, list := checkpoints(t, shortProblem())
	path := state(t)
	put(t, path, list[5])
	for _, resume := range []bool{false, true} { // the first run removes the file
		have := run(t, shortProblem(), Options{State: path, Resume: resume})
		if diff := differ(want, have); diff != "" || have.Resumed != 0 {
			t.Errorf("resume %v: went on from update %d (-want +have):\n%s", resume, have.Resumed, diff)
		}
	}
}

// TestSaveEvery checks that no checkpoint is written before the interval has passed.
func TestSaveEvery(t *testing.T) {
	path := state(t)
	run(t, shortProblem(), Options{State: path, SaveEvery: time.Hour, Progress: func(Progress) {
		if _, err := os.Stat(path); err == nil {
			t.Fatal("there is a checkpoint before its time")
		}
	}})
}

// TestUnwritable checks that a run goes on if a checkpoint cannot be written, and that
// it warns only once. If such a run is stopped, the error must wrap ErrUnsaved, unless
// a later checkpoint could be written.
func TestUnwritable(t *testing.T) {
	path := state(t)
	folder, warned := filepath.Dir(path), 0
	opts := Options{Device: device(t, cpu.Best()), State: path, SaveEvery: every, Warn: func(err error) {
		if warned++; !strings.Contains(err.Error(), path) {
			t.Errorf("told %v, want an error that names %s", err, path)
		}
	}}
	want := run(t, shortProblem(), Options{})
	missing := func(p Progress) {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	opts.Progress = missing
	if diff := differ(want, run(t, shortProblem(), opts)); diff != "" || warned != 1 {
		t.Errorf("told %d times, want once (-want +have):\n%s", warned, diff)
	}
	opts.Stop = func() bool { return true }
	if _, err := Run(shortProblem(), opts); !errors.Is(err, ErrStopped) || !errors.Is(err, ErrUnsaved) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want that the run stopped and its state is not saved", err)
	}
	opts.Progress = func(p Progress) {
		if missing(p); p.Update == 3 {
			put(t, path+".other", nil)
		}
	}
	updates := 0
	opts.Stop = func() bool { updates++; return updates == 3 }
	if _, err := Run(shortProblem(), opts); !errors.Is(err, ErrStopped) || errors.Is(err, ErrUnsaved) {
		t.Errorf("error %v, want that the run stopped and its state is saved", err)
	}
	if _, err := checkpoint.Verify(path); err != nil {
		t.Error(err)
	}
}

// TestNoPlaceForState uses a path below a file, where no state can be stored. A run
// with Resume must fail, and a run without Resume must go on without a state.
func TestNoPlaceForState(t *testing.T) {
	file := state(t)
	put(t, file, nil)
	path := filepath.Join(file, "run.safetensors")
	want := run(t, shortProblem(), Options{})
	var told error
	have := run(t, shortProblem(), Options{State: path, SaveEvery: every, Warn: func(err error) { told = err }})
	if diff := differ(want, have); diff != "" || told == nil || !strings.Contains(told.Error(), path) {
		t.Errorf("told %v, want an error that names %s (-want +have):\n%s", told, path, diff)
	}
	if _, err := Run(shortProblem(), Options{Device: device(t, cpu.Best()), State: path, Resume: true}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}
}

// TestFolderForState checks that a state path that is a folder is refused, with and
// without Resume, and left unchanged.
func TestFolderForState(t *testing.T) {
	path := t.TempDir()
	for _, resume := range []bool{false, true} {
		if _, err := Run(shortProblem(), Options{Device: device(t, cpu.Best()), State: path, Resume: resume}); !errors.Is(err, checkpoint.ErrNotRegular) || !strings.Contains(err.Error(), path+": have a folder") {
			t.Errorf("resume %v: error %v, want one that says that it is a folder", resume, err)
		}
	}
}

// TestHeldState starts a second run on a state that another run holds. With Resume the
// second run must report the holder, and without Resume it must go on without a state. The
// first run is not affected.
func TestHeldState(t *testing.T) {
	path, dev := state(t), device(t, cpu.Best())
	want := run(t, shortProblem(), Options{})
	tried := false
	have := run(t, shortProblem(), Options{State: path, SaveEvery: every, Progress: func(p Progress) {
		if p.Update != 4 {
			return
		}
		tried = true
		var held *checkpoint.HeldError
		if _, err := Run(shortProblem(), Options{Device: dev, State: path, Resume: true}); !errors.As(err, &held) || !strings.Contains(err.Error(), fmt.Sprintf("have a state in use by process %d on host ", os.Getpid())) {
			t.Errorf("error %v, want that this process has the state", err)
		}
		var told error
		if diff := differ(want, run(t, shortProblem(), Options{State: path, SaveEvery: every, Warn: func(err error) { told = err }})); diff != "" || !errors.As(told, &held) {
			t.Errorf("told %v, want who has the state (-want +have):\n%s", told, diff)
		}
		if _, err := checkpoint.Verify(path); err != nil {
			t.Errorf("after another run has ended: %v", err)
		}
	}})
	if diff := differ(want, have); diff != "" || !tried {
		t.Errorf("a second run disturbs the first (-want +have):\n%s", diff)
	}
}

// TestCheckpointContent checks the tensors and metadata of a checkpoint, which other
// programs may read.
func TestCheckpointContent(t *testing.T) {
	e := shortProblem()
	res, list := checkpoints(t, e)
	path := state(t)
	for _, i := range []int{0, 4, len(list) - 1} {
		put(t, path, list[i])
		f, err := checkpoint.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, x := range f.Tensors {
			names[x.Name] = true
		}
		for _, block := range []string{"param", "moment1", "moment2", "best"} {
			for _, p := range res.Params.Names {
				if name := block + "/" + p; !names[name] {
					t.Errorf("tensor %s is missing", name)
				}
				delete(names, block+"/"+p)
			}
		}
		if len(names) > 0 {
			t.Errorf("tensors %v, want only blocks of the trained parameters", names)
		}
		about, err := e.description()
		if err != nil {
			t.Fatal(err)
		}
		if f.Meta["experiment"] != string(about) || f.Meta[checkpoint.MetaContract] != fmt.Sprint(kernel.ContractVersion) {
			t.Errorf("metadata %v, want the description of the experiment and the contract's version", f.Meta)
		}
	}
}

// continuingSource is a source in which each batch continues from the states of the
// batch before. Only every fourth batch starts anew.
type continuingSource struct{ *source }

func (s continuingSource) Fill(update int, b *Batch) {
	list := s.text[update]
	for i := range list {
		list[i] = list[i][:2]
	}
	fill(list, update, b)
	b.Continue = update%4 != 0
}

// followingSource is a source in which a batch continues from the states of the batch
// before if the number of validations so far is odd.
type followingSource struct {
	*source
	checks *int
}

func (s followingSource) Fill(update int, b *Batch) {
	continuingSource{s.source}.Fill(update, b)
	b.Continue = update > 0 && *s.checks%2 == 1
}

// TestResumeContinuing checks that a checkpoint holds what one batch passes to the next:
// the states and, with a window, the steps that later gradients go back through. A run
// of such batches is stopped after any update. It must resume there, and its result must
// have the same bits.
func TestResumeContinuing(t *testing.T) {
	var results []*Result
	for _, window := range []int{0, longest + 1} {
		t.Run(fmt.Sprintf("window=%d", window), func(t *testing.T) {
			e := shortProblem()
			e.Train, e.Window = continuingSource{newSource(8, 400)}, window
			want, list := checkpoints(t, e)
			results = append(results, want)
			if diff := differ(run(t, e, Options{}), want); diff != "" {
				t.Fatalf("checkpoints change the run (-without +with):\n%s", diff)
			}
			if len(list) != want.Updates-1 || len(list) < 10 {
				t.Fatalf("%d checkpoints of %d updates, want one after each but the last", len(list), want.Updates)
			}
			dev := device(t, cpu.Generic)
			for i, text := range list {
				path, told := state(t), 0
				put(t, path, text)
				have := run(t, e, Options{Device: dev, State: path, Resume: true, Resumed: func(update int) { told = update }})
				if have.Resumed != i+1 || told != i+1 {
					t.Errorf("went on from update %d, told %d, want %d", have.Resumed, told, i+1)
				}
				if diff := differ(want, have); diff != "" {
					t.Errorf("from the checkpoint after update %d (-want +have):\n%s", i+1, diff)
				}
			}
			path := state(t)
			for n := 1; n < want.Updates; n++ { // each process makes one update
				if _, err := Run(e, Options{Device: dev, State: path, Resume: true, Stop: func() bool { return true }}); !errors.Is(err, ErrStopped) {
					t.Fatalf("after update %d: error %v, want a stop", n, err)
				}
			}
			if diff := differ(want, run(t, e, Options{State: path, Resume: true})); diff != "" {
				t.Errorf("an update for each process (-want +have):\n%s", diff)
			}
		})
	}
	if len(results) == 2 && differ(results[0], results[1]) == "" {
		t.Error("a window changes no bit of a run, want gradients that leave their batch")
	}
}

// TestResumeWithoutStates takes the states and the validation out of a checkpoint after the
// first validation, so that one is due. The run must refuse it with an error that names the
// file, and leave the file.
func TestResumeWithoutStates(t *testing.T) {
	e := shortProblem()
	_, list := checkpoints(t, e)
	path := state(t)
	put(t, path, list[4]) // CheckEvery is 5
	f, err := checkpoint.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	if err := json.Unmarshal([]byte(f.Meta[metaProgress]), &record); err != nil {
		t.Fatal(err)
	}
	delete(record, "Carried")
	record["Checks"] = nil
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	f.Meta[metaProgress] = string(text)
	if err := checkpoint.Write(path, f); err != nil {
		t.Fatal(err)
	}
	_, err = Run(e, Options{Device: device(t, cpu.Best()), State: path, Resume: true})
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "have no states after update 5") {
		t.Errorf("error %v, want one that names %s and says that the states are missing", err, path)
	}
	if _, err := checkpoint.Verify(path); err != nil {
		t.Errorf("the refused checkpoint: %v", err)
	}
}

// drawnSource draws batches, and decides whether they continue, by the number of validations.
type drawnSource struct {
	*source
	checks    *int
	continues bool
}

func (s drawnSource) Fill(update int, b *Batch) {
	at := (update + 50**s.checks) % len(s.text)
	if !s.continues {
		s.source.Fill(at, b)
		return
	}
	continuingSource{s.source}.Fill(at, b)
	b.Continue = update > 0 && *s.checks%2 == 0
}

// TestResumeDrawn resumes runs whose batches depend on the validations, from every
// checkpoint and each time with a source that has seen no validation yet.
func TestResumeDrawn(t *testing.T) {
	for _, continues := range []bool{false, true} {
		fresh := func() *Experiment {
			e, checks := shortProblem(), 0
			s := newSource(8, 400)
			e.Train = drawnSource{s, &checks, continues}
			e.OnValidation = func(list []Validation) { checks = len(list) }
			return e
		}
		want, list := checkpoints(t, fresh())
		for i, text := range list {
			path := state(t)
			put(t, path, text)
			if diff := differ(want, run(t, fresh(), Options{State: path, Resume: true})); diff != "" {
				t.Errorf("continues=%v: from the checkpoint after update %d (-want +have):\n%s", continues, i+1, diff)
			}
		}
	}
}

// TestTook checks the field Took of the result of a resumed run: it is the training
// time of all processes of the run. The progress that the run reports counts only the
// rows of the last process.
func TestTook(t *testing.T) {
	_, list := checkpoints(t, shortProblem())
	path := state(t)
	put(t, path, list[5])
	f, err := checkpoint.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var s progressState
	if err := json.Unmarshal([]byte(f.Meta[metaProgress]), &s); err != nil {
		t.Fatal(err)
	}
	if s.Took <= 0 || s.Rows <= 0 {
		t.Errorf("after 6 updates the checkpoint counts %v and %d rows", s.Took, s.Rows)
	}
	s.Took = time.Hour
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	f.Meta[metaProgress] = string(text)
	if err := checkpoint.Write(path, f); err != nil {
		t.Fatal(err)
	}
	var own int64
	res := run(t, shortProblem(), Options{State: path, Resume: true, Progress: func(p Progress) { own = p.Rows }})
	if res.Took <= time.Hour || res.Took > 2*time.Hour {
		t.Errorf("training took %v, want a little more than an hour", res.Took)
	}
	if own <= 0 || own != res.Rows-s.Rows {
		t.Errorf("the process reports %d rows of its own, want %d of %d", own, res.Rows-s.Rows, res.Rows)
	}
}

// slow is a source that sleeps for a fixed time before it fills a batch.
type slow struct {
	Source
	each time.Duration
}

func (s slow) Fill(update int, b *Batch) {
	time.Sleep(s.each)
	s.Source.Fill(update, b)
}

// TestTookCountsFilling checks that the time of filling batches counts as training,
// also for a batch that is filled before its update because a checkpoint needs it.
func TestTookCountsFilling(t *testing.T) {
	const each = 2 * time.Millisecond
	for _, path := range []string{"", state(t)} {
		e := shortProblem()
		e.Train = slow{e.Train, each}
		if res := run(t, e, Options{State: path}); res.Took < time.Duration(res.Updates)*each {
			t.Errorf("%d updates took %v, want at least %v for each", res.Updates, res.Took, each)
		}
	}
}
