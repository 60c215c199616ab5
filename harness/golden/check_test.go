package golden

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// checked calls Check with a run and a reason, and returns the errors and logs.
func checked(t *testing.T, path string, run *Run, reason string) (errors, logs string) {
	t.Helper()
	r := &recorder{TB: t}
	if ok := check(r, path, run, reason); ok != (len(r.errors) == 0) {
		t.Errorf("have %v with the errors %q", ok, r.errors)
	}
	return strings.Join(r.errors, "\n"), strings.Join(r.logs, "\n")
}

func TestCheck(t *testing.T) {
	for _, variable := range []string{"TMPDIR", "TMP"} {
		t.Setenv(variable, t.TempDir())
	}
	path := filepath.Join(t.TempDir(), "dyck", table2)
	left := func(logs string) string {
		t.Helper()
		_, after, ok := strings.Cut(logs, "the run is in ")
		if got := strings.TrimSpace(after); ok && filepath.Base(got) == "dyck-resurgence-table2.got.txt" {
			return got
		}
		t.Errorf("logs: have %q, want where the run is", logs)
		return ""
	}

	errors, logs := checked(t, path, ofTable2(), "")
	first := left(logs)
	if !strings.Contains(errors, `have no golden file, want one: run the test again with -update "<reason>"`) {
		t.Errorf("no golden file: have errors %q, logs %q", errors, logs)
	}
	if errors, logs = checked(t, path, ofTable2(), "first run"); errors != "" || !strings.Contains(logs, "changed: true; 30 differences") {
		t.Errorf("first update: have errors %q, logs %q", errors, logs)
	}
	if errors, logs = checked(t, path, ofTable2(), ""); errors+logs != "" {
		t.Errorf("same run: have errors %q, logs %q, want none", errors, logs)
	}

	other := ofTable2()
	other.set(t, m4One, "epochs", 4)
	other.Rows[0].Origin, other.Rows[1].Origin = elsewhere, elsewhere
	errors, logs = checked(t, path, other, "")
	if !strings.Contains(errors, table2+": differences: 1\n  metric: ") || !strings.Contains(errors, "golden 4.015625, read back 4: better by 0.0156, want equality; read back, commit 0123456789ab\n") {
		t.Errorf("another run: have errors %q", errors)
	}
	if want := "read back, commit 0123456789ab (2026-01-02, linux/amd64 another, cpu avx2): " + string(m4) + " seed 1 2\n"; !strings.Contains(logs, want) {
		t.Errorf("another run: have logs %q, want %q", logs, want)
	}
	second := left(logs)
	if second == first {
		t.Errorf("two runs are in %s, want each in a folder of its own", first)
	}
	kept, err := Parse(second, []byte(textOf(t, second)))
	if err != nil {
		t.Fatal(err)
	}
	if v := kept.Values(m4, "epochs")[0]; v != 4 {
		t.Errorf("epochs in the file left behind: have %v, want 4", v)
	}
	if errors, logs = checked(t, path, other, "faster"); errors != "" || !strings.Contains(logs, "changed: true; 1 differences from the golden file before\n  metric: ") {
		t.Errorf("second update: have errors %q, logs %q", errors, logs)
	}
	if errors, _ = checked(t, path, other, ""); errors != "" {
		t.Errorf("after the update: have errors %q", errors)
	}
	for i := range other.Rows {
		for j := range other.Rows[i].Values[:3] {
			other.Rows[i].Values[j].Value++
		}
	}
	if errors, _ = checked(t, path, other, ""); strings.Count(errors, "\n") != 42 || !strings.Contains(errors, "differences: 45\n") || !strings.Contains(errors, "  and 5 more\n") {
		t.Errorf("many differences: have errors %s", errors)
	}

	other.Contract = 0
	for _, reason := range []string{"", "x"} {
		if errors, _ = checked(t, path, other, reason); !strings.Contains(errors, "contract: have 0") {
			t.Errorf("invalid run: have errors %q", errors)
		}
	}
	if errors, _ = checked(t, path, ofTable2(), "-x"); !strings.Contains(errors, "update of "+path) {
		t.Errorf("refused update: have errors %q", errors)
	}
	put(t, path, "suite: dyck\n")
	if errors, _ = checked(t, path, ofTable2(), ""); !strings.Contains(errors, table2+":1: scale") {
		t.Errorf("damaged file: have errors %q", errors)
	}
}

// TestFlag checks that two calls of Flag register the flag only once, and that Check uses the
// value of the flag as the reason.
func TestFlag(t *testing.T) {
	first, second := Flag(), Flag()
	if first != second {
		t.Errorf("flag: have %p and %p, want one", first, second)
	}
	defer func(old string) { *first = old }(*first)
	if f := flag.Lookup("update"); f == nil || flag.Set("update", "first run") != nil {
		t.Fatal("flag: have no -update that takes a reason, want one")
	}
	path := filepath.Join(t.TempDir(), "ci.txt")
	Check(t, path, dyck())
	f, err := Read(path)
	if err != nil || f.Rows[0].Origin.Reason != "first run" {
		t.Errorf("file written under -update: have %v, %v, want the flag's reason", f, err)
	}
}

// TestFlagRefuses runs this test binary with invalid values of -update and checks that it exits
// with status 2 before any test.
func TestFlagRefuses(t *testing.T) {
	const variable = "GOLDEN_FLAG_TEST"
	if os.Getenv(variable) != "" {
		fmt.Println("a test ran")
		return
	}
	for _, args := range [][]string{{"-update", "-test.v"}, {"-update", "-test.run=WCPA"}, {"-update="}, {"-update", " "}, {"-update"}} {
		out, err := inProcess("TestFlagRefuses", variable, "1", args...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "-update") || strings.Contains(string(out), "a test ran") {
			t.Errorf("%q: have %v and\n%s\nwant status 2 and no test", args, err, out)
		}
	}
	if out, err := inProcess("TestFlagRefuses", variable, "1", "-update", "a reason").CombinedOutput(); err != nil || !strings.Contains(string(out), "a test ran") {
		t.Errorf("a reason: have %v and\n%s\nwant a test", err, out)
	}
}

// TestCheckInCleanup checks that Check reports an unreadable golden file, even if it is called in
// a cleanup after parallel subtests. The test runs its own binary in another process.
func TestCheckInCleanup(t *testing.T) {
	const variable = "GOLDEN_CLEANUP_FILE"
	if path := os.Getenv(variable); path != "" {
		t.Cleanup(func() { Check(t, path, dyck()) })
		t.Run("parallel", func(t *testing.T) { t.Parallel() })
		return
	}
	path := filepath.Join(t.TempDir(), "golden.txt")
	put(t, path, "suite: dyck\nscale: ci\ngarbage\n")
	out, err := inProcess("TestCheckInCleanup", variable, path).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--- FAIL: TestCheckInCleanup") || !strings.Contains(string(out), path+":3: ") {
		t.Errorf("have %v and\n%s\nwant a failure that names %s:3", err, out, path)
	}
}

func TestFolder(t *testing.T) {
	folder, err := Folder("dyck")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join("..", "..", "golden", "dyck"); folder != want {
		t.Errorf("folder: have %s, want %s", folder, want)
	}
	t.Chdir(t.TempDir())
	if folder, err := Folder("dyck"); err == nil {
		t.Errorf("folder outside a module: have %s, want an error", folder)
	}
}
