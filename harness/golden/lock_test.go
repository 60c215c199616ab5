package golden

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pushdown/harness/argument"
	"pushdown/harness/disk"
)

var _ = Flag() // registers -update in the processes that the tests start

func TestMain(m *testing.M) { argument.Main(m) }

// inProcess returns a command that runs the named test of this package in another
// process, with the given environment variable.
func inProcess(test, variable, value string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^" + test + "$"}, args...)...)
	cmd.Env = append(os.Environ(), variable+"="+value)
	return cmd
}

// TestConcurrentUpdates checks that no row is lost if several processes update one
// file at the same time, each with its own rows.
func TestConcurrentUpdates(t *testing.T) {
	const variable, processes, rounds = "GOLDEN_LOCK_TEST", 4, 5
	if value := os.Getenv(variable); value != "" {
		number, path, _ := strings.Cut(value, ":")
		process, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rounds {
			run := dyck()
			run.Rows, run.Trajectories, run.Judge = run.Rows[:1], nil, Judge{}
			run.Rows[0].Name = m4.WithSeed(process*rounds + i)
			if _, err := UpdateFile(path, run, "process "+number, rules); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	path := filepath.Join(t.TempDir(), "ci.txt")
	var all []*exec.Cmd
	for process := range processes {
		cmd := inProcess("TestConcurrentUpdates", variable, fmt.Sprintf("%d:%s", process, path))
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if have, want := len(f.Rows), processes*rounds; have != want {
		t.Errorf("rows: have %d, want %d", have, want)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("folder: have %v, %v, want the file alone", entries, err)
	}
}

// TestKilledUpdate checks that an update that was killed does not block the next
// update, which removes the lock and the temporary files that are left.
func TestKilledUpdate(t *testing.T) {
	const variable = "GOLDEN_KILLED_TEST"
	if path := os.Getenv(variable); path != "" {
		if _, err := lock(path, 1); err != nil {
			t.Fatal(err)
		}
		err := disk.Write(path, func(disk.File) error {
			os.Exit(3)
			return nil
		})
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ci.txt")
	var exit *exec.ExitError
	if err := inProcess("TestKilledUpdate", variable, path).Run(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Fatalf("have %v, want exit status 3", err)
	}
	other := filepath.Join(filepath.Dir(path), ".ci.txt-notes")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 3 {
		t.Fatalf("folder after the kill: have %v, %v, want a lock, a temporary file and a file of another's", entries, err)
	}
	updated(t, path, dyck(), "first run")
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 2 {
		t.Errorf("folder: have %v, %v, want the golden file and that of another", entries, err)
	}
}

func TestLockSaysWhoHoldsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	release, err := lock(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lock(path, 2)
	if want := fmt.Sprintf("held by process %d on ", os.Getpid()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("second lock: have %v, want an error with %q", err, want)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if release, err = lock(path, 1); err != nil {
		t.Fatalf("lock after the release: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}

func TestUpdateOfLinksAndReadOnlyFiles(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "there", "x.txt"), filepath.Join(dir, "ci.txt")
	updated(t, path, dyck(), "first run")
	if err := os.Symlink(filepath.Join("there", "x.txt"), link); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err) // symbolic links need a privilege
		}
		t.Fatal(err)
	}
	run := dyck()
	run.set(t, m4One, "epochs", 4)
	updated(t, link, run, "through the link")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("link after the update: have %v, %v, want a link", info, err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if v := f.Values(m4, "epochs")[0]; v != 4 {
		t.Errorf("epochs in the file that the link leads to: have %v, want 4", v)
	}

	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(path, 0o644)
	for _, name := range []string{path, link} {
		if _, err := UpdateFile(name, dyck(), "x", rules); err == nil || !strings.Contains(err.Error(), "have a read-only file") {
			t.Errorf("update of %s: have %v, want a refusal", name, err)
		}
		if err := Write(name, f); err == nil || !strings.Contains(err.Error(), "have a read-only file") {
			t.Errorf("write to %s: have %v, want a refusal", name, err)
		}
	}
}

// TestFlagRefuses runs this test binary with invalid values of -update and checks that it
// exits with status 2 before any test.
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
