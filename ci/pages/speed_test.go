package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSpeed(t *testing.T) {
	s, err := readSpeed([]string{filepath.Join("testdata", "commits.txt"), filepath.Join("testdata", "baselines.txt")})
	if err != nil {
		t.Fatal(err)
	}
	one, two, file := point{Commit: strings.Repeat("1", 40), Machine: 1}, point{Commit: strings.Repeat("2", 40), Machine: 1}, point{File: filepath.Join("testdata", "baselines.txt")}
	if !slices.Equal(s.Points, []point{one, two, file}) {
		t.Errorf("points: have %v, want both commits and the file, in the order of the files", s.Points)
	}
	var names []string
	for _, b := range s.Benchmarks {
		names = append(names, b.Name+" "+b.Unit)
	}
	if want := []string{"Train/case=d/threads=1 tokens/s", "Train/model=x ns/row", "Gates ns/op", "Train/case=e/threads=1 tokens/s", "Job/job=dyck/threads=1 updates/s"}; !slices.Equal(names, want) {
		t.Fatalf("have %q, want %q", names, want)
	}
	d, gates := s.Benchmarks[0], s.Benchmarks[2]
	for _, c := range []struct {
		what       string
		have, want any
	}{
		{"higher", d.Higher, true}, {"lower", gates.Higher, false},
		{"bound of a rate", first(d.bound(one)), 5000.0}, {"bound of a time", first(gates.bound(two)), 3.75}, {"bound of the table", first(d.bound(file)), float64(4501353*100) / 33.2},
		{"median", first(d.median(one, ours)), 1050.0}, {"peer", first(d.median(file, "pytorch")), 176379.0}, {"second peer", first(s.Benchmarks[4].median(file, "jax")), 110.0}, {"peer by its line", first(gates.median(two, "other")), 15.0},
		{"machine", s.machine(two.Machine), "A"},
	} {
		if c.have != c.want {
			t.Errorf("%s: have %v, want %v", c.what, c.have, c.want)
		}
	}
	charts := s.Charts()
	chart := charts[0]
	if len(chart.Line) != 2 || len(chart.Dots) != 4 || len(chart.Peer) != 1 {
		t.Errorf("have %d pieces, %d dots and %d peers, want the commits, the file apart, 4 dots and 1 peer", len(chart.Line), len(chart.Dots), len(chart.Peer))
	}
	if l := chart.Lines[2]; l.Ours != "4501353" || l.Peers[0] != "176379" || l.Ratios[0] != "25.521" {
		t.Errorf("have %+v, want our speed, the peer's and their ratio", l)
	}
	if l := charts[2].Lines[0]; l.Ratios[0] != "2" {
		t.Errorf("have a ratio of %s to the peer, want 2: it takes twice the time", l.Ratios[0])
	}
}

// TestSpeedWithoutATime checks that commits stay in the order of their files if one of them has no time.
func TestSpeedWithoutATime(t *testing.T) {
	root, text := t.TempDir(), ""
	for i, when := range []string{" 2026-01-05T00:00:00Z", "", " 2026-01-01T00:00:00Z"} {
		text += fmt.Sprintf("commit: %040x\ncommit-time:%s\nBenchmarkA 1 5 ns/op\n", i, when)
	}
	write(t, root, "x.txt", text)
	s, err := readSpeed([]string{filepath.Join(root, "x.txt")})
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, p := range s.Points {
		have = append(have, p.Commit[39:])
	}
	if s.ByTime || strings.Join(have, "") != "012" {
		t.Errorf("have commits %v, by time %v, want 0, 1 and 2 in the order of the file", have, s.ByTime)
	}
}

func first(v float64, ok bool) any {
	if !ok {
		return "none"
	}
	return v
}

func TestSpeedRefuses(t *testing.T) {
	for want, text := range map[string]string{
		"have no benchmark result":                "nothing\n",
		"parsing iteration count":                 "BenchmarkX y 1 ns/op\n",
		"x.txt:2: ours: have \"fast\"":            "# tokens/s ours peak-% MB\nTrain/x fast 1 2\n",
		"x.txt:2: have +Inf ns/op, want a finite": "BenchmarkX 1 1 ns/op\nBenchmarkX 1 +Inf ns/op\n",
		"x.txt:2: ours: have \"NaN\"":             "# tokens/s ours peak-% MB\nTrain/x NaN 1 2\n",
		"x.txt:2: have 6 words, want at most":     "# tokens/s ours peak-% MB\nTrain/x 1 1 2 3 4\n",
		"x.txt:2: have 2 words, want at most the": "# tokens/s ours peak-% MB\nTrain/x 1\n",
	} {
		root := t.TempDir()
		write(t, root, "x.txt", text)
		if _, err := readSpeed([]string{filepath.Join(root, "x.txt")}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: have %v, want an error with %q", text, err, want)
		}
	}
}

func TestLabel(t *testing.T) {
	if have := (point{File: "one/measurement-éa.txt"}).Label(); have != "measurement-éa" {
		t.Errorf("have %q, want the name of the file, in whole letters", have)
	}
}

