package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pushdown/ci/git/gittest"
)

// tiny is the test file of a module with three benchmarks. They report a constant
// speed and no time, so the tests do not depend on the machine.
const tiny = `package tiny

import (
	"os"
	"testing"
)

func report(b *testing.B, speed float64) {
	for b.Loop() {
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(speed, "tokens/s")
}

func TestMain(m *testing.M) {
	os.Stdout.WriteString("Unit tokens/s better=higher\n")
	m.Run()
}

func BenchmarkPlain(b *testing.B) { report(b, 1000) }

func BenchmarkNested(b *testing.B) {
	b.Run("a=1/b=x y", func(b *testing.B) { report(b, 500) })
	b.Run("a=2|(", func(b *testing.B) { report(b, 300) })
}
`

// A fixture is a repository with commits.
type fixture struct {
	t    *testing.T
	dir  string
	temp string                      // the folder where the command makes its temporary folder
	git  func(args ...string) string // runs git in dir
}

// newFixture makes a repository of the tiny module and makes its folder the current
// directory. The repository has two commits, which are equally fast because the second
// is empty.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir := t.TempDir()
	f := &fixture{t: t, dir: dir, temp: t.TempDir(), git: gittest.In(t, dir)}
	if link := filepath.Join(t.TempDir(), "link"); os.Symlink(f.temp, link) == nil { // as on macOS
		f.temp = link
	}
	f.git("init", "-q")
	f.write("go.mod", "module tiny\n\ngo 1.26\n")
	f.write("tiny_test.go", tiny)
	f.commit("base")
	f.git("commit", "-q", "--allow-empty", "-m", "nothing")
	t.Chdir(f.dir)
	t.Setenv("TMPDIR", f.temp)
	t.Setenv("GOFLAGS", "-ldflags=-w") // links faster
	t.Setenv("GOWORK", "off")
	t.Setenv("GOTOOLCHAIN", "local") // the command changes it; Setenv restores it after the test
	return f
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

// replace replaces a string in the file of benchmarks by another, and fails the test if the
// file does not contain it.
func (f *fixture) replace(old, text string) {
	f.t.Helper()
	have, err := os.ReadFile(filepath.Join(f.dir, "tiny_test.go"))
	if err != nil {
		f.t.Fatal(err)
	}
	if !strings.Contains(string(have), old) {
		f.t.Fatalf("no %q in\n%s", old, have)
	}
	f.write("tiny_test.go", strings.ReplaceAll(string(have), old, text))
}

func (f *fixture) commit(message string) {
	f.t.Helper()
	f.git("add", "-A")
	f.git("commit", "-q", "-m", message)
}

// run runs the command, and checks that it leaves no worktree and no temporary files.
func (f *fixture) run(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	f.t.Helper()
	var out, err bytes.Buffer
	status = run(ctx, &out, &err, args)
	if list := strings.Count(f.git("worktree", "list"), "\n"); list != 1 {
		f.t.Errorf("have %d worktrees left, want none", list-1)
	}
	if left, e := os.ReadDir(f.temp); e != nil || len(left) != 0 {
		f.t.Errorf("temporary folder: have %v left (%v), want nothing", left, e)
	}
	return status, out.String(), err.String()
}

// fast holds the flags of a short run.
var fast = []string{"-benchtime", "1x", "-most", "12"}

func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a module for each case")
	}
}

func TestCompareFindsALoss(t *testing.T) {
	slow(t)
	f := newFixture(t)
	f.replace("500", "475")
	f.replace("300", "330")
	f.commit("slower")
	out := filepath.Join(t.TempDir(), "out")
	summary := filepath.Join(t.TempDir(), "summary.md")
	t.Setenv("PUSHDOWN_THREADS", "2")
	status, stdout, stderr := f.run(t.Context(), append(slices.Clone(fast), "-out", out, "-summary", summary, "HEAD~1", "HEAD")...)
	if status != 1 || !strings.Contains(stderr, "benchmarks: 3, with 12 rounds each\n") {
		t.Errorf("status %d, want 1 after 3 benchmarks in\n%s%s", status, stdout, stderr)
	}
	for _, want := range []string{"LOSS", "gain", "-5.00%", "+10.00%", "Nested/a=1/b=x_y", "lost 1, gained 1"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	for i, name := range []string{"base.txt", "head.txt"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		commit := strings.TrimSpace(f.git("rev-parse", fmt.Sprintf("HEAD~%d", 1-i)))
		for _, want := range []string{"commit: " + commit + "\ncommit-time: 20", "\ndevice: cpu/", "/threads=2\ncpu: ", "\ntoolchain: go1.", "\npushdown_threads: 2\n", "\nround: 11\n", "\npkg: tiny\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q in\n%.600s", name, want, text)
			}
		}
		if n := strings.Count(string(text), "tokens/s\t"); n != 3*12 {
			t.Errorf("%s: %d samples, want 36", name, n)
		}
	}
	if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), "### Benchmarks: loss") {
		t.Errorf("summary: %q, %v", text, err)
	}
}

