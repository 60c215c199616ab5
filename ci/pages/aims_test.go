package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestAims checks which rows meet our aims: those at a limit do, those just below do not.
func TestAims(t *testing.T) {
	const (
		networks = "networks: 1.3 times the fastest peer or 88 per cent of the bound | "
		large    = "large networks on two threads: 85 per cent of the bound | "
		jobs     = "whole jobs: 3 times the fastest peer | "
		products = "products: 0.97 times the fastest peer | "
		growth   = "networks of the group growth: 1.3 times the fastest peer or 88 per cent of the bound | "
	)
	for _, test := range []struct{ rows, want string }{ // a row has the name, the per cent of the bound, and the ratios to two peers
		{"Train/case=a/threads=1 50.0 1.300 2.000", networks + "1 of 1 | "},
		{"Train/case=a/threads=1 50.0 1.299 2.000", networks + "0 of 1 | case=a/threads=1 (1.299 times, 50.0 per cent)"},
		{"Train/case=b/threads=1 88.0 2.000 0.933", networks + "1 of 1 | "},
		{"Train/case=b/threads=1 87.9 2.000 0.933", networks + "0 of 1 | case=b/threads=1 (0.933 times, 87.9 per cent)"},
		{"Train/case=b/threads=1 - 0.933 1.400", networks + "0 of 1 | case=b/threads=1 (0.933 times, no bound)"},
		{"Train/case=d/threads=1 9.0 1.100 1.400\nTrain/case=d/threads=2 9.0 1.400 1.500\nTrain/case=j/threads=2 9.0 1.200 1.500",
			networks + "1 of 3 | case=d/threads=1 (1.100 times, 9.0 per cent), case=j/threads=2 (1.200 times, 9.0 per cent)"},
		{"Train/case=a/threads=2 85.0 1.400 1.400", networks + "1 of 1 | "},
		{"Train/case=a/threads=2 85.0 1.400 1.400", large + "1 of 1 | "},
		{"Train/case=l/threads=2 84.9 1.400 1.400", large + "0 of 1 | case=l/threads=2 (84.9 per cent)"},
		{"Train/case=c/threads=2 - 1.400 1.400", large + "0 of 1 | case=c/threads=2 (no bound)"},
		{"Job/job=dyck/threads=1 - 3.000 4.000", jobs + "1 of 1 | "},
		{"Job/job=dyck/threads=1 99.0 2.999 4.000", jobs + "0 of 1 | job=dyck/threads=1 (2.999 times)"},
		{"GEMM/m=1/k=2/n=3/trans=NN/threads=2 50.0 0.970 1.000", products + "1 of 1 | "},
		{"GEMM/m=1/k=2/n=3/trans=NN/threads=2 99.0 0.969 1.000", products + "0 of 1 | m=1/k=2/n=3/trans=NN/threads=2 (0.969 times)"},
		{"Grow/case=lstm/h=16/threads=2 87.9 1.299 1.000", growth + "0 of 1 | case=lstm/h=16/threads=2 (1.000 times, 87.9 per cent)"},
		{"Grow/case=lstm/h=16/threads=2 88.0 1.299 1.000", growth + "1 of 1 | "},
	} {
		have, err := aimTable([]*printout{aimed(t, test.rows)})
		if want := "| machine | " + test.want + " |\n"; err != nil || !strings.Contains(have, want) {
			t.Errorf("%q: have %v and the table\n%swithout the line\n%s", test.rows, err, have, want)
		}
	}

	const row = "Job/job=dyck/threads=1 - 3.000 4.000"
	have, err := aimTable([]*printout{aimed(t, row), aimed(t, row)})
	const line = "| machine | " + jobs + "1 of 1 |  |\n"
	if want := "| tables | aim | met | rows that miss it |\n| --- | --- | --- | --- |\n" + line + line; err != nil || have != want {
		t.Errorf("two files: have %v and\n%s, want\n%s", err, have, want)
	}
	for _, row := range []string{"Train/case=a/threads=1 90.0 1.300 1.300", "Train/case=b/threads=2 90.0 1.300 1.300"} { // not large, or not on two threads
		if have, err := aimTable([]*printout{aimed(t, row)}); err != nil || strings.Count(have, "| machine |") != 1 || !strings.Contains(have, networks) {
			t.Errorf("%q: have %v and\n%s, want the aim of networks only", row, err, have)
		}
	}
	for _, damaged := range []string{"Job/job=dyck/threads=1 x 3.000 4.000", "Job/job=dyck/threads=1 - none 9.000"} {
		if _, err := aimTable([]*printout{aimed(t, damaged)}); err == nil || !strings.Contains(err.Error(), "some/machine.txt:2:") {
			t.Errorf("%q: have the error %v, want one with the file and the line", damaged, err)
		}
	}

	// Each measured row has an aim.
	printouts, err := (&report{fsys: os.DirFS(repositoryRoot(t))}).readMeasured()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range printouts {
		for _, c := range p.tables {
			for _, l := range c.lines {
				if !slices.ContainsFunc(aims, func(a aim) bool { return a.benchmarks.MatchString(l.words[0]) }) {
					t.Errorf("%s:%d: %s: have no aim, want one", p.name, l.number, l.words[0])
				}
			}
		}
	}
}

// aimed returns a printout of rows.
func aimed(t *testing.T, rows string) *printout {
	t.Helper()
	text := "# tokens/s ours peak-% pytorch ratio range way jax ratio range way\n"
	for row := range strings.Lines(rows) {
		w := strings.Fields(row)
		text += fmt.Sprintf("%s 180 %s 100 %s 0.00-9.00 1,any 100 %s 0.00-9.00 1,any\n", w[0], w[1], w[2], w[3])
	}
	p, err := readPrintout("some/machine.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