// TestMachines reads a folder with the results of three machines. Each machine has a line of
// its own, and names as short as they can be.
func TestMachines(t *testing.T) {
	commits := []string{strings.Repeat("3", 40), strings.Repeat("1", 40), strings.Repeat("2", 40)}
	folder := filepath.Join(t.TempDir(), "bench")
	text := func(commit int, machine string, speed int) string {
		return fmt.Sprintf("commit: %s\ncommit-time: 2026-01-0%dT00:00:00Z\nround: %d\ngoos: linux\n%sBenchmarkA 1 %d tokens/s\n", commits[commit], commit+1, speed, machine, speed)
	}
	const one, two, three = "cpu: A\ndevice: cpu/avx2\n", "cpu: A\ndevice: cpu/avx512\n", "cpu: B\ndevice: cpu/avx2\n"
	for name, data := range map[string]string{
		"a/1.txt": text(2, one, 13), "a/2.txt": text(0, one, 11), "a/3.txt": text(1, one, 12), "b/1.txt": text(0, two, 21), "b/2.txt": text(2, two, 23), "c/1.txt": text(1, three, 32),
		"README.md": "no benchmark\n", "../beside.txt": text(1, three, 99),
	} {
		write(t, folder, name, data)
	}
	s, err := readSpeed([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Benchmarks) != 1 || len(s.Points) != 6 || !s.ByTime || s.Points[0].Commit != commits[0] || !slices.Equal(s.Files, []string{"bench (6 files)"}) {
		t.Fatalf("have %d benchmarks, points %v, files %q, want one benchmark at 6 points of 6 files", len(s.Benchmarks), s.Points, s.Files)
	}
	link := filepath.Join(filepath.Dir(folder), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Logf("no link to the folder is tried: %v", err)
	} else if linked, err := readSpeed([]string{link}); err != nil || !slices.Equal(linked.Points, s.Points) || !slices.Equal(linked.Files, []string{"link (6 files)"}) {
		t.Errorf("a link to the folder: have %+v, %v, want the points of the folder", linked, err)
	}
	t.Chdir(filepath.Join(folder, "a"))
	if parent, err := readSpeed([]string{".."}); err != nil || !slices.Equal(parent.Points, s.Points) {
		t.Errorf("the folder as the parent of a folder: have %+v, %v, want the points of the folder", parent, err)
	}
	c := s.Charts()[0]
	var have []string
	for _, l := range c.Lines {
		have = append(have, fmt.Sprint(l.Point == commits[0][:8], l.Point == commits[1][:8], l.Ours, " ", l.Machine, l.Colour))
	}
	if want := []string{
		"true false11 A, device cpu/avx20", "true false21 A, device cpu/avx5121",
		"false true12 A, device cpu/avx20", "false true32 B, device cpu/avx22",
		"false false13 A, device cpu/avx20", "false false23 A, device cpu/avx5121",
	}; !slices.Equal(have, want) {
		t.Errorf("have lines %q, want %q", have, want)
	}
	if len(c.Line) != 3 || len(c.Line[0].corners)-1 != 2 || len(c.Line[1].corners)-1 != 1 || len(c.Across) != 3 || len(c.Dots) != 6 {
		t.Errorf("have %d lines %v, %d labels and %d dots, want 3 lines, the first over 3 commits, 3 labels and 6 dots", len(c.Line), c.Line, len(c.Across), len(c.Dots))
	}
	if c.Dots[0].X != c.Dots[1].X || c.Dots[0].Colour == c.Dots[1].Colour {
		t.Errorf("have %v and %v, want two machines at one commit", c.Dots[0], c.Dots[1])
	}
	empty := t.TempDir()
	if _, err := readSpeed([]string{empty}); err == nil || !strings.Contains(err.Error(), "have no file *.txt in this folder") {
		t.Errorf("an empty folder: have %v, want an error", err)
	}
}

// TestLongHistory checks that the page has the newest commits only, and a dot for each median
// where there are very many results.
func TestLongHistory(t *testing.T) {
	var text strings.Builder
	const commits = mostCommits + 5
	for i := range commits {
		fmt.Fprintf(&text, "commit: %040x\ncommit-time: %s\n", i, time.Date(2026, 1, 1, 0, commits-i, 0, 0, time.UTC).Format(time.RFC3339))
		text.WriteString(strings.Repeat("BenchmarkA 1 5 ns/op\n", 9))
		if i == commits-1 { // the oldest
			text.WriteString("BenchmarkOld 1 5 ns/op\n")
		}
	}
	root := t.TempDir()
	write(t, root, "x.txt", "BenchmarkA 1 5 ns/op\n"+text.String())
	s, err := readSpeed([]string{filepath.Join(root, "x.txt")})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Points) != mostCommits+1 || s.Left != 5 || s.Points[0].Commit != fmt.Sprintf("%040x", mostCommits-1) || s.Points[mostCommits].Commit != "" || len(s.Benchmarks) != 1 {
		t.Errorf("have %d points from %v, %d left out, %d benchmarks, want the newest %d", len(s.Points), s.Points[0], s.Left, len(s.Benchmarks), mostCommits)
	}
	if c := s.Charts()[0]; len(c.Dots) != mostCommits+1 || len(c.Lines) != mostCommits+1 || c.Lines[0].Samples != 9 {
		t.Errorf("have %d dots and %d lines, want one for each commit and the file", len(c.Dots), len(c.Lines))
	}
}