// TestCompareOfAnEmptyCommit compares two commits with the same files and expects no loss.
// The working tree has an uncommitted change that would be a loss. The flag -dirty makes
// the command ignore this change.
func TestCompareOfAnEmptyCommit(t *testing.T) {
	slow(t)
	f := newFixture(t)
	f.replace("report(b, 1000)", "report(b, 1000/float64(len(os.Args)))")
	status, stdout, stderr := f.run(t.Context(), append(slices.Clone(fast), "-dirty", "-history", t.TempDir(), "-bench", "Plain", "main~1", "main")...)
	if status != 0 || !strings.Contains(stdout, "history: no commit of this machine yet") || !strings.Contains(stdout, "no loss") || !strings.Contains(stderr, "benchmarks: 1, with 12 rounds each") {
		t.Errorf("status %d, want 0 in\n%s%s", status, stdout, stderr)
	}
}

// TestCompareAddsSamples checks that a benchmark whose speed is random in every process
// gets more samples, up to the limit of -most. The other benchmarks get no more samples.
func TestCompareAddsSamples(t *testing.T) {
	slow(t)
	f := newFixture(t)
	f.replace(`"os"`, "\"math/rand/v2\"\n\t\"os\"")
	f.replace("report(b, 1000)", "report(b, 1000*float64(1+rand.IntN(7)))")
	f.commit("noisy")
	f.git("commit", "-q", "--allow-empty", "-m", "as noisy")
	status, stdout, stderr := f.run(t.Context(), append(slices.Clone(fast), "-most", "20", "HEAD~1", "HEAD")...)
	if status != 3 || !strings.Contains(stdout, "too few samples: have 20, want about ") {
		t.Errorf("status %d, want 3 in\n%s", status, stdout)
	}
	if want := "1 of 3 benchmarks need more samples: 4 rounds to go\n"; !strings.HasSuffix(stderr, want) {
		t.Errorf("no %q at the end of\n%s", want, stderr)
	}
}

func TestCompareFailsClosed(t *testing.T) {
	slow(t)
	for _, c := range []struct {
		name   string
		change func(*fixture)
		args   []string
		status int
		want   string
	}{
		{"missing benchmark", func(f *fixture) { f.replace("BenchmarkPlain", "BenchmarkRenamed"); f.commit("x") }, []string{"HEAD~1", "HEAD"}, 4, "head.txt: no BenchmarkPlain"},
		{"a name within another", func(f *fixture) { f.replace("a=2|(", "a=1"); f.commit("x") }, []string{"HEAD~1", "HEAD"}, 2, "head: have results of [\"Nested/a=1"},
		{"build of head", func(f *fixture) { f.replace("500", "half"); f.commit("x") }, []string{"HEAD~1", "HEAD"}, 2, "head: the tests of tiny do not build: go test -c"},
		{"failing benchmark", func(f *fixture) { f.replace("for b.Loop() {", "b.Fatal(7)\n\tfor b.Loop() {"); f.commit("x") }, []string{"HEAD~1", "HEAD"}, 2, "head: a benchmark of tiny failed"},
		{"no such base", nil, []string{"none", "HEAD"}, 4, `base: have "none", want a commit of`},
		{"one commit", nil, []string{"main", "HEAD"}, 2, `base and head: have "main" and "HEAD", which are the same commit`},
		{"no such head", nil, []string{"HEAD", "none"}, 2, `head: have "none", want a commit of`},
		{"changed tree", func(f *fixture) { f.replace("500", "400") }, []string{"HEAD~1", "HEAD"}, 2, `working tree: have changes in neither commit: 1, such as " M tiny_test.go", want none: commit`},
		{"no benchmarks", nil, []string{"-bench", "Absent", "HEAD~1", "HEAD"}, 2, `no benchmark matches "Absent" in .`},
		{"no tests", func(f *fixture) { f.git("mv", "tiny_test.go", "tiny.go"); f.commit("x") }, []string{"HEAD~1", "HEAD"}, 2, "head: no tests in ., want a package with benchmarks"},
		{"other toolchain", func(f *fixture) { f.write("go.mod", "module tiny\n\ngo 1.999\n"); f.commit("x") }, []string{"HEAD~1", "HEAD"}, 2, "go.mod requires go >= 1.999"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			if c.change != nil {
				c.change(f)
			}
			status, stdout, stderr := f.run(t.Context(), append(slices.Clone(fast), c.args...)...)
			if status != c.status || !strings.Contains(stdout+stderr, c.want) {
				t.Errorf("status %d, want %d with %q in\n%s%s", status, c.status, c.want, stdout, stderr)
			}
		})
	}
}

