package history

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
	if !strings.HasPrefix(e.Machine, "linux-amd64-a-r-9-cpu-avx2-") || e.Name != "20260101T000700Z-000000000000.txt" || e.Commit != fmt.Sprintf("%040x", 7) {
		t.Errorf("have %s of commit %s", e.Path(), e.Commit)
	}
	have := string(e.Data)
	for line, want := range map[string]int{"BenchmarkA-2 1 ": 3, "commit: ": 1, "Unit tokens/s better=higher\n": 1, "round": 0, "PASS": 0} {
		if n := strings.Count(have, line); n != want {
			t.Errorf("have %d times %q, want %d in\n%s", n, line, want, have)
		}
	}
	again := parsed(t, regression.Text{Name: "again", Data: e.Data})
	if !bytes.Equal(again.Data, e.Data) || again.Path() != e.Path() {
		t.Errorf("have another entry for the text of an entry:\n%s\nwant\n%s", again.Data, e.Data)
	}
	if other := parsed(t, text(8, 1000)); other.Machine != e.Machine || !e.before(other) {
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
		"x: no benchmark results":                                                     "nothing\n",
		`"FAIL": the run failed`:                                                      good + "FAIL\n",
		"parsing iteration count":                                                     good + "BenchmarkA x 1 ns/op\n",
		"have NaN sec/op, want a number":                                              good + "BenchmarkA-2 1 NaN ns/op\n",
		"have -5 tokens/s, want a number above 0":                                     good + "BenchmarkA-2 1 1 ns/op -5 tokens/s\n",
		"have 0 tokens/s, want a number above 0":                                      good + "BenchmarkA-2 1 1 ns/op 0 tokens/s\n",
		"have -6 iterations, want at least 1":                                         good + "BenchmarkA-2 -6 1 ns/op\n",
		"have a last line without an end":                                             good + "BenchmarkA-2 1 1 ns/op 5 tok",
		`no line "cpu:"`:                                                              swap("cpu: A (R) 9\n", ""),
		`have no line "device:"`:                                                      swap("device: cpu/avx2\n", ""),
		`commit: have "", want 40 digits`:                                             swap("commit: "+fmt.Sprintf("%040x", 1)+"\n", ""),
		`commit: have "HEAD", want 40 digits`:                                         swap(fmt.Sprintf("%040x", 1), "HEAD"),
		`commit-time: have "", want a time`:                                           swap("commit-time: 2026-01-01T00:01:00Z\n", ""),
		`commit-time: have "today", want a time`:                                      swap("2026-01-01T00:01:00Z", "today"),
		`commit: have "` + strings.Repeat("2", 40) + `" after`:                        good + "commit: " + strings.Repeat("2", 40) + "\nBenchmarkA-2 1 1 ns/op\n",
		"have gomaxprocs: 1, want the environment of the first result: no other line": good + "gomaxprocs: 1\nBenchmarkA-2 1 1 ns/op\n",
		"have a median of 0":                                                          "commit: " + strings.Repeat("2", 40) + "\ncommit-time: 2026-01-01T00:01:00Z\ngoos: a\ngoarch: b\ncpu: c\ndevice: d\nBenchmarkA-2 1 0 ns/op\n",
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

// add adds entries to the history of origin, and reports whether it has changed.
func add(t *testing.T, entries ...*Entry) bool {
	t.Helper()
	changed, err := Add(t.Context(), "origin", Branch, entries)
	if err != nil {
		t.Fatal(err)
	}
	return changed
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
	if !add(t, one) || files(t, bare) != one.Path() {
		t.Errorf("have %s, want %s alone", files(t, bare), one.Path())
	}
	if !add(t, two, three) || files(t, bare) != strings.Join([]string{one.Path(), two.Path(), three.Path()}, "\n") {
		t.Errorf("have %s, want three entries", files(t, bare))
	}
	if add(t, one, two) {
		t.Error("entries that are there: have a change, want none")
	}
	again := parsed(t, text(1, 1100))
	if !add(t, again) || gitIn(t, bare, "show", Branch+":"+one.Path()) != string(again.Data) {
		t.Error("a second measurement does not replace the first")
	}
	if n := strings.Count(gitIn(t, bare, "log", "--format=%h", Branch), "\n"); n != 3 {
		t.Errorf("have %d commits, want 3", n)
	}
	// The branch has nothing else, and the clone is as it was.
	if have := strings.Count(files(t, bare), "\n"); have != 2 {
		t.Errorf("have %s, want three entries", files(t, bare))
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
		wg.Go(func() { _, errs[i] = Add(t.Context(), bare, Branch, []*Entry{e}) })
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
	if !add(t, three) || files(t, bare) != strings.Join([]string{one.Path(), two.Path(), three.Path()}, "\n") {
		t.Errorf("have %s, want all three entries", files(t, bare))
	}
	if _, err := os.Stat(filepath.Join(bare, "raced")); err != nil {
		t.Error(err)
	}
}

// TestAddBesideOtherRefs adds to a branch of a repository that also has a ref with a name that
// ends with the name of the branch, and comes before it.
func TestAddBesideOtherRefs(t *testing.T) {
	bare, _ := remote(t)
	one, two := parsed(t, text(1, 1000)), parsed(t, text(2, 1000))
	add(t, one)
	gitIn(t, bare, "update-ref", "refs/backup/refs/heads/"+Branch, Branch)
	add(t, two)
	if !add(t, parsed(t, text(1, 1100))) || files(t, bare) != one.Path()+"\n"+two.Path() {
		t.Errorf("have %s, want both entries", files(t, bare))
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
	for _, c := range []struct{ remote, branch, want string }{
		{"origin", Branch, "the branch is closed"},
		{"absent", Branch, "git ls-remote -- absent"},
		{"origin", "a b", `branch: have "a b", want the name of a branch`},
		{"origin", "HEAD", `branch: have "HEAD", want the name of a branch`},
		{"origin", "-x", `branch: have "-x", want the name of a branch`},
		{"origin", "refs/heads/bench", `branch: have "refs/heads/bench", want the name of a branch`},
		{"--upload-pack=false", Branch, "--upload-pack=false"},
	} {
		if changed, err := Add(t.Context(), c.remote, c.branch, one); changed || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, %v, want an error with %q", c.remote, changed, err, c.want)
		}
	}
}

// TestAddKeepsBenchmarks checks that an entry does not replace one of the same commit that has
// more benchmarks.
func TestAddKeepsBenchmarks(t *testing.T) {
	bare, _ := remote(t)
	less, more := text(1, 1000), text(1, 1000)
	more.Data = append(more.Data, "BenchmarkB/x=1-2 1 7 ns/op\npkg: q\nBenchmarkA-2 1 7 ns/op\n"...)
	if !add(t, parsed(t, less)) || !add(t, parsed(t, more)) {
		t.Fatal("have no change after adding benchmarks")
	}
	before := gitIn(t, bare, "rev-parse", Branch)
	for want, missing := range map[string]string{"have no p B/x=1-2 sec/op, want all 5": "BenchmarkB/x=1-2 1 7 ns/op\n", "have no q A-2 sec/op, want all 5": "pkg: q\nBenchmarkA-2 1 7 ns/op\n"} {
		short := regression.Text{Name: "short", Data: bytes.ReplaceAll(more.Data, []byte(missing), nil)}
		if changed, err := Add(t.Context(), "origin", Branch, []*Entry{parsed(t, short)}); changed || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, %v, want an error with %q", changed, err, want)
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
			if e := parsed(t, e); e.Commit != fmt.Sprintf("%040x", want[i]) || e.Machine != head.Machine {
				t.Errorf("after %d: have %s of commit %s, want commit %d", after, e.Path(), e.Commit, want[i])
			}
		}
	}
}

func TestJudge(t *testing.T) {
	folder := t.TempDir()
	s := Source{Folder: folder}
	judge := func(head regression.Text) *regression.Report {
		rep := &regression.Report{Options: regression.Standard}
		s.Judge(rep, head)
		return rep
	}
	wants := func(rep *regression.Report, status regression.Status, want string) {
		t.Helper()
		var have strings.Builder
		if err := rep.WriteText(&have); err != nil {
			t.Fatal(err)
		}
		if rep.Status != status || !strings.Contains(have.String(), want) {
			t.Errorf("status %v, want %v with %q in\n%s", rep.Status, status, want, &have)
		}
	}
	wants(judge(text(50, 1000)), regression.NoLoss, "history: no commit of this machine yet")
	for i := range 20 {
		// The speed in tokens/s rises and falls with the clock, the share of the peak falls by 1 % a commit.
		e := string(text(i, 1000+float64(i%7)).Data)
		share := fmt.Sprintf("%.4f peak-%%", 0.1*(1-0.01*float64(i)))
		var lines []string
		for line := range strings.Lines(e) {
			if at := strings.Index(line, " peak-%"); strings.HasPrefix(line, "Benchmark") {
				words := strings.Fields(line[:at])
				line = strings.Join(words[:len(words)-1], " ") + " " + share + line[at+len(" peak-%"):]
			}
			lines = append(lines, line)
		}
		data := regression.Text{Name: "x", Data: []byte(strings.Join(lines, ""))}
		switch i {
		case 5:
			wants(judge(data), regression.NoLoss, "history: 5 earlier commits of this machine, want at least 11 to judge 1 benchmark by them")
		case 19:
			wants(judge(data), regression.Loss, "history: 1 of 1 benchmark judged by 19 earlier commits of this machine: 1 lost")
			wants(judge(data), regression.Loss, "A-2        peak-%")
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
	if _, err := Add(t.Context(), "origin", Branch, nil); err == nil || !strings.HasPrefix(err.Error(), "have no git, want it to add to the branch bench: ") {
		t.Errorf("have %v, want what git is wanted for", err)
	}
}
