package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
)

const header = "goos: linux\ngoarch: amd64\npkg: p\ncpu: fast\n"

// samples returns n lines of benchmark text, each for a random speed. The speeds are
// normally distributed with mean 1000 and standard deviation 10. The parameter line is the
// function that formats a line from a speed.
func samples(n int, seed uint64, line func(speed float64) string) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range n {
		b.WriteString(line(1000*(1+0.01*r.NormFloat64())) + "\n")
	}
	return b.String()
}

// op returns a function that formats a sample of the named benchmark from a speed. The
// benchmark runs at this speed, multiplied by the parameter times. The sample has the time
// per operation and no other measurement.
func op(name string, times float64) func(float64) string {
	return func(speed float64) string { return fmt.Sprintf("Benchmark%s-2 1 %.0f ns/op", name, 1e9/(speed*times)) }
}

// with returns a function that formats a sample of benchmark A at a given speed. After the
// time, the sample has further measurements, which the caller gives as text.
func with(more string) func(float64) string {
	return func(speed float64) string { return op("A", 1)(speed) + " " + more }
}

// judged runs the command on two texts. It returns the exit status and all output, in
// which it removes the path of the temporary folder.
func judged(t *testing.T, base, head string, flags ...string) (status int, out string) {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for name, text := range map[string]string{"base.txt": base, "head.txt": head} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files = append(flags, filepath.Join(dir, "base.txt"), filepath.Join(dir, "head.txt"))
	var stdout, stderr bytes.Buffer
	status = run(&stdout, &stderr, files)
	return status, strings.ReplaceAll(stdout.String()+stderr.String(), dir+string(filepath.Separator), "")
}

