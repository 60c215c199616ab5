package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
	"pushdown/harness/golden"
	"pushdown/harness/traces"
)

// trainToys trains both runs of the suite toy with a learning rate, and writes them to the
// golden file.
func trainToys(t *testing.T, s *Suite, name, reason string) {
	t.Helper()
	*golden.Flag() = reason
	if !t.Run(name, func(t *testing.T) { s.run(t, s.Tables[0]) }) {
		t.FailNow()
	}
}

// tree returns the text of all files in a folder, by name.
func tree(t testing.TB, folder string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	if err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		texts[name] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

var here = regexp.MustCompile(`commit=\S+ |date=\S+ `)

// timeless returns the text of all files in a folder without commits and dates, which may
// change while a test runs.
func timeless(t testing.TB, folder string) map[string]string {
	t.Helper()
	texts := tree(t, folder)
	for name, text := range texts {
		texts[name] = here.ReplaceAllString(text, "")
	}
	return texts
}

// plant writes files to a folder.
func plant(t testing.TB, folder string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFilesOfRunsUnderFaults writes a result, a trace and kept parameters on a faulty file
// system, over those of another run. Each file must be the old one or the new one.
func TestFilesOfRunsUnderFaults(t *testing.T) {
	s, r := toys(t)
	trainToys(t, s, "trained", "first run")
	files := results(t)
	var ended []*Result
	for _, f := range files {
		ended = append(ended, must(ReadResult(f)))
	}
	write := func(fsys disk.FS, folder string, e *Result) error {
		file := filepath.Join(folder, "results", "x.safetensors")
		if err := writable(fsys, file); err != nil {
			return err
		}
		if err := e.write(fsys, file); err != nil {
			return err
		}
		if err := keepTraces(fsys, filepath.Join(folder, "traces"), r, []traces.Run{e.Trace}); err != nil {
			return err
		}
		return e.Params.WriteFS(fsys, filepath.Join(folder, "trained", "x.safetensors"), string(e.Row.Name))
	}
	before := t.TempDir()
	if err := write(disk.FS{}, before, ended[0]); err != nil {
		t.Fatal(err)
	}
	old := tree(t, before)
	if err := write(disk.FS{}, before, ended[1]); err != nil {
		t.Fatal(err)
	}
	now := tree(t, before)
	if len(old) != 3 || len(now) != 3 {
		t.Fatalf("have the files %q, want a result, traces and parameters", old)
	}
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) { plant(t, folder, old) },
		Do:    func(fsys disk.FS, folder string) error { return write(fsys, folder, ended[1]) },
		Good: func(t testing.TB, folder string, _ error) {
			have := tree(t, folder)
			for name := range old {
				if have[name] != old[name] && have[name] != now[name] {
					t.Errorf("%s: have %q, want the old text or the new", name, have[name])
				}
			}
		},
		Done: func(t testing.TB, folder string) {
			have := tree(t, folder)
			for name := range now {
				if have[name] != now[name] {
					t.Errorf("%s: have %q, want %q", name, have[name], now[name])
				}
			}
		},
	})
	disktest.Run(t, disktest.Case{
		Setup: func(testing.TB, string) {},
		Do: func(fsys disk.FS, _ string) error {
			if _, err := readResult(fsys, files[1]); err != nil {
				return err
			}
			_, err := readTraces(fsys, filepath.Join(before, "traces"), r)
			return err
		},
		Done: func(testing.TB, string) {},
	})
}

// TestKilledUpdate runs go test -update in processes that kill themselves with SIGKILL before
// a call of the file system, each before another one. Golden file, digests, traces and kept
// parameters must then be the old ones or the new ones. The same command, run again, must give
// the files that it gives without a kill.
func TestKilledUpdate(t *testing.T) {
	const variable = "SUITE_KILLED_UPDATE"
	s, r := toys(t)
	if value := os.Getenv(variable); value != "" { // in the process that is killed
		parts := strings.SplitN(value, ":", 3)
		at := must(strconv.Atoi(parts[0]))
		Current().State = parts[1]
		t.Chdir(parts[2])
		*golden.Flag() = "next run"
		s.disk = disktest.KillAt(at)
		s.run(t, s.Tables[0])
		return
	}
	update := func(folder string, at int) (string, error) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledUpdate$")
		// A process that is killed leaves its temporary folders. This test removes them.
		temp := t.TempDir()
		cmd.Env = append(os.Environ(), "TMPDIR="+temp, "TMP="+temp, fmt.Sprintf("%s=%d:%s:%s", variable, at, Current().State, folder))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	other := r
	other.rate = 0.2
	trainToys(t, other.suite(), "old", "first run")
	*golden.Flag() = ""
	old := tree(t, ".")
	after := t.TempDir()
	plant(t, after, old)
	for _, what := range []string{"trained", "read back"} { // the second time, the file has the origin of the results, as it has in the processes
		if what == "read back" {
			after = t.TempDir()
			plant(t, after, old)
		}
		if out, err := update(after, 0); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, out)
		}
	}
	now, before := timeless(t, after), timeless(t, ".")
	if len(now) != len(old) || len(now) < 4 {
		t.Fatalf("have the files %q, want a golden file, traces and parameters", now)
	}

	step := 8
	switch {
	case testing.Short():
		step = 60
	case Long():
		step = 1
	}
	kills, mixed := 0, 0
	for at := 1; ; at += step {
		folder := t.TempDir()
		plant(t, folder, old)
		out, err := update(folder, at)
		if err == nil { // the update makes fewer calls
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() && runtime.GOOS != "windows" { // on Windows a killed process counts as exited
			t.Fatalf("kill %d: have %v and\n%s\nwant a killed process", at, err, out)
		}
		kills++
		changed := 0
		have := timeless(t, folder)
		for name := range now {
			if have[name] != before[name] && have[name] != now[name] {
				t.Fatalf("kill %d: %s: have\n%s\nwant the old text or the new", at, name, have[name])
			}
			if have[name] != before[name] {
				changed++
			}
		}
		if changed > 0 && !cmp.Equal(have, now) {
			mixed++
		}
		if out, err := update(folder, 0); err != nil {
			t.Fatalf("kill %d: the next update: %v\n%s", at, err, out)
		}
		if diff := cmp.Diff(now, timeless(t, folder)); diff != "" {
			t.Fatalf("kill %d: files after the next update (-want +have):\n%s", at, diff)
		}
	}
	t.Logf("%d kills, of which %d left some files old and some new", kills, mixed)
}
