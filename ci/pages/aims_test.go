package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAims checks which lines of tables miss our aims: those just below, and none that reaches one of two.
func TestAims(t *testing.T) {
	text := read(t, filepath.Join("testdata", "measured.txt"))
	p, err := readPrintout("some/machine.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	line := func(c string) *comparisonLine {
		for _, table := range p.tables {
			for i := range table.lines {
				if l := &table.lines[i]; strings.Contains(l.words[0], c) {
					return l
				}
			}
		}
		t.Fatalf("have no line %s", c)
		return nil
	}
	check := func(what string, want ...string) {
		t.Helper()
		have, err := aimTable([]*printout{p})
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, want := range want {
			if want = "| machine | " + want + " |\n"; !strings.Contains(have, want) {
				t.Errorf("%s: have the table\n%swithout the line\n%s", what, have, want)
			}
		}
	}
	networks, jobs := "networks: 1.3 times the fastest peer or 88 per cent of the bound | ", "whole jobs: 3 times the fastest peer | "
	missed := "case=a/threads=1 (0.996 times, 50 per cent)"
	check("as it is", networks+"2 of 3 | "+missed, jobs+"0 of 2 | job=dyck/threads=1 (2.118 times), job=dyck/threads=2 (1.518 times)")

	a, h := line("case=a"), line("case=h")
	a.words[2] = "88"
	h.words[7], h.words[6] = "1.29-1.31", "1.300"
	h.words[5], h.words[4] = "246", "2300"
	check("at the bound, and at the ratio", networks+"3 of 3 | ")
	a.words[2] = "87.9"
	h.words[6] = "1.299"
	check("just below", networks+"1 of 3 | case=a/threads=1 (0.996 times, 87.9 per cent), case=h/threads=1 (1.299 times, 50 per cent)")
	a.words[2] = "-"
	check("without a bound", networks+"1 of 3 | case=a/threads=1 (0.996 times), case=h/threads=1 (1.299 times, 50 per cent)")

	a.words[0], a.words[2] = "Train/case=a/threads=2", "84.9"
	check("a large network on two threads", "large networks on two threads: 85 per cent of the bound | 0 of 1 | case=a/threads=2 (84.9 per cent)")
	a.words[2] = "85.0"
	check("a large network at its bound", "large networks on two threads: 85 per cent of the bound | 1 of 1 | ")
	a.words[6] = "none"
	if _, err := aimTable([]*printout{p}); err == nil || !strings.Contains(err.Error(), "some/machine.txt:") {
		t.Errorf("without a ratio: have the error %v, want one with the file and the line", err)
	}
}
