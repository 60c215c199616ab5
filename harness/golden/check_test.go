package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A recorder is a testing.TB that records the messages of errors and logs.
type recorder struct {
	testing.TB
	errors, logs []string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Log(args ...any)           { r.logs = append(r.logs, fmt.Sprintln(args...)) }
func (r *recorder) Logf(f string, a ...any)   { r.logs = append(r.logs, fmt.Sprintf(f, a...)) }
func (r *recorder) Error(args ...any)         { r.errors = append(r.errors, fmt.Sprintln(args...)) }
func (r *recorder) Errorf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }
func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

// checked calls Check with a run and a reason, and returns the errors and logs.
func checked(t *testing.T, path string, run *Run, reason string) (errors, logs string) {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		check(r, path, run, reason, rules)
	}()
	<-done
	return strings.Join(r.errors, "\n"), strings.Join(r.logs, "\n")
}

func TestCheck(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "dyck", "ci.txt")
	left := func(logs string) string {
		_, after, ok := strings.Cut(logs, "the run is in ")
		if got := strings.TrimSpace(after); ok && filepath.Base(got) == "dyck-ci.got.txt" {
			return got
		}
		t.Errorf("logs: have %q, want where the run is", logs)
		return ""
	}

	errors, logs := checked(t, path, dyck(), "")
	first := left(logs)
	if !strings.Contains(errors, "have no golden file") {
		t.Errorf("no golden file: have errors %q, logs %q", errors, logs)
	}
	if errors, logs = checked(t, path, dyck(), "first run"); errors != "" || !strings.Contains(logs, "changed: true") {
		t.Errorf("first update: have errors %q, logs %q", errors, logs)
	}
	if errors, logs = checked(t, path, dyck(), ""); errors != "" || !strings.Contains(logs, "matches") {
		t.Errorf("same run: have errors %q, logs %q", errors, logs)
	}

	other := dyck()
	other.set(t, m4One, "epochs", 4)
	errors, logs = checked(t, path, other, "")
	if !strings.Contains(errors, "differences: 1") || !strings.Contains(errors, "golden 4.015625, run 4: better by 0.0156") {
		t.Errorf("another run: have errors %q, logs %q", errors, logs)
	}
	second := left(logs)
	if second == first {
		t.Errorf("two runs are in %s, want each in a folder of its own", first)
	}
	kept, err := Read(second)
	if err != nil {
		t.Fatal(err)
	}
	if v := kept.Values(m4, "epochs")[0]; v != 4 {
		t.Errorf("epochs in the file left behind: have %v, want 4", v)
	}
	if errors, logs = checked(t, path, other, "faster"); errors != "" || !strings.Contains(logs, "1 differences from the golden file before") {
		t.Errorf("second update: have errors %q, logs %q", errors, logs)
	}
	if errors, _ = checked(t, path, other, ""); errors != "" {
		t.Errorf("after the update: have errors %q", errors)
	}

	other.Contract = 0
	if errors, _ = checked(t, path, other, ""); !strings.Contains(errors, "contract: have 0") {
		t.Errorf("invalid run: have errors %q", errors)
	}
	if errors, _ = checked(t, path, other, "x"); !strings.Contains(errors, "contract: have 0") {
		t.Errorf("update by an invalid run: have errors %q", errors)
	}
	if err := os.WriteFile(path, []byte("suite: dyck\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if errors, _ = checked(t, path, dyck(), ""); !strings.Contains(errors, "ci.txt:1: scale") {
		t.Errorf("damaged file: have errors %q", errors)
	}
}

// TestFlag checks that two calls of Flag register the flag only once, and that
// Check uses the value of the flag as the reason.
func TestFlag(t *testing.T) {
	first, second := Flag(), Flag()
	if first != second || *first != "" {
		t.Errorf("flag: have %p and %p with %q, want one, empty", first, second, *first)
	}
	if f := flag.Lookup("update"); f == nil || flag.Set("update", "first run") != nil {
		t.Fatal("flag: have no -update that takes a reason, want one")
	}
	defer func() { *first = "" }()
	path := filepath.Join(t.TempDir(), "ci.txt")
	Check(t, path, dyck(), rules)
	f, err := Read(path)
	if err != nil || f.Provenance[0].Reason != "first run" {
		t.Errorf("file written under -update: have %v, %v, want the flag's reason", f, err)
	}
}

// TestPrefixAlone checks that a run may consist of nothing but the prefix of a
// trajectory, which is compared with the whole trajectory in the golden file.
func TestPrefixAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	if _, err := UpdateFile(path, dyck(), "first run", rules); err != nil {
		t.Fatal(err)
	}
	prefix := func() *Run {
		whole := dyck().Trajectories[0]
		return &Run{Suite: "dyck", Scale: "ci", Contract: 1, Trajectories: []Trajectory{{Name: whole.Name, Points: whole.Points[:2]}}}
	}
	if errors, _ := checked(t, path, prefix(), ""); errors != "" {
		t.Errorf("prefix: have errors %q, want none", errors)
	}
	other := prefix()
	other.Trajectories[0].Points[1].SHA256 = digest("x")
	if errors, _ := checked(t, path, other, ""); !strings.Contains(errors, "differs first at update 10; equal up to update 1") {
		t.Errorf("prefix that diverges: have errors %q", errors)
	}
}

func TestPath(t *testing.T) {
	path, err := Path("dyck", "ci")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join("..", "..", "golden", "dyck", "ci.txt"); path != want {
		t.Errorf("path: have %s, want %s", path, want)
	}
	t.Chdir(t.TempDir())
	if path, err := Path("dyck", "ci"); err == nil {
		t.Errorf("path outside a module: have %s, want an error", path)
	}
}
