package golden

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

// otherDigests returns a run at paper scale with other digests and another value than atPaper.
func otherDigests(t testing.TB) *Run {
	run := atPaper()
	for i := range run.Trajectories {
		run.Trajectories[i].Points[5].SHA256 = digest("x")
	}
	run.Rows[0].Values[0].Value++
	return run
}

var here = regexp.MustCompile(`commit=\S+ |date=\S+ `)

// timeless returns the files in a folder without commits and dates, which may change while a
// test runs.
func timeless(t testing.TB, folder string) map[string]string {
	t.Helper()
	texts := files(t, folder)
	for name, text := range texts {
		texts[name] = here.ReplaceAllString(text, "")
	}
	return texts
}

// TestUpdateUnderFaults updates golden files on a faulty file system. Each file must be the
// old one or the new one, and the files of one update must be so together, unless Read says
// that the update was interrupted. The next update then gives the files of an update without
// a fault.
func TestUpdateUnderFaults(t *testing.T) {
	anotherRun := dyck()
	anotherRun.set(t, m4One, "epochs", 4)
	for _, c := range []struct {
		file        string
		first, next *Run
	}{
		{"ci.txt", dyck(), anotherRun},
		{"paper-scale.txt", atPaper(), otherDigests(t)},
		{"paper-scale.txt", nil, atPaper()}, // makes all files
	} {
		t.Run(fmt.Sprintf("%s/creates=%v", c.file, c.first == nil), func(t *testing.T) {
			before, after := t.TempDir(), t.TempDir()
			setup := func(t testing.TB, folder string) {
				if c.first != nil {
					if _, err := UpdateFile(filepath.Join(folder, c.file), c.first, "first run", rules); err != nil {
						t.Fatal(err)
					}
				}
			}
			do := func(folder string) error {
				_, err := UpdateFile(filepath.Join(folder, c.file), c.next, "next run", rules)
				return err
			}
			setup(t, before)
			setup(t, after)
			if err := do(after); err != nil {
				t.Fatal(err)
			}
			planted := files(t, before)
			old, now := timeless(t, before), timeless(t, after)
			interrupted := 0
			disktest.Run(t, disktest.Case{
				Setup: func(t testing.TB, folder string) {
					for name, text := range planted {
						put(t, filepath.Join(folder, name), text)
					}
				},
				Do: do,
				Good: func(t testing.TB, folder string, _ error) {
					have := map[string]string{}
					for name, text := range timeless(t, folder) {
						if name[0] != '.' && !strings.HasSuffix(name, ".partial") {
							have[name] = text
						}
					}
					for name := range now {
						if have[name] != now[name] && have[name] != old[name] {
							t.Errorf("%s: have\n%s\nwant the old text or the new", name, have[name])
						}
					}
					if cmp.Equal(have, old) || cmp.Equal(have, now) {
						return
					}
					interrupted++
					_, err := Read(filepath.Join(folder, c.file))
					switch {
					case c.first == nil && errors.Is(err, os.ErrNotExist): // as before
					case err == nil || !strings.Contains(err.Error(), "an update was interrupted: run its command again"):
						t.Errorf("some files are old and some are new: Read returns %v, want an error that says what to do", err)
					}
				},
				Done: func(t testing.TB, folder string) {
					have := timeless(t, folder)
					maps.DeleteFunc(have, func(name, _ string) bool { return name[0] == '.' }) // Run itself looks for those
					if diff := cmp.Diff(now, have); diff != "" {
						t.Errorf("files after the update (-want +have):\n%s", diff)
					}
				},
			})
			if t.Logf("faults between two files: %d", interrupted); c.file == "paper-scale.txt" && interrupted == 0 {
				t.Error("have no fault that left some files old and some new, want one or more")
			}
		})
	}
}

// TestReadUnderFaults checks that Read returns each error of the file system.
func TestReadUnderFaults(t *testing.T) {
	folder := t.TempDir()
	updated(t, filepath.Join(folder, "paper-scale.txt"), atPaper(), "first run")
	all := files(t, folder)
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) {
			for name, text := range all {
				put(t, filepath.Join(folder, name), text)
			}
		},
		Do: func(folder string) error {
			_, err := Read(filepath.Join(folder, "paper-scale.txt"))
			return err
		},
		Done:   func(testing.TB, string) {},
		Passes: func(c disktest.Call) bool { return c.Op == "close" }, // after the text was read
	})
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestKilledUpdates starts processes that update a golden file and its digests, and kill
// themselves with SIGKILL before the first, the second, ... call of the file system. Every file
// must then be complete, and the next update must succeed.
func TestKilledUpdates(t *testing.T) {
	const variable = "GOLDEN_KILLED_UPDATES"
	runs := []*Run{atPaper(), otherDigests(t)}
	if value := os.Getenv(variable); value != "" {
		number, path, _ := strings.Cut(value, ":")
		at, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		disk.Use(&disktest.System{At: at, Kind: disktest.Killed, Kill: func() {
			if p, err := os.FindProcess(os.Getpid()); err == nil {
				p.Kill()
			}
			select {}
		}})
		if _, err := UpdateFile(path, runs[1], "update", rules); err != nil {
			t.Fatal(err)
		}
		return
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "paper-scale.txt")
	before := updated(t, path, runs[0], "first run")
	old := timeless(t, folder)
	updated(t, path, runs[1], "update")
	now := timeless(t, folder)
	partial, interrupted, step := 0, 0, 4
	switch {
	case testing.Short():
		step = 15
	case slices.Contains(strings.Split(os.Getenv("PUSHDOWN_REQUIRE"), ","), "long"):
		step = 1
	}
	defer disk.Use(&disktest.System{})() // whose syncs are fast
	for at := 1; ; at += step {
		if err := Write(path, before); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		out, err := inProcess("TestKilledUpdates", variable, fmt.Sprint(at, ":", path)).CombinedOutput()
		if err == nil { // the update makes fewer calls
			t.Logf("%d kills; %d left a temporary file, %d some files old and some new", at/step, partial, interrupted)
			break
		}
		if !errors.As(err, &exit) || exit.Exited() && runtime.GOOS != "windows" { // on Windows a killed process counts as exited
			t.Fatalf("kill %d: have %v and\n%s\nwant a killed process", at, err, out)
		}
		for name, text := range timeless(t, folder) {
			switch {
			case strings.HasSuffix(name, ".partial"):
				partial++
			case name[0] != '.' && text != old[name] && text != now[name]:
				t.Fatalf("kill %d: %s: have\n%s\nwant the old text or the new", at, name, text)
			}
		}
		if _, err := Read(path); err != nil {
			if interrupted++; !strings.Contains(err.Error(), "an update was interrupted: run its command again") {
				t.Fatalf("kill %d: have %v, want an error that says what to do", at, err)
			}
		}
		updated(t, path, runs[1], "update")
		if diff := cmp.Diff(now, timeless(t, folder)); diff != "" {
			t.Fatalf("kill %d: files after the next update (-want +have):\n%s", at, diff)
		}
	}
	if interrupted == 0 || partial == 0 && !testing.Short() {
		t.Error("no kill left a temporary file, or none left some files old and some new, want one of each")
	}
}
