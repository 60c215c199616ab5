package history

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pushdown/ci/gate/regression"
	"pushdown/ci/git/gittest"
)

// text returns the benchmark text of commit number i, with some samples of a speed.
func text(i int, speed float64, more ...string) regression.Text {
	var b strings.Builder
	fmt.Fprintf(&b, "commit: %040x\ncommit-time: %s\n", i, time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC).Format(time.RFC3339))
	b.WriteString("goos: linux\ngoarch: amd64\ncpu: A (R) 9\ndevice: cpu/avx2\n" + strings.Join(more, ""))
	for round := range 3 {
		fmt.Fprintf(&b, "round: %d\nUnit tokens/s better=higher\nUnit peak-%% better=higher\npkg: p\nBenchmarkA-2 1 %.0f ns/op %.4f peak-%% %.1f tokens/s\nPASS\n", round, 1e9/speed, speed/1e4, speed)
	}
	return regression.Text{Name: fmt.Sprintf("%d.txt", i), Data: []byte(b.String())}
}

func parsed(t *testing.T, text regression.Text) *Entry {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestParse(t *testing.T) {
	e := parsed(t, text(7, 1000))
	if !strings.HasPrefix(e.Machine, "linux-amd64-a-r-9-cpu-avx2-") || e.Name != "20260101T000700Z-000000000000.txt" {
		t.Errorf("have %s", e.Path())
	}
	have := string(e.Data)
	for line, want := range map[string]int{"BenchmarkA-2 1 ": 3, "commit: ": 1, "Unit tokens/s better=higher\n": 1, "round": 0, "PASS": 0} {
		if n := strings.Count(have, line); n != want {
			t.Errorf("have %d times %q, want %d in\n%s", n, line, want, have)
		}
	}
	if other := parsed(t, text(8, 1000)); other.Machine != e.Machine || other.Name <= e.Name {
		t.Errorf("the next commit: have %s, want a later file in %s", other.Path(), e.Machine)
	}
	for _, line := range []string{"toolchain: go1\n", "cpu: B\n", "gomaxprocs: 1\n"} {
		if other := parsed(t, text(7, 1000, line)); other.Machine == e.Machine {
			t.Errorf("%q: have machine %s, want another one", line, other.Machine)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	good := string(text(1, 1000).Data)
	swap := func(old, text string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("have no %q in\n%s", old, good)
		}
		return strings.ReplaceAll(good, old, text)
	}
	for want, data := range map[string]string{
		"x: no benchmark results":                       "nothing\n",
		`"FAIL": the run failed`:                        good + "FAIL\n",
		"parsing iteration count":                       good + "BenchmarkA x 1 ns/op\n",
		"have a last line without an end":               good + "BenchmarkA-2 1 1 ns/op 5 tok",
		`have no line "device:"`:                        swap("device: cpu/avx2\n", ""),
		`commit: have "", want 40 digits`:               swap("commit: "+fmt.Sprintf("%040x", 1)+"\n", ""),
		`commit: have "HEAD", want 40 digits`:           swap(fmt.Sprintf("%040x", 1), "HEAD"),
		`commit-time: have "today", want a time`:        swap("2026-01-01T00:01:00Z", "today"),
		"belongs into":                                  good + "commit: " + strings.Repeat("2", 40) + "\nBenchmarkA-2 1 1 ns/op\n",
		"want one commit and equal configuration lines": good + "gomaxprocs: 1\npkg: q\nBenchmarkB-2 1 1 ns/op\n",
	} {
		if _, err := Parse(regression.Text{Name: "x", Data: []byte(data)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have error %v, want %q", err, want)
		}
	}
}

// gitIn runs git in a folder and returns its output.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return gittest.In(t, dir)(args...)
}

// remote makes a bare repository and a clone with a commit, which becomes the current folder.
func remote(t *testing.T) (bare, clone string) {
	t.Helper()
	bare, clone = filepath.Join(t.TempDir(), "bare.git"), filepath.Join(t.TempDir(), "clone")
	gitIn(t, ".", "init", "-q", "--bare", "-b", "main", bare)
	gitIn(t, ".", "clone", "-q", bare, clone)
	if err := os.WriteFile(filepath.Join(clone, "code"), []byte("code\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	gitIn(t, clone, "add", "code")
	gitIn(t, clone, "commit", "-q", "-m", "code")
	gitIn(t, clone, "push", "-q", "origin", "HEAD:main")
	t.Chdir(clone)
	return bare, clone
}

// add adds entries to the history of origin.
func add(t *testing.T, entries ...*Entry) {
	t.Helper()
	if err := Add(t.Context(), "origin", entries); err != nil {
		t.Fatal(err)
	}
}

// files lists the files of the history of a bare repository.
func files(t *testing.T, bare string) string {
	t.Helper()
	return strings.TrimSpace(gitIn(t, bare, "ls-tree", "-r", "--name-only", Branch))
}

func TestAdd(t *testing.T) {
	bare, clone := remote(t)
	one, two := parsed(t, text(1, 1000)), parsed(t, text(2, 1000))
	three := parsed(t, text(2, 1000, "cpu: B\n"))
	add(t, one)
	if files(t, bare) != one.Path() {
		t.Errorf("have %s, want %s alone", files(t, bare), one.Path())
	}
	gitIn(t, bare, "update-ref", "refs/backup/refs/heads/"+Branch, Branch) // ends with the name of the branch, and comes first
	add(t, two, three)
	if files(t, bare) != strings.Join([]string{one.Path(), two.Path(), three.Path()}, "\n") {
		t.Errorf("have %s, want three entries", files(t, bare))
	}
	again := parsed(t, text(1, 1100))
	add(t, one, two) // makes no commit
	add(t, again)
	if gitIn(t, bare, "show", Branch+":"+one.Path()) != string(again.Data) {
		t.Error("a second measurement does not replace the first")
	}
	if n := strings.Count(gitIn(t, bare, "log", "--format=%h", Branch), "\n"); n != 3 {
		t.Errorf("have %d commits, want 3", n)
	}
	if have := gitIn(t, clone, "status", "--porcelain") + gitIn(t, clone, "branch", "--format=%(refname)"); have != "refs/heads/main\n" {
		t.Errorf("the clone: have %q, want it unchanged", have)
	}
}

// TestAddConcurrently adds entries at the same time to a branch that does not exist yet. All
// must be there in the end.
func TestAddConcurrently(t *testing.T) {
	bare, _ := remote(t)
	const n = 4
	var wg sync.WaitGroup
	var errs [n]error
	for i := range n {
		e := parsed(t, text(i, 1000))
		wg.Go(func() { errs[i] = Add(t.Context(), bare, []*Entry{e}) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if have := strings.Count(files(t, bare), "\n") + 1; have != n {
		t.Errorf("have %d entries, want %d", have, n)
	}
}

// TestAddTriesAgain lets another commit win in the middle of the first push.
func TestAddTriesAgain(t *testing.T) {
	bare, _ := remote(t)
	one, two, three := parsed(t, text(1, 1000)), parsed(t, text(2, 1000)), parsed(t, text(3, 1000))
	add(t, one)
	first := strings.TrimSpace(gitIn(t, bare, "rev-parse", Branch))
	add(t, two)
	second := strings.TrimSpace(gitIn(t, bare, "rev-parse", Branch))
	gitIn(t, bare, "update-ref", "refs/keep", second)
	gitIn(t, bare, "update-ref", "refs/heads/"+Branch, first)
	hook(t, bare, "[ -e raced ] || { touch raced; unset GIT_QUARANTINE_PATH; git update-ref refs/heads/"+Branch+" "+second+"; }")
	add(t, three)
	if files(t, bare) != strings.Join([]string{one.Path(), two.Path(), three.Path()}, "\n") {
		t.Errorf("have %s, want all three entries", files(t, bare))
	}
	if _, err := os.Stat(filepath.Join(bare, "raced")); err != nil {
		t.Error(err)
	}
}

// hook sets the hook that a bare repository runs before it takes a push.
func hook(t *testing.T, bare, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(bare, "hooks", "pre-receive"), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
}

func TestAddFails(t *testing.T) {
	bare, _ := remote(t)
	one := []*Entry{parsed(t, text(1, 1000))}
	hook(t, bare, "echo the branch is closed >&2; exit 1")
	for remote, want := range map[string]string{
		"origin": "the branch is closed", "absent": "git ls-remote -- absent", "--upload-pack=false": "--upload-pack=false",
	} {
		if err := Add(t.Context(), remote, one); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want an error with %q", remote, err, want)
		}
	}
}

// TestAddKeepsBenchmarks checks that an entry does not replace one of the same commit that has
// more benchmarks.
func TestAddKeepsBenchmarks(t *testing.T) {
	bare, _ := remote(t)
	less, more := text(1, 1000), text(1, 1000)
	more.Data = append(more.Data, "BenchmarkB/x=1-2 1 7 ns/op\npkg: q\nBenchmarkA-2 1 7 ns/op\n"...)
	add(t, parsed(t, less))
	add(t, parsed(t, more))
	before := gitIn(t, bare, "rev-parse", Branch)
	for want, missing := range map[string]string{"no tokens/s of BenchmarkA-2 of p": " 1000.0 tokens/s", "no BenchmarkB/x=1-2 of p, which the branch has": "BenchmarkB/x=1-2 1 7 ns/op\n", "no BenchmarkA-2 of q, which the branch has": "pkg: q\nBenchmarkA-2 1 7 ns/op\n"} {
		short := regression.Text{Name: "short", Data: bytes.ReplaceAll(more.Data, []byte(missing), nil)}
		if err := Add(t.Context(), "origin", []*Entry{parsed(t, short)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want an error with %q", err, want)
		}
	}
	if after := gitIn(t, bare, "rev-parse", Branch); after != before {
		t.Errorf("the branch has changed from %s to %s", before, after)
	}
}

// write writes entries into a folder.
func write(t *testing.T, folder string, entries ...*Entry) {
	t.Helper()
	for _, e := range entries {
		name := filepath.Join(folder, filepath.FromSlash(e.Path()))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, e.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEarlier checks which entries count: those of the same machine and an earlier commit, from
// the time of -after on.
func TestEarlier(t *testing.T) {
	folder := t.TempDir()
	for i := 9; i > 0; i-- {
		write(t, folder, parsed(t, text(i, 1000)), parsed(t, text(i, 1000, "cpu: B\n")))
	}
	if err := os.WriteFile(filepath.Join(folder, parsed(t, text(1, 1)).Machine, "README"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	head := parsed(t, text(6, 900))
	for after, want := range map[int][]int{0: {1, 2, 3, 4, 5}, 4: {4, 5}, 8: nil} {
		s := Source{folder, time.Date(2026, 1, 1, 0, after, 0, 0, time.UTC)}
		list, err := s.earlier(head)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(want) {
			t.Fatalf("after %d: have %d entries, want %d", after, len(list), len(want))
		}
		for i, e := range list {
			if have, want := parsed(t, e).Path(), parsed(t, text(want[i], 1000)).Path(); have != want {
				t.Errorf("after %d: have %s, want %s", after, have, want)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	folder := t.TempDir()
	s := Source{Folder: folder}
	judge := func(head regression.Text) *regression.Report {
		rep := &regression.Report{Loss: 0.05}
		s.Judge(rep, head)
		return rep
	}
	wants := func(rep *regression.Report, status regression.Status, want string) {
		t.Helper()
		if rep.Status() != status || !strings.Contains(rep.String(), want) {
			t.Errorf("status %v, want %v with %q in\n%s", rep.Status(), status, want, rep)
		}
	}
	wants(judge(text(50, 1000)), regression.NoLoss, "history: no commit of this machine yet")
	for i := range 20 {
		// The speed in tokens/s rises and falls with the clock, the share of the peak falls by 1 % a commit.
		even := string(text(i, 1000+float64(i%7)).Data)
		share := fmt.Sprintf(" %.4f peak-%%", 0.1*(1-0.01*float64(i)))
		data := regression.Text{Name: "x", Data: []byte(regexp.MustCompile(` [0-9.]+ peak-%`).ReplaceAllString(even, share))}
		switch i {
		case 5:
			wants(judge(data), regression.NoLoss, "history: earlier commits of this machine: 5, want at least 11 for 1 benchmarks")
		case 19:
			wants(judge(data), regression.Loss, "history: 1 of 1 benchmarks judged by 19 earlier commits of this machine")
			wants(judge(data), regression.Loss, "loss: history: A-2: peak-%: -")
		}
		write(t, folder, parsed(t, data))
	}
	wants(judge(text(50, 1000, "cpu: B\n")), regression.NoLoss, "history: no commit of this machine yet")
	wants(judge(regression.Text{Name: "x", Data: []byte("BenchmarkA 1 1 ns/op\n")}), regression.Unusable, `unusable input: history: x:1: no line "goos:"`)
	e := parsed(t, text(30, 1000))
	e.Name = "20260101T003100Z-000000000000.txt"
	write(t, folder, e)
	wants(judge(text(50, 1000)), regression.Unusable, "have results that belong into "+parsed(t, text(30, 1000)).Path())
	e.Data = []byte("FAIL\n")
	write(t, folder, e)
	wants(judge(text(50, 1000)), regression.Unusable, "the run failed")
}

func TestOtherRepositoriesStay(t *testing.T) {
	gittest.OthersStay(t, "^TestAdd($|TriesAgain|KeepsBenchmarks)")
}

// TestAuthorComesFromTheSettings checks that the settings of the repository say who writes a
// commit, and that variables of the environment do not.
func TestAuthorComesFromTheSettings(t *testing.T) {
	bare, clone := remote(t)
	gitIn(t, clone, "config", "user.name", "machine")
	t.Setenv("GIT_AUTHOR_NAME", "somebody")
	t.Setenv("GIT_COMMITTER_NAME", "somebody")
	add(t, parsed(t, text(1, 1000)))
	if have := gitIn(t, bare, "log", "--format=%an %cn", Branch); have != "machine machine\n" {
		t.Errorf("have %q, want the name of the settings", have)
	}
}

func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := Add(t.Context(), "origin", nil); err == nil || !strings.HasPrefix(err.Error(), "have no git, want it to add to the branch bench: ") {
		t.Errorf("have %v, want what git is wanted for", err)
	}
}