// TestInterruptLeavesNothing interrupts the command during a benchmark that never ends. The
// command must say so and remove its worktrees and temporary files.
func TestInterruptLeavesNothing(t *testing.T) {
	slow(t)
	f := newFixture(t)
	mark := filepath.Join(t.TempDir(), "running")
	f.replace(`"testing"`, "\"testing\"\n\t\"time\"")
	f.replace("report(b, 1000)", fmt.Sprintf("os.WriteFile(%q, nil, 0o666); time.Sleep(time.Hour)", mark)) // the runtime would call select {} a deadlock
	f.commit("endless")
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(mark); err == nil {
				interrupt()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	status, _, stderr := f.run(ctx, append(slices.Clone(fast), "-bench", "Plain|Nested", "HEAD~1", "HEAD")...)
	if status != 2 || !strings.HasSuffix(stderr, "compare: interrupted: nothing is judged\n") {
		t.Errorf("status %d, want 2 in\n%s", status, stderr)
	}
}

// TestStaleWorktreesStay checks that leave removes only the worktrees of the
// comparison from git's list of worktrees. Other entries must stay, even if their folder
// is missing, because the folder may be on a disk that is not mounted. A hook of the repository does
// not run in the folders that are measured.
func TestStaleWorktreesStay(t *testing.T) {
	f := newFixture(t)
	hooks := filepath.Join(f.dir, ".git", "hooks")
	if err := errors.Join(os.MkdirAll(hooks, 0o777), os.WriteFile(filepath.Join(hooks, "post-checkout"), []byte("#!/bin/sh\ntouch hooked\n"), 0o777)); err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.EvalSymlinks(t.TempDir()) // as git lists it
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(folder, "theirs")
	f.git("worktree", "add", "-q", "--detach", theirs)
	if err := os.RemoveAll(theirs); err != nil {
		t.Fatal(err)
	}
	for made := range len(names) + 1 { // an interrupt may come after any number of worktrees
		temp := t.TempDir()
		for side := range made {
			if err := checkOut(t.Context(), filepath.Join(temp, names[side]), "HEAD"); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(temp, names[side], "hooked")); err == nil {
				t.Error("have the file of the hook, want only those of the commit")
			}
		}
		if err := leave(temp); err != nil {
			t.Errorf("%d worktrees made: %v", made, err)
		}
		if list := f.git("worktree", "list"); strings.Count(list, "\n") != 2 || !strings.Contains(list, filepath.ToSlash(theirs)) {
			t.Errorf("%d worktrees made: want the first and %s in\n%s", made, theirs, list)
		}
		if _, err := os.Stat(temp); err == nil {
			t.Errorf("%d worktrees made: %s is left", made, temp)
		}
	}
}

func TestOutsideOfARepository(t *testing.T) {
	dir := t.TempDir()
	gittest.In(t, dir)
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: absent\n"), 0o666); err != nil { // also where the folders above are a repository
		t.Fatal(err)
	}
	t.Chdir(dir)
	var out, err bytes.Buffer
	if status := run(t.Context(), &out, &err, []string{"a", "b"}); status != 2 || !strings.Contains(err.String(), "current folder: have no git repository") {
		t.Errorf("status %d, want 2 in\n%s", status, err.String())
	}
}

func TestArgumentsOfCompare(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "have no arguments after the flags, want base head [package...]"},
		{"HEAD", 2, `have the argument "HEAD" after the flags, want base head [package...]`},
		{"a b -bench c", 2, `have the arguments ["a" "b" "-bench" "c"] after the flags, want base head [package...]; flags come first`},
		{"-most 3 a b", 2, "have -most 3, want at least 4"},
		{"-history none a b", 2, "-history: have no such folder"},
		{"-x a b", 2, "flag provided but not defined"},
		{"-h", 0, "usage: compare"},
	} {
		var out, err strings.Builder
		if status := run(t.Context(), &out, &err, strings.Fields(c.args)); status != c.status || !strings.Contains(err.String(), c.want) {
			t.Errorf("%q: status %d, want %d with %q in\n%s", c.args, status, c.status, c.want, err.String())
		}
	}
}
