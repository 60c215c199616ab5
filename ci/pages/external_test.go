package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/exchange"
)

// TestExternalIsShownAndNotCounted adds a kept result of a model made elsewhere to a repository. It stands
// on the pages of its table, and no count changes.
func TestExternalIsShownAndNotCounted(t *testing.T) {
	root := planted(t)
	runs(t, 0, "", "-w", "-root", root)
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	counted := []string{"golden/numbers.csv", "golden/README.md", "golden/CLAIMS.md", "README.md"}
	var before []string
	for _, name := range counted {
		before = append(before, read(name))
	}
	e := &exchange.External{
		Suite: "dyck", Row: "paper=resurgence/table=2/row=dyck-m4", Data: strings.Repeat("0", 64), Contract: 1, Commit: "unknown", Date: "2026-01-31",
		Who: "A. Nonymous", Framework: "PyTorch", Link: "https://example.org/", Runs: []exchange.ExternalRun{{Predictions: strings.Repeat("1", 64), Values: map[string]float64{"test-wcpa-%": 12.5}}},
	}
	text, err := e.Text()
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "golden/external/mine.json", string(text))
	runs(t, 0, "", "-w", "-root", root)
	for i, name := range counted {
		if read(name) != before[i] {
			t.Errorf("%s: have another text with an external result, want the same", name)
		}
	}
	wants(t, read("golden/dyck/README.md"), "\n*External*, not bit-checked and not counted: resurgence, table 2, dyck-m4, with PyTorch, by A. Nonymous, scored on 2026-01-31 ([model](https://example.org/)).\nto print: what their runs say of the printed number, by the rules for ours; p: how often chance alone parts means as much, counted over all divisions of ours and theirs into two groups of these sizes, or over 10,000; each line is a test of its own, so a small number among many lines says little; few runs have none.\n\n| metric | printed | ours | interval | theirs | to print | p |\n", "| test WCPA in % | 100 | 100 (n=5) | - | 12.5 (n=1) | open (runs) | - |\n")
	site := filepath.Join(t.TempDir(), "site")
	runs(t, 0, "", "-o", site, "-root", root)
	page, err := os.ReadFile(filepath.Join(site, "tables", "resurgence-table2.html"))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, string(page), `<h2 id="external">External</h2>`, "<td>12.5 (n=1)</td>", `<a href="https://example.org/">model</a>`)
	write(t, root, "golden/external/mine.json", strings.Replace(string(text), "test-wcpa-%", "wcpa", 1))
	runs(t, 1, `golden/external/mine.json: run 1: values: have "wcpa"`, "-check", "-root", root)
}
