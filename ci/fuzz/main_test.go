package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// module makes a module with two fuzz targets: FuzzGood never fails, FuzzBad fails on texts
// that contain an x.
func module(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module m\n\ngo 1.24\n",
		"a/a.go":       "// Package a has no targets.\npackage a\n",
		"b/b_test.go":  "package b\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc FuzzGood(f *testing.F) {\n\tf.Add(\"a\")\n\tf.Fuzz(func(t *testing.T, s string) {})\n}\n\nfunc FuzzBad(f *testing.F) {\n\tf.Add(\"a\")\n\tf.Fuzz(func(t *testing.T, s string) {\n\t\tif strings.ContainsAny(s, \"xyz01\") {\n\t\t\tt.Error(\"have a bad text\")\n\t\t}\n\t})\n}\n",
		"b/b2_test.go": "package b_test\n\nimport \"testing\"\n\nfunc FuzzOuter(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// command runs the command on a module and returns its output. It checks the exit status.
func command(t *testing.T, status int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if have := run(&out, &out, args); have != status {
		t.Errorf("%q: have status %d, want %d:\n%s", args, have, status, out.String())
	}
	return out.String()
}

// want checks that a text matches each of the patterns.
func want(t *testing.T, text string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile("(?m)" + p).MatchString(text) {
			t.Errorf("have\n%s\nwant it to match %s", text, p)
		}
	}
}

// TestRun runs the targets of a module. It checks the sums, the corpus, a failure with its
// remedy, and that the corpus of an earlier run counts.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds and runs fuzz targets")
	}
	root, cache := module(t), t.TempDir()
	args := func(more ...string) []string {
		return append([]string{"-root", root, "-cache", cache, "-parallel", "1", "-slice", "1s"}, more...)
	}
	out := command(t, 0, args("-n", "3000", "-run", "Good|Outer")...)
	want(t, out, `^b\.FuzzGood: 2\d\d executions in `, `^ +b\.FuzzGood +\d+ +\d+ +\d+ +\d+ +0$`, `^ +b\.FuzzOuter `, `^ +sum +3\d\d\d `)
	if strings.Contains(out, "FuzzBad") {
		t.Errorf("have FuzzBad in\n%s\nwant only what -run selects", out)
	}
	corpus := filepath.Join(cache, "b", "FuzzGood")
	for i := range 300 { // more than the executions that measure the speed
		if err := os.MkdirAll(corpus, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(corpus, fmt.Sprint(i)), fmt.Appendf(nil, "go test fuzz v1\nstring(%q)\n", fmt.Sprint("s", i)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want(t, command(t, 0, args("-n", "3000", "-run", "Good")...), `^b\.FuzzGood: 0 executions `, `^ +sum +3\d\d\d `)

	out = command(t, 1, args("-n", "20000")...)
	want(t, out, `^b\.FuzzBad: failed:$`, `^\t.*have a bad text$`, `^ +b\.FuzzBad +\d+ +\d+ +\d+ +\d+ +1$`,
		`^\tgit add b/testdata/fuzz/FuzzBad/[0-9a-f]+ && git commit -m 'b: add a failing input of FuzzBad' b/testdata/fuzz/FuzzBad/[0-9a-f]+$`)
	if n := strings.Count(out, "b.FuzzBad: failed:"); n != 1 {
		t.Errorf("FuzzBad failed %d times, want once", n)
	}
	seeds, err := filepath.Glob(filepath.Join(root, "b", "testdata", "fuzz", "FuzzBad", "*"))
	if err != nil || len(seeds) != 1 {
		t.Fatalf("have the seeds %q (%v), want one", seeds, err)
	}
	out = command(t, 1, args("-n", "600", "-run", "Bad")...)
	want(t, out, `no new input is written; a seed fails, or the process was killed:\n\tgo test -run '\^FuzzBad\$' \./b$`)
	if err := os.Remove(seeds[0]); err != nil {
		t.Fatal(err)
	}
	want(t, command(t, 0, args("-n", "100", "-run", "Good")...), `^ +sum +[1-9]\d+ `) // fewer than the inputs of the corpus
}

func TestRefusesArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"x"}, `have the argument "x" after the flags, want none`},
		{[]string{"-n", "0"}, `have -n 0 .*want -n of at least 1`},
		{[]string{"-slice", "-1s"}, `-slice of more than 0`},
		{[]string{"-run", "("}, `-run: error parsing regexp`},
		{[]string{"-y"}, `flag provided but not defined`},
	} {
		want(t, command(t, 2, c.args...), c.says)
	}
	want(t, command(t, 1, "-root", t.TempDir(), "-cache", t.TempDir()), `have no go.mod in it or above|go list -m`)
}

// TestNextGivesTheSameTime checks that all targets get the same time, and together the
// number of executions that is asked for.
func TestNextGivesTheSameTime(t *testing.T) {
	speeds := map[string]float64{"fast": 10000, "slow": 10, "medium": 700}
	f := &fuzzer{n: 1_000_000, slice: 1e10}
	for _, name := range []string{"fast", "slow", "medium"} {
		f.targets = append(f.targets, &target{name: name})
	}
	for x, n := f.next(); x != nil; x, n = f.next() {
		x.executions += n
		x.took += time.Duration(float64(n) / speeds[x.name] * 1e9)
	}
	if have := f.sum(); have != f.n {
		t.Errorf("have %d executions, want %d", have, f.n)
	}
	for _, x := range f.targets {
		if even := float64(f.n) / 10710; x.took.Seconds() < even-12 || x.took.Seconds() > even+22 {
			t.Errorf("%s: have %v, want about %.0f s, the same as the others", x.name, x.took, even)
		}
	}
}