func TestStatus(t *testing.T) {
	a := header + samples(24, 1, op("A", 1))
	same := header + samples(24, 2, op("A", 1))
	slow := header + samples(24, 2, op("A", 0.95))
	swap := strings.NewReplacer
	for _, c := range []struct {
		name       string
		base, head string
		status     int
		want       string
	}{
		{"no loss", a, same, 0, "comparisons: 1, of which lost 0, gained 0, lost less than 1% 0, with too few samples 0\nverdict: no loss (status 0)"},
		{"commits may differ", "commit: 1\ncommit-time: 1\n" + a, "commit: 2\ncommit-time: 2\n" + same, 0, "no loss"},
		{"loss", a, slow, 1, "LOSS\n"},
		{"gain", slow, a, 0, "gain\n"},
		{"loss of one of two", a + samples(24, 3, op("B", 1)), same + samples(24, 4, op("B", 0.93)), 1, "comparisons: 2, of which lost 1"},
		{"slight loss", header + samples(400, 1, op("A", 1)), header + samples(400, 2, op("A", 0.995)), 0, "lost less than 1% 1"},
		{"loss of a rate", "Unit tokens/s better=higher\n" + header + samples(24, 1, func(v float64) string { return fmt.Sprintf("BenchmarkA 1 %v tokens/s", v) }),
			header + samples(24, 2, func(v float64) string { return fmt.Sprintf("BenchmarkA 1 %v tokens/s", 0.95*v) }), 1, "-5."},

		{"new benchmark", a, same + samples(24, 3, op("B", 1)), 0, "new in head: BenchmarkB-2 of p\n"},
		{"missing benchmark", a + samples(24, 3, op("B", 1)), same, 4, "head.txt: no BenchmarkB-2 of p, which base.txt has"},
		{"missing package", a + strings.Replace(a, "pkg: p", "pkg: q", 1), same, 4, "head.txt: no BenchmarkA-2 of q, which base.txt has"},
		{"missing unit", header + samples(24, 1, with("5 B/op 1 allocs/op")), header + samples(24, 2, with("5 B/op")), 4, "head.txt: no allocs/op of BenchmarkA-2 of p, which base.txt has"},
		{"no baseline results", header, same, 4, "base.txt: no benchmark results, want some"},
		{"nothing in either", "", "", 4, "base.txt: no benchmark results"},
		{"nothing to gate", header + "BenchmarkA 1 7 B/op\n", header + "BenchmarkA 1 7 B/op\n", 4, "no measurement that can be gated"},

		{"one sample", header + samples(1, 1, op("A", 1)), header + samples(1, 2, op("A", 1)), 3, "too few samples: have 1, want about 5 to see a loss of 5% (A-2, sec/op, noise 0.0%)"},
		{"a clear loss needs no more", header + samples(12, 1, op("A", 1)), header + samples(12, 2, op("A", 0.5)), 1, "LOSS"},

		{"other processor", a, strings.Replace(same, "cpu: fast", "cpu: slow", 1), 5, "changed environment: cpu: have fast and slow, want the same for all results"},
		{"other device", a, "device: cuda\n" + same, 5, "device: have none and cuda"},
		{"two processors in one text", a + "cpu: slow\n" + samples(24, 3, op("A", 1)), same + samples(24, 4, op("A", 1)), 5, "cpu: have fast and slow"},
		{"no processor", swap("cpu: fast\n", "").Replace(a), swap("cpu: fast\n", "").Replace(same), 5, `no line "cpu:" above the result`},

		{"more samples", a, same + samples(1, 3, op("A", 1)), 2, "have 24 samples in base.txt and 25 in head.txt, want equal numbers"},
		{"other rounds", "round: 1\n" + a, "round: 2\n" + same, 2, `BenchmarkA-2 of p: have rounds ["1" `},
		{"failed run", a, same + "FAIL\tp\t1.2s\n", 2, `head.txt:29: "FAIL\tp\t1.2s": the run failed`},
		{"failed benchmark", a, same + "--- FAIL: BenchmarkB\n", 2, "the run failed"},
		{"damaged line", a, same + "BenchmarkA-2 1 x ns/op\n", 2, "head.txt:29: parsing measurement"},
		{"too long a line", a, same + strings.Repeat("x", 1<<17), 2, "token too long"},
		{"no direction", header + samples(24, 1, with("7 widgets/s")), header + samples(24, 2, with("7 widgets/s")), 2, `unit widgets/s: no better direction, want a line such as "Unit widgets/s better=higher"`},
		{"time turned round", "Unit ns/op better=higher\n" + a, "Unit ns/op better=higher\n" + slow, 1, "loss: A-2: sec/op: -5."},
		{"head turns a known rate round", header + samples(24, 1, with("7 MB/s")), "Unit MB/s better=lower\n" + header + samples(24, 2, with("6 MB/s")), 1, "loss: A-2: B/s: -14.29%"},
		{"head alone declares a rate", header + samples(24, 1, with("7 x/s")), "Unit x/s better=lower\n" + header + samples(24, 2, with("5 x/s")), 2,
			`unit x/s: no better direction, want a line such as "Unit x/s better=higher" in base.txt`},
		{"head repeats base", "Unit x/s better=higher\n" + header + samples(24, 1, with("7 x/s")), "Unit x/s better=higher\nUnit ns/op better=lower\n" + header + samples(24, 2, with("6 x/s")), 1, "x/s"},
		{"head declares an exact unit", header + samples(24, 1, with("7 bytes")), "Unit bytes better=lower assume=exact\n" + header + samples(24, 2, with("8 bytes")), 0, "not gated: bytes"},
		{"a rate of a new benchmark", a, "Unit x/s better=higher\n" + same + samples(24, 3, func(v float64) string { return "BenchmarkB-2 1 7 x/s" }), 0, "new in head: BenchmarkB-2"},
		{"time per row", header + samples(24, 1, with("7 ns/row")), header + samples(24, 2, with("9 ns/row")), 1, "sec/row"},
		{"time zero", a + "BenchmarkA-2 1 0 ns/op\n", same + "BenchmarkA-2 1 7 ns/op\n", 2, "base.txt:29: have 0 sec/op, want a number above 0"},
		{"no number", a + "BenchmarkA-2 1 NaN ns/op\n", same + "BenchmarkA-2 1 7 ns/op\n", 2, "base.txt:29: have NaN sec/op, want a number"},
		{"unit in some samples", a + samples(1, 3, with("7 B/op")), same + samples(1, 3, op("A", 1)), 2, "base.txt: BenchmarkA-2 of p: B/op in 1 of 25 samples, want it in all"},
		{"unit twice", header + samples(24, 1, with("7 ns/op")), same, 2, "base.txt:5: sec/op twice in one sample"},
		{"unit missing, then twice", header + samples(12, 1, op("A", 1)) + samples(12, 1, with("7 B/op 8 B/op")), same, 2, "base.txt:17: B/op twice in one sample"},

		{"allocations rise", header + samples(24, 1, with("0 allocs/op")), header + samples(24, 2, with("1 allocs/op")), 1, "allocs/op  0.000   1.000   +Inf%   -"},
		{"allocations fall", header + samples(24, 1, with("2 allocs/op")), header + samples(24, 2, with("1 allocs/op")), 0, "gained 1"},
		{"a stray allocation", header + samples(24, 1, with("0 allocs/op")), header + samples(23, 2, with("0 allocs/op")) + samples(1, 3, with("1 allocs/op")), 0, "no loss"},
		{"exact unit worse", "Unit bytes better=lower assume=exact\n" + header + samples(24, 1, with("7 bytes")), header + samples(24, 2, with("8 bytes")), 1, "+14.29%"},
		{"other units", header + samples(24, 1, with("7 peak-%")), header + samples(24, 2, with("3 peak-%")), 0, "not gated: peak-%\n"},

		{"loss and a missing benchmark", a + samples(24, 3, op("B", 1)), slow, 1, "no BenchmarkB-2 of p"},
		{"loss on another processor", a, strings.Replace(slow, "fast", "slow", 1), 5, "LOSS"},
		{"missing and too few", header + samples(4, 1, op("A", 1)) + samples(4, 2, op("B", 1)), header + samples(4, 3, op("A", 1)), 4, "too few samples: have 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out := judged(t, c.base, c.head)
			if status != c.status || !strings.Contains(out, c.want) {
				t.Errorf("status %d, want %d with %q in\n%s", status, c.status, c.want, out)
			}
			if last := fmt.Sprintf("(status %d)\n", c.status); !strings.HasSuffix(out, last) {
				t.Errorf("the last line is not %q in\n%s", last, out)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "base.txt")
	if err := os.WriteFile(there, []byte(header+samples(24, 1, op("A", 1))), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "have no arguments after the flags, want base.txt head.txt"},
		{[]string{there, there, "-summary", "x"}, 2, `"-summary" "x"] after the flags, want base.txt head.txt; flags come first`},
		{[]string{"-x", there, there}, 2, "flag provided but not defined"},
		{[]string{"-loss", "0", there, there}, 2, "-loss: want a number above 0.01 and below 1"},
		{[]string{"-h"}, 0, "usage: gate"},
		{[]string{filepath.Join(dir, "none.txt"), there}, 4, "none.txt: no such file"},
		{[]string{dir, there}, 2, "is a directory"},
		{[]string{"-summary", filepath.Join(dir, "none", "s.md"), there, there}, 2, "s.md"},
		{[]string{there, there}, 0, "no loss"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(&stdout, &stderr, c.args)
		if out := stdout.String() + stderr.String(); status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d, want %d with %q in\n%s", c.args, status, c.status, c.want, out)
		}
	}
}

func TestSummaryIsAdded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "s.md")
	if err := os.WriteFile(name, []byte("before\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	judged(t, header+samples(24, 1, op("A", 1)), header+samples(24, 2, op("A", 0.9)), "-summary", name)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n### Benchmarks: loss\n\n```\npkg: p\n", "LOSS\n", "(status 1)\n```\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestLossToDetect asks for so small a loss that the samples cannot show it.
func TestLossToDetect(t *testing.T) {
	base, head := header+samples(24, 1, op("A", 1)), header+samples(24, 2, op("A", 1))
	if status, out := judged(t, base, head, "-loss", "0.015"); status != 3 || !strings.Contains(out, "to see a loss of 1.5%") {
		t.Errorf("status %d, want 3 in\n%s", status, out)
	}
}

// TestHistory adds commits to a branch of a bare repository, one at a time, and judges each by
// those before. Each is 1 % slower than the one before, but as fast as its base.
func TestHistory(t *testing.T) {
	dir := t.TempDir()
	git := gittest.In(t, dir)
	bare, folder := filepath.Join(dir, "bare.git"), filepath.Join(dir, "history")
	git("init", "-q", "--bare", bare)
	git("init", "-q", "work")
	t.Chdir(filepath.Join(dir, "work"))
	command := func(status int, want string, args ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		have := run(&stdout, &stderr, args)
		if out := stdout.String() + stderr.String(); have != status || !strings.Contains(out, want) {
			t.Fatalf("%q: status %d, want %d with %q in\n%s", args, have, status, want, out)
		}
	}
	write := func(name string, commit int, speed float64) string {
		t.Helper()
		name = filepath.Join(dir, name)
		text := fmt.Sprintf("commit: %040x\ncommit-time: 2026-01-01T00:%02d:00Z\ndevice: cpu\n", commit, commit) + header + samples(32, uint64(commit), op("A", speed))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	lost, speed := 0, 1.0
	for i := 1; i <= 16 && lost == 0; i++ {
		speed *= 0.99
		base := write("base.txt", i-1, speed)
		head := write("head.txt", i, speed)
		switch {
		case i == 1:
			command(0, "history: no commit of this machine yet, nothing is judged by it\n", "-history", folder, base, head)
		case i == 5:
			command(0, "history: earlier commits of this machine: 4, want at least 11 for 1 benchmarks\n", "-history", folder, base, head)
		case i == 12:
			command(1, "1 of 1 benchmarks judged by 11 earlier commits of this machine", "-history", folder, base, head)
			command(0, "history: earlier commits of this machine: 7, want at least 11", "-history", folder, "-after", "2026-01-01T00:05:00Z", base, head)
			command(0, "history: no commit of this machine yet", "-history", folder, "-after", "2026-01-02T00:00:00Z", base, head)
			command(0, "no loss", base, head)
			lost = i
		}
		command(0, "linux-amd64-fast-cpu-", "add", bare, head)
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		git("clone", "-q", "--branch", "bench", bare, folder)
	}
	if lost == 0 {
		t.Error("the drift is not found")
	}

	head := filepath.Join(dir, "head.txt")
	command(0, "usage: gate add", "add", "-h")
	command(2, "after the flags, want remote file...", "add", bare)
	command(2, "no such file", "add", bare, head, filepath.Join(dir, "none.txt"))
	command(2, "absent", "add", filepath.Join(dir, "absent"), head)
	command(2, "flag provided but not defined", "add", "-x", bare, head)
	if err := os.WriteFile(head, []byte("panic: x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command(2, "head.txt:1: \"panic: x\": the run failed", "add", bare, head)
	command(2, "-history: have no such folder, want one, which may be empty", "-history", "none", head, head)
	command(2, "-after: parsing time", "-after", "yesterday", head, head)
}

func TestOtherRepositoriesStay(t *testing.T) { gittest.OthersStay(t, "^TestHistory$") }
