package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSpeed(t *testing.T) {
	s, err := readSpeed(t.TempDir(), []string{filepath.Join("testdata", "commits.txt"), filepath.Join("testdata", "baselines.txt")})
	if err != nil {
		t.Fatal(err)
	}
	one, two, file := point{Commit: strings.Repeat("1", 40), Machine: 1}, point{Commit: strings.Repeat("2", 40), Machine: 1}, point{File: "baselines.txt"}
	if !slices.Equal(s.Points, []point{one, two, file}) || s.InHistory {
		t.Errorf("points: have %v, want both commits and the file, in the order of the files", s.Points)
	}
	var names []string
	for _, b := range s.Benchmarks {
		names = append(names, b.Name+" "+b.Unit)
	}
	if want := []string{"Train/case=d/threads=1 tokens/s", "Train/model=x ns/row", "Gates ns/op", "Train/case=e/threads=1 tokens/s"}; !slices.Equal(names, want) {
		t.Fatalf("have %q, want %q", names, want)
	}
	d, gates := s.Benchmarks[0], s.Benchmarks[2]
	for _, c := range []struct {
		what       string
		have, want any
	}{
		{"higher", d.Higher, true}, {"lower", gates.Higher, false},
		{"bound of a rate", first(d.bound(one)), 5000.0}, {"bound of a time", first(gates.bound(two)), 3.75}, {"bound of the table", first(d.bound(file)), float64(4501353*100) / 33.2},
		{"median", first(median(d.ours[one])), 1050.0}, {"peer", d.peers[file]["pytorch"][0], 176379.0}, {"peer by its line", gates.peers[two]["other"][0], 15.0},
		{"machine", s.machine(two.Machine), "A"},
	} {
		if c.have != c.want {
			t.Errorf("%s: have %v, want %v", c.what, c.have, c.want)
		}
	}
	v := s.view()
	chart := v.Charts[0]
	if len(chart.Line) != 2 || len(chart.Dots) != 4 || len(chart.Peer) != 1 {
		t.Errorf("have %d pieces, %d dots and %d peers, want the commits, the file apart, 4 dots and 1 peer", len(chart.Line), len(chart.Dots), len(chart.Peer))
	}
	if l := chart.Lines[2]; l.Ours != "4,501,353" || l.Peers[0] != "176,379" || l.Ratios[0] != "25.52" {
		t.Errorf("have %+v, want our speed, the peer's and their ratio", l)
	}
	if l := v.Charts[2].Lines[0]; l.Ratios[0] != "2" {
		t.Errorf("have a ratio of %s to the peer, want 2: it takes twice the time", l.Ratios[0])
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
		name := filepath.Join(t.TempDir(), "x.txt")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readSpeed(t.TempDir(), []string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: have %v, want an error with %q", text, err, want)
		}
	}
	name := filepath.Join("testdata", "commits.txt")
	if _, err := readSpeed(t.TempDir(), []string{name, name}); err == nil || !strings.Contains(err.Error(), "have it twice") {
		t.Errorf("one file twice: have %v, want an error", err)
	}
}

// TestFilesOfOneName checks that files with the same name in two folders are two points, and
// that a label has whole letters.
func TestFilesOfOneName(t *testing.T) {
	var names []string
	for _, folder := range []string{"one", "two"} {
		name := filepath.Join(t.TempDir(), folder, "measurements-é.txt")
		if err := errors.Join(os.Mkdir(filepath.Dir(name), 0o777), os.WriteFile(name, []byte("BenchmarkA 1 5 ns/op\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	s, err := readSpeed(t.TempDir(), names)
	if err != nil {
		t.Fatal(err)
	}
	if want := []point{{File: names[0], Machine: 1}, {File: names[1], Machine: 1}}; !slices.Equal(s.Points, want) {
		t.Errorf("have %v, want %v", s.Points, want)
	}
	if have := (point{File: "measurement-éa.txt"}).Label(); have != "measurement-éa" {
		t.Errorf("label: have %q, want %q", have, "measurement-éa")
	}
}

// TestHistory checks that commits are in the order of git's history, whatever the order of the
// file.
func TestHistory(t *testing.T) {
	root, commits := history(t)
	name := filepath.Join(t.TempDir(), "x.txt")
	text := "BenchmarkA 1 5 ns/op\n"
	for _, c := range []int{2, 0, 1} {
		text += "commit: " + commits[c] + "\nBenchmarkA 1 5 ns/op\n"
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := readSpeed(root, []string{name})
	if err != nil {
		t.Fatal(err)
	}
	want := []point{{Commit: commits[0], Machine: 1}, {Commit: commits[1], Machine: 1}, {Commit: commits[2], Machine: 1}, {File: "x.txt", Machine: 1}}
	if !slices.Equal(s.Points, want) || !s.InHistory {
		t.Errorf("have %v, want %v", s.Points, want)
	}
	if err := os.WriteFile(name, []byte(text+"commit: "+strings.Repeat("0", 40)+"\nBenchmarkA 1 5 ns/op\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if s, err = readSpeed(root, []string{name}); err != nil || s.InHistory {
		t.Errorf("with a commit that is not in the history: have %v, %v, want the order of the file", s, err)
	}
}

func TestRounded(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 5: "5", 1.23456: "1.235", 12.3456: "12.35", 999.94: "999.9", 123456.7: "123,457", 1234567: "1,234,567", 0.00123456: "0.001235"} {
		if have := rounded(v); have != want {
			t.Errorf("%v: have %s, want %s", v, have, want)
		}
	}
}
