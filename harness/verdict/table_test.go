package verdict

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

func TestTable(t *testing.T) {
	run := dyck(t)
	run.Rows = run.Rows[:2]
	g := filed(t, dyck(t))
	have := strings.Split(Table(g, run), "\n")
	want := []string{
		"row                                   metric       paper  golden                run                    verdict",
		"paper=resurgence/table=2/row=dyck-m4  epochs       4      4.0469 ± 0.025 (n=5)  4.0234 ± 0.011 (n=2)   matches",
		"paper=resurgence/table=2/row=dyck-m4  params       5      5 (n=5)               5 (n=2)                matches",
		"paper=resurgence/table=2/row=dyck-m4  test-wcpa-%  100    100 (n=5)             100 (n=2)              matches",
		"paper=resurgence/table=2/row=dyck-m4  train-min    3      0.1875 ± 0.099 (n=5)  0.09375 ± 0.044 (n=2)  shown",
	}
	if d := cmp.Diff(want, have[:len(want)]); d != "" {
		t.Errorf("table (-want +have)\n%s", d)
	}
	if key := strings.Join(have[len(have)-3:], "\n"); key != rowKey+claimKey {
		t.Errorf("last lines: have %q, want %q", key, rowKey+claimKey)
	}
	if last, want := have[len(have)-4], "R13                                                holds                                               holds (true in 10000 of 10000 draws from our runs)"; last != want {
		t.Errorf("last line: have %q, want %q", last, want)
	}
	if alone := Table(g, nil); strings.Contains(strings.SplitN(alone, "\n", 2)[0], "run") {
		t.Errorf("table without a run has its column:\n%s", alone)
	}
	if alone := Table(nil, run); !strings.Contains(alone, "4.0234") {
		t.Errorf("table without a golden file lacks the run:\n%s", alone)
	}
}

// TestTableHasTheClaimsOfItsRun checks that a table has only claims that depend on groups that
// ran, and that a run without rows, of which only digests are compared, has no table.
func TestTableHasTheClaimsOfItsRun(t *testing.T) {
	g := filed(t, dyck(t))
	claims := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			if word, _, _ := strings.Cut(line, " "); len(word) == 3 && word[0] == 'R' {
				list = append(list, word)
			}
		}
		return list
	}
	for group, want := range map[golden.Name][]string{m4: {"R07", "R13"}, oneDim: {"R09"}, "": nil} {
		run := dyck(t)
		run.Rows = g.Seeds(group)
		have := Table(g, run)
		if d := cmp.Diff(want, claims(have)); d != "" || (have == "") != (group == "") || strings.Contains(have, claimKey) != (want != nil) {
			t.Errorf("%s: claims (-want +have)\n%sof the table\n%s", group, d, have)
		}
	}
	if have := claims(Table(g, nil)); len(have) != 3 {
		t.Errorf("without a run: have claims %v, want all three", have)
	}
}

// TestTableOfTrials checks that a table has two lines if the paper prints both the mean and
// the best of several runs in the same unit.
func TestTableOfTrials(t *testing.T) {
	f := file(golden.Unit{Name: "test-acc-%", Better: "higher"}, map[golden.Name][]float64{"paper=diffstk/table=1/row=lstm": {1, 2, 6}})
	have := strings.Split(strings.TrimSpace(Table(f, nil)), "\n")[1:3]
	want := []string{
		"paper=diffstk/table=1/row=lstm  test-acc-% (mean of 10)  1.40   3 ± 2.6 (n=3)  -",
		"paper=diffstk/table=1/row=lstm  test-acc-% (best of 10)  4.00   6 (n=3)        -",
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("lines (-want +have)\n%s", d)
	}
}

