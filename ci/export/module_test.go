package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/suite"
	"pushdown/suites"
)

// TestOtherModule makes a module that uses this one, as ci/README.md says, with a cell of its own. It checks the cell with package
// celltest, trains it on strings of command export, and scores what it predicts.
func TestOtherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds another module")
	}
	program, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: ", err)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	command := func(args ...string) string {
		t.Helper()
		c := exec.Command(program, args...)
		c.Dir, c.Env = folder, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for from, to := range map[string]string{
		"ci/export/testdata/module/main.go": "main.go", "models/celltest/mgu/mgu.go": "mgu/mgu.go",
		"models/celltest/mgu/mgu_test.go": "mgu/mgu_test.go", "go.sum": "go.sum",
	} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(from)))
		if err == nil {
			err = os.MkdirAll(filepath.Join(folder, filepath.Dir(to)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, to), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	command("mod", "init", "example.org/mycell")
	command("mod", "edit", "-require=pushdown@v0.0.0", "-replace=pushdown="+root)
	command("mod", "tidy")
	command("test", "-short", "./...")

	data, file := filepath.Join(folder, "data"), filepath.Join(folder, "predictions.jsonl")
	if status, _, stderr := export("-suite", "dyck", "-row", "m4-baseline/task=reduced", "-scale", "ci", "-o", data); status != 0 {
		t.Fatal(stderr)
	}
	command("run", ".", data, file)
	_, row, err := exchange.Find(suites.All, "dyck", suite.CI, "m4-baseline/task=reduced")
	if err != nil {
		t.Fatal(err)
	}
	set, err := row.Exchange()
	if err != nil {
		t.Fatal(err)
	}
	digest, err := set.Digest()
	if err != nil {
		t.Fatal(err)
	}
	predictions, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer predictions.Close()
	p, err := exchange.Read(predictions, file, set, digest)
	if err != nil {
		t.Fatal(err)
	}
	values, err := set.Score(p)
	if err != nil || len(values) != len(set.Metrics) {
		t.Fatalf("have %v, %v, want %d values", values, err, len(set.Metrics))
	}
	if ppl := values[3]; ppl.Unit != "test-ppl" || !(ppl.Value > 2 && ppl.Value < 4.5) {
		t.Errorf("have %v, want a perplexity far below that of a guess among six symbols", ppl)
	}
}
