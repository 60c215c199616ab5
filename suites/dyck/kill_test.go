package dyck

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// killFolder makes TestKill the process that is killed; its value is the folder
// of the state and of the result.
const killFolder = "DYCK_KILL_FOLDER"

// killModel names the variable with the run that is killed, one of killable.
const killModel = "DYCK_KILL_MODEL"

// killSeed names the variable that gives a seed back to TestKill, so that it
// kills after the same spans of time again.
const killSeed = "DYCK_KILL_SEED"

// moments returns the seed of the moments of TestKill.
func moments(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(killSeed); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: have %q, need a number from 0 to %d", killSeed, text, uint64(math.MaxUint64))
		}
	}
	short := ""
	if testing.Short() {
		short = " -short"
	}
	t.Logf("to kill after the same spans again: %s=%d go test pushdown/suites/dyck -run '^TestKill$' -count=1 -v%s", killSeed, seed, short)
	return seed
}

// killable are the runs that are killed, by name. Their learning rates are cut
// now and then, with a return to the best parameters, and updates are quick: most
// of the time goes into writes.
var killable = []struct {
	name string
	run  func() (*train.Experiment, error)
}{
	{"dyckrnn", func() (*train.Experiment, error) {
		e := Table2()[0].Smoke()
		e.MaxUpdates, e.Batch = 300, 16
		return e.Build(1)
	}},
	{"attention", func() (*train.Experiment, error) { // its temperature falls, and validations keep their WCPA
		e := second(2, Attention).Smoke()
		e.Dev, e.Batch, e.Epochs = 10, 2, 10
		return e.Build(1)
	}},
}

// killed is the run of a name.
func killed(t *testing.T, name string) *train.Experiment {
	t.Helper()
	for _, c := range killable {
		if c.name != name {
			continue
		}
		x, err := c.run()
		if err != nil {
			t.Fatal(err)
		}
		x.CheckEvery, x.Best = 20, true
		x.Rule.LR = 0.1
		x.Plateau = optim.Plateau{Gain: 0.2, Patience: 1, Factor: 0.7, Return: true}
		return x
	}
	t.Fatalf("%s: have %q, need the name of a run", killModel, name)
	return nil
}

// victim goes on with the run, saves after every update, and writes down what
// came of it.
func victim(t *testing.T, folder string) {
	began := false
	res, err := train.Run(killed(t, os.Getenv(killModel)), train.Options{
		Device: suite.Open(t), State: filepath.Join(folder, "state", "run.safetensors"), Resume: true, SaveEvery: time.Nanosecond,
		Stop: func() bool {
			if !began {
				began = true
				os.Stdout.WriteString("training\n")
			}
			return false
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "result"), []byte(result(res)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// result is everything that must not depend on kills.
func result(res *train.Result) string {
	return fmt.Sprintln(res.Params.Digest(), res.Stopped, res.Checks) + res.Trajectory.String()
}

// TestKill kills a training process at random moments and starts it again, over
// and over. It must end in the bits of a run that nobody disturbs, although many
// kills fall inside the writing of a checkpoint.
func TestKill(t *testing.T) {
	if folder := os.Getenv(killFolder); folder != "" {
		victim(t, folder)
		return
	}
	seed := moments(t)
	for _, c := range killable {
		t.Run(c.name, func(t *testing.T) { survives(t, c.name, seed) })
	}
}

// survives kills one run.
func survives(t *testing.T, name string, seed uint64) {
	undisturbed, err := train.Run(killed(t, name), train.Options{Device: suite.Open(t)})
	if err != nil {
		t.Fatal(err)
	}
	want := result(undisturbed)
	kills := 20
	if testing.Short() {
		kills = 2
	}
	k := &killer{name: name, folder: t.TempDir(), random: rand.New(rand.NewPCG(seed, 0)), window: 60 * time.Millisecond, partial: map[string]bool{}}
	for runs := 0; k.kills < kills; runs++ {
		if runs == 20 {
			t.Fatalf("%d runs ended with %d kills in all, want %d", runs, k.kills, kills)
		}
		if err := os.MkdirAll(filepath.Join(k.folder, "state"), 0o755); err != nil {
			t.Fatal(err)
		}
		for !k.live(t, k.kills < kills) {
			// One that is killed when it has removed its state is begun anew.
			if err := os.MkdirAll(filepath.Join(k.folder, "state"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(filepath.Join(k.folder, "result"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(have)); diff != "" {
			t.Fatalf("after %d kills (-undisturbed +killed):\n%s", k.kills, diff)
		}
		if _, err := os.Stat(filepath.Join(k.folder, "state")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the finished run leaves its state behind (%v)", err)
		}
	}
	t.Logf("kills survived: %d, of which inside a write: %d", k.kills, k.inside)
	if k.inside == 0 && kills >= 20 {
		t.Error("no kill fell inside a write: nothing was tried")
	}
}

// killer starts victims and counts what it does to them.
type killer struct {
	name          string // of the run
	folder        string
	random        *rand.Rand
	window        time.Duration // a victim lives no longer
	kills, inside int
	partial       map[string]bool // temporary files already counted
}

// live starts a victim and, if asked to, kills it a random time after it has
// begun to train. It returns whether the victim came to its end before that.
func (k *killer) live(t *testing.T, kill bool) bool {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKill$")
	child.Env = append(os.Environ(), killFolder+"="+k.folder, killModel+"="+k.name)
	var complaint strings.Builder
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	after := time.Duration(k.random.Float64() * float64(k.window))
	said := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said += lines.Text() + "\n"
		if kill && lines.Text() == "training" {
			time.AfterFunc(after, func() { child.Process.Kill() })
		}
	}
	if err := child.Wait(); err == nil {
		if kill {
			k.window /= 2 // it was too fast
		}
		return true
	} else if !kill || child.ProcessState.Exited() {
		t.Fatalf("a victim ended by itself: %v\n%s%s", err, said, complaint.String())
	}
	k.kills++
	k.inspect(t)
	return false
}

// inspect looks at what a kill has left: a whole checkpoint or none, and a
// temporary file if it was being written.
func (k *killer) inspect(t *testing.T) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(k.folder, "state"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a run that had come to its end has removed it
		t.Fatal(err)
	}
	for _, e := range list {
		switch name := e.Name(); {
		case strings.HasSuffix(name, ".partial"):
			if !k.partial[name] {
				k.partial[name] = true
				k.inside++
			}
		case name != "run.safetensors" && name != ".run.safetensors.lock":
			t.Errorf("kill %d leaves %s", k.kills, name)
		case name == "run.safetensors":
			if _, err := checkpoint.Verify(filepath.Join(k.folder, "state", name)); err != nil {
				t.Fatalf("after kill %d: %v", k.kills, err)
			}
		}
	}
}
