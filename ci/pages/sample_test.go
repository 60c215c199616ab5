package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

// TestSampleIsOutput checks that README.md shows lines of the table with which its first command
// ends. The run is the one that the golden file has on record.
func TestSampleIsOutput(t *testing.T) {
	root := repositoryRoot(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := golden.Read(filepath.Join(root, "golden", "dyck", "ci.txt"))
	if err != nil {
		t.Fatal(err)
	}
	r := verdict.NewResults([]*golden.File{f}, suites.Measures()...)
	run := &golden.Run{Suite: f.Suite, Scale: f.Scale, Units: f.Units}
	for _, row := range f.Rows {
		if strings.HasPrefix(string(row.Name), "paper=resurgence/table=2/") {
			row.Origin = golden.Origin{}
			run.Rows = append(run.Rows, row)
		}
	}
	rest, shown := verdict.Table(r, f, run), 0
	_, sample, _ := strings.Cut(string(readme), "\n    "+output)
	sample, _, _ = strings.Cut("    "+output+sample, "\n\n")
	for line := range strings.SplitSeq(sample, "\n") {
		if line = strings.TrimPrefix(line, "    "); line == "..." {
			continue
		}
		_, after, ok := strings.Cut("\n"+rest, "\n"+line+"\n")
		if !ok {
			t.Fatalf("README.md: have the line %q, want lines of this table in their order:\n%s", line, verdict.Table(r, f, run))
		}
		rest = after
		shown++
	}
	if shown < 5 {
		t.Errorf("README.md: have %d lines of the table, want at least 5", shown)
	}
}
