package suitetest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// The environment variables of Kill. Kill sets the first two in the processes that
// it kills.
const (
	killFolder = "SUITETEST_KILL_FOLDER" // the folder of the state and the result
	killRun    = "SUITETEST_KILL_RUN"    // the name of the run
	killSeed   = "SUITETEST_KILL_SEED"   // the seed of the random times, given to repeat a test
)

// Kill trains each run in a process that it kills several times, at random moments, and
// starts again. The run must end with the same bits as a run that is not killed, even if a
// kill interrupts the writing of a checkpoint. Checkpoints are written after every update,
// or after every string of a stream. A run should take at most a second and validate often.
// The processes run the same test binary, so they reach the same call of Kill, which then
// trains the run instead of starting processes.
func Kill(t *testing.T, runs map[string]func() *train.Experiment) {
	if folder := os.Getenv(killFolder); folder != "" {
		victim(t, runs[os.Getenv(killRun)](), folder)
		return
	}
	seed := timeSeed(t)
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		test := t.Name()
		t.Run(name, func(t *testing.T) {
			k := &killer{test: test, run: name, folder: t.TempDir(), random: rand.New(rand.NewPCG(seed, 0)), window: 60 * time.Millisecond, partial: map[string]bool{}}
			k.kill(t, runs[name]())
		})
	}
}

// timeSeed returns the seed of the random times at which processes are killed, and
// logs it.
func timeSeed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(killSeed); text != "" {
		seed = Must(strconv.ParseUint(text, 10, 64))(t)
	}
	t.Logf("to kill after the same times again: %s=%d", killSeed, seed)
	return seed
}

// manyKills is so large a number of kills that at least one of them should interrupt
// the writing of a checkpoint.
const manyKills = 20

const stateFile = "run.safetensors"

// victim resumes the run, saves its state as often as possible, and writes its result to a
// file. Kill kills the process in which victim runs.
func victim(t *testing.T, exp *train.Experiment, folder string) {
	began := false
	res := Must(train.Run(exp, train.Options{
		Device: suite.Open(t), State: filepath.Join(folder, "state", stateFile), Resume: true, SaveEvery: time.Nanosecond,
		Stop: func() bool {
			if !began {
				began = true
				os.Stdout.WriteString("training\n")
			}
			return false
		},
	}))(t)
	if err := os.WriteFile(filepath.Join(folder, "result"), []byte(result(res)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// result returns a text with all parts of a result that must not depend on kills.
func result(res *train.Result) string {
	return fmt.Sprintln(res.Params.Digest(), res.Stopped, res.Updates, res.Strings, res.Rows, res.Checks) + res.Trajectory.String()
}

// killer starts victims, kills them and counts the kills.
type killer struct {
	test, run     string
	folder        string
	random        *rand.Rand
	window        time.Duration   // the longest time from the start of training to a kill
	kills, inside int             // the number of kills, and the number of those that interrupted the writing of a checkpoint
	partial       map[string]bool // temporary files already counted
}

// kill runs the experiment to its end several times. Each time it kills and restarts the
// process on the way, and compares the result with that of a run that is not killed.
func (k *killer) kill(t *testing.T, exp *train.Experiment) {
	want, kills := result(Must(train.Run(exp, train.Options{Device: suite.Open(t)}))(t)), 8
	switch {
	case testing.Short():
		kills = 2
	case suite.Long():
		kills = manyKills
	}
	for runs := 0; k.kills < kills; runs++ {
		if runs == 20 {
			t.Fatalf("have %d kills after %d finished runs, want %d: the runs are too short", k.kills, runs, kills)
		}
		for !k.runVictim(t, k.kills < kills) {
		}
		have := Must(os.ReadFile(filepath.Join(k.folder, "result")))(t)
		if string(have) != want {
			t.Fatalf("after %d kills: have the result\n%s\nwant that of a run without kills\n%s", k.kills, have, want)
		}
		if _, err := os.Stat(filepath.Join(k.folder, "state")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("state folder of the finished run: have it (%v), want it removed", err)
		}
	}
	t.Logf("kills: %d, kills during a write: %d", k.kills, k.inside)
	if k.inside == 0 && kills >= manyKills {
		t.Errorf("have no kill during a write in %d kills, want one or more", k.kills)
	}
}

// runVictim starts a victim. If kill is set, it kills the victim at a random time
// after training has begun. It reports whether the victim ended before it was
// killed.
func (k *killer) runVictim(t *testing.T, kill bool) bool {
	t.Helper()
	test := "^" + strings.ReplaceAll(regexp.QuoteMeta(k.test), "/", "$/^") + "$"
	child := exec.Command(os.Args[0], "-test.run="+test, fmt.Sprintf("-test.short=%v", testing.Short()))
	child.Env = append(os.Environ(), killFolder+"="+k.folder, killRun+"="+k.run)
	var complaint strings.Builder
	child.Stderr = &complaint
	out := Must(child.StdoutPipe())(t)
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
			k.window /= 2 // the victim ended before the kill
		}
		return true
	} else if !killed.Load() || child.ProcessState.Exited() && runtime.GOOS != "windows" { // on Windows a killed process counts as exited
		t.Fatalf("a process failed before it was killed: %v\n%s%s", err, said, complaint.String())
	}
	k.kills++
	k.inspect(t)
	return false
}

// inspect checks the files that remain after a kill. They may be a complete
// checkpoint, its lock, and a temporary file if the kill interrupted the writing of
// a checkpoint.
func (k *killer) inspect(t *testing.T) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(k.folder, "state"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a finished run removes the folder
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
			t.Errorf("state folder after kill %d: have %s, want a checkpoint, locks and temporary files only", k.kills, name)
		}
	}
}