// TestPublishedText checks that published numbers have the printed precision.
func TestPublishedText(t *testing.T) {
	for key, want := range map[string]string{
		"[resurgence:2:dyck-m4:wcpa_percent:test]":                         "100",
		"[resurgence:3:cut25-lstm-1:bpc:test]":                             "1.591",
		"[resurgence:3:cut25-lstm-1:parameters:reported]":                  "4500000",
		"[second-order-lstm:2:wt2-baseline:ppl:valid]":                     "157.0",
		"[second-order-lstm:1:m4-attention2:wcpa:valid]":                   "99.4",
		"[second-order-lstm:1:m4-baseline:parameters_as_printed:reported]": "2100",
		"[diffstk:1:lstm:accuracy_percent:test_mean]":                      "1.40",
	} {
		if have := inUnit(cell(t, key)); have != want {
			t.Errorf("%s: have %s, want %s", key, have, want)
		}
	}
}

// TestVariant checks the lines of runs with a task that the paper does not have.
// The lines show the paper's numbers for the row without the task, and the outcome
// that the runs would have, but no verdict is stored. At another scale, such runs
// are not compared.
func TestVariant(t *testing.T) {
	const row, other = golden.Name("paper=diffstk/table=1/row=lstm"), golden.Name("paper=diffstk/table=1/row=lstm/task=late-cuts")
	for scale, want := range map[string][]string{
		"paper": {"1.40 | matches", "4.00 | open (runs)", "1.40 | variant: differs (better)", "4.00 | variant: open (runs)"},
		"ci":    {"1.40 | matches", "4.00 | open (runs)", "- | -"},
	} {
		f := file(golden.Unit{Name: "test-acc-%", Better: "higher"}, map[golden.Name][]float64{row: {1, 1.4, 1.8}, other: {8, 8.1, 8.2}})
		f.Scale = scale
		if err := judge(f, golden.Judge{Groups: []golden.Name{row, other}}, published()); err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, l := range sideBySide(f, new(golden.File)) {
			have = append(have, l.paper+" | "+l.verdict)
		}
		if d := cmp.Diff(want, have); d != "" || len(f.Verdicts) != 6 { // tables 1, 7 and 8
			t.Errorf("scale %s: %d verdicts, want 6; lines (-want +have)\n%s", scale, len(f.Verdicts), d)
		}
	}
}

// TestBenchstat checks that benchstat shows golden file and run side by side.
func TestBenchstat(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a command: not under -short")
	}
	ran := filepath.Join(t.TempDir(), "run.txt")
	run := dyck(t)
	for seed := 1; seed <= 5; seed++ {
		set(t, run, m4.WithSeed(seed), "test-wcpa-%", 50)
	}
	if err := golden.Write(ran, run.File()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "benchstat", "-table", "suite", "-row", ".name,/paper,/table,/section,/row", "-ignore", "/seed",
		"-filter", ".unit:(test-wcpa-% OR params)", "-format", "csv",
		"golden="+example, "run="+ran)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("benchstat: %v\n%s", err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) { // benchstat exits with status 0 even after errors
		if !strings.Contains(line, "need >= ") && !strings.Contains(line, "all samples are equal") && !strings.HasPrefix(line, "go: downloading ") {
			t.Errorf("benchstat complains: %s", line)
		}
	}
	var have [][]string
	for line := range strings.Lines(out.String()) {
		if field := strings.Split(strings.TrimSpace(line), ","); len(field) > 3 {
			have = append(have, []string{field[0], field[1], field[3]})
		}
	}
	for _, want := range [][]string{
		{"Train resurgence 2 dyck-m4", "5", "5"},
		{"Train resurgence 2 dyck-m4", "100", "50"},
		{"Train resurgence 2 dyck-m8", "100", "100"},
		{"Train resurgence 6.2 dyck-m4-1d", "40.5", "40.5"},
	} {
		found := false
		for _, line := range have {
			found = found || cmp.Equal(line, want)
		}
		if !found {
			t.Errorf("benchstat: have no line with %v:\n%s", want, &out)
		}
	}
}
