package suitetest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// Variables between Kill and the processes that it kills, and one for its seed.
const (
	killFolder = "SUITETEST_KILL_FOLDER" // of the state and the result
	killRun    = "SUITETEST_KILL_RUN"    // one of the names
	killSeed   = "SUITETEST_KILL_SEED"   // has Kill kill after the same spans of time again
)

// Kill trains each of the runs in a process that it kills at random moments and
// starts again, over and over. They must end in the bits of a run that nobody
// disturbs, although kills fall inside the writing of a checkpoint, which there is
// after every update, or string of a stream. A run should take a second at most and
// make decisions often. The processes are this test binary: they come to the
// same call of Kill again.
func Kill(t *testing.T, runs map[string]func() (*train.Experiment, error)) {
	if folder := os.Getenv(killFolder); folder != "" {
		victim(t, experiment(t, runs, os.Getenv(killRun)), folder)
		return
	}
	seed := moments(t)
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		test := t.Name()
		t.Run(name, func(t *testing.T) {
			k := &killer{test: test, run: name, folder: t.TempDir(), random: rand.New(rand.NewPCG(seed, 0)), window: 60 * time.Millisecond, partial: map[string]bool{}}
			k.kill(t, experiment(t, runs, name))
		})
	}
}

func experiment(t *testing.T, runs map[string]func() (*train.Experiment, error), name string) *train.Experiment {
	t.Helper()
	run, ok := runs[name]
	if !ok {
		t.Fatalf("%s: have %q, want the name of a run", killRun, name)
	}
	exp, err := run()
	if err != nil {
		t.Fatal(err)
	}
	return exp
}

// moments returns the seed of the moments at which Kill kills.
func moments(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(killSeed); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: have %q, want a number from 0 to %d", killSeed, text, uint64(math.MaxUint64))
		}
	}
	t.Logf("to kill after the same spans again: %s=%d", killSeed, seed)
	return seed
}

// manyKills are enough that some fall inside the writing of a checkpoint.
const manyKills = 20

const stateFile = "run.safetensors"

// victim goes on with the run, saves as often as it can, and writes down what came
// of it.
func victim(t *testing.T, exp *train.Experiment, folder string) {
	began := false
	res, err := train.Run(exp, train.Options{
		Device: suite.Open(t), State: filepath.Join(folder, "state", stateFile), Resume: true, SaveEvery: time.Nanosecond,
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
	return fmt.Sprintln(res.Params.Digest(), res.Stopped, res.Updates, res.Strings, res.Rows, res.Checks) + res.Trajectory.String()
}

// killer starts victims and counts what it does to them.
type killer struct {
	test, run     string
	folder        string
	random        *rand.Rand
	window        time.Duration // a victim lives no longer
	kills, inside int
	partial       map[string]bool // temporary files already counted
}

// kill holds the run against kills.
func (k *killer) kill(t *testing.T, exp *train.Experiment) {
	undisturbed, err := train.Run(exp, train.Options{Device: suite.Open(t)})
	if err != nil {
		t.Fatal(err)
	}
	want, kills := result(undisturbed), 8
	switch {
	case testing.Short():
		kills = 2
	case suite.Long():
		kills = manyKills
	}
	for runs := 0; k.kills < kills; runs++ {
		if runs == 20 {
			t.Fatalf("%d runs ended with %d kills in all, want %d", runs, k.kills, kills)
		}
		for !k.live(t, k.kills < kills) {
		}
		have, err := os.ReadFile(filepath.Join(k.folder, "result"))
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != want {
			t.Fatalf("after %d kills the run ends as\n%s\nwant, as without kills,\n%s", k.kills, have, want)
		}
		if _, err := os.Stat(filepath.Join(k.folder, "state")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the finished run leaves its state behind (%v)", err)
		}
	}
	t.Logf("kills survived: %d, of which inside a write: %d", k.kills, k.inside)
	if k.inside == 0 && kills >= manyKills {
		t.Error("no kill fell inside a write: nothing was tried")
	}
}

// live starts a victim and, if asked to, kills it a random time after it has
// begun to train. It returns whether the victim came to its end before that.
func (k *killer) live(t *testing.T, kill bool) bool {
	t.Helper()
	path := strings.Split(k.test, "/")
	for i, name := range path {
		path[i] = "^" + regexp.QuoteMeta(name) + "$"
	}
	child := exec.Command(os.Args[0], "-test.run="+strings.Join(path, "/"), fmt.Sprintf("-test.short=%v", testing.Short()))
	child.Env = append(os.Environ(), killFolder+"="+k.folder, killRun+"="+k.run)
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
	var killed atomic.Bool
	said := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said += lines.Text() + "\n"
		if kill && lines.Text() == "training" {
			time.AfterFunc(after, func() {
				killed.Store(true)
				child.Process.Kill()
			})
		}
	}
	if err := child.Wait(); err == nil {
		if kill {
			k.window /= 2 // it was too fast
		}
		return true
	} else if !killed.Load() || child.ProcessState.Exited() && runtime.GOOS != "windows" { // where a kill is an exit, too
		t.Fatalf("a victim ended by itself: %v\n%s%s", err, said, complaint.String())
	}
	k.kills++
	k.inspect(t)
	return false
}

// inspect looks at what a kill has left: a whole checkpoint or none, its lock, and
// a temporary file if it was being written.
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
		case name == stateFile:
			if _, err := checkpoint.Verify(filepath.Join(k.folder, "state", name)); err != nil {
				t.Fatalf("after kill %d: %v", k.kills, err)
			}
		case !strings.HasSuffix(name, ".lock"):
			t.Errorf("kill %d leaves %s", k.kills, name)
		}
	}
}
