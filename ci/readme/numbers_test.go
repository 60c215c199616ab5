package main

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"pushdown/ci/results"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// TestNumbersAreThoseOfTheOverview checks that numbers.csv has each printed number once, and as
// many of each outcome as the pages count.
func TestNumbersAreThoseOfTheOverview(t *testing.T) {
	root, err := results.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	suites, err := results.Goldens(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	r := verdict.NewResults(results.Files(suites)...)
	lines, err := csv.NewReader(strings.NewReader(r.CSV())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	_, counts := r.Count(func(papers.Key) string { return "" })
	want := counts[""]
	if len(lines) != want.Printed+1 {
		t.Errorf("have %d lines, want a header and %d", len(lines), want.Printed)
	}
	have := make(map[string]int)
	keys := make(map[string]bool)
	for _, line := range lines[1:] {
		of := make(map[string]string)
		for i, name := range lines[0] {
			of[name] = line[i]
		}
		have[of["outcome"]]++
		keys[strings.Join(line[:5], ":")] = true
		if (of["measured"] == "") != (of["n"] == "0") || (of["low"] == "") != (of["high"] == "") {
			t.Errorf("%v: has part of a result", line)
		}
		for _, name := range []string{"published", "measured", "low", "high"} {
			if _, err := strconv.ParseFloat(of[name], 64); err != nil && of[name] != "" {
				t.Errorf("%v: %s: %v", line, name, err)
			}
		}
	}
	if len(keys) != want.Printed {
		t.Errorf("have %d different numbers, want %d", len(keys), want.Printed)
	}
	for _, o := range golden.CellOutcomes() {
		if have[string(o)] != want.ByOutcome[o] {
			t.Errorf("%s: have %d, want %d", o, have[string(o)], want.ByOutcome[o])
		}
	}
	if have["shown"] != want.Shown || have["unfinished"] != want.Unfinished {
		t.Errorf("have %v, want %d shown and %d unfinished", have, want.Shown, want.Unfinished)
	}
}
