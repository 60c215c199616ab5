package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPagesAreCurrent(t *testing.T) { runs(t, 0, "", "-check") }

func TestFill(t *testing.T) {
	const page = "x\n<!-- begin a -->\nold\n<!-- end a -->\ny\n"
	want := strings.Replace(page, "old", "new", 1)
	for _, before := range []string{page, want} {
		if have, err := fill(before, "a", "new\n\n"); err != nil || have != want {
			t.Errorf("have %q, %v, want %q", have, err, want)
		}
	}
	const a = "<!-- begin a -->\n<!-- end a -->\n"
	for _, page := range []string{"", "<!-- begin a -->\n", a + a, "<!-- end a -->\n<!-- begin a -->\n", "<!-- begin a -->\n<!-- begin b -->\n<!-- end a -->\n", "text <!-- begin a --> <!-- end a -->"} {
		if _, err := fill(page, "a", "x"); err == nil || !strings.Contains(err.Error(), "want a line <!-- begin a -->") {
			t.Errorf("%q: have %v, want an error that names the lines", page, err)
		}
	}
}

func TestRunWritesAndChecks(t *testing.T) {
	root := planted(t)
	command := func(want int, complaint string, args ...string) {
		runs(t, want, complaint, append(args, "-root", root)...)
	}
	command(1, "not current", "-check")
	command(0, "", "-w")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("golden/dyck/README.md")
	all := page
	for _, name := range []string{"golden/README.md", "golden/CLAIMS.md", "golden/numbers.csv", "README.md", "ci/README.md", "ci/baselines/README.md"} {
		all += read(name)
	}
	wants(t, all,
		"| 4-bounded Dyck-2 | Dyck-RNN | WCPA |", "Run it: `PUSHDOWN_SCALE=paper go test ./suites/dyck -run '^TestWCPA$' -v -timeout 0`",
		"![figure2](figures/figure2.svg)", "| resurgence | ", "| R07 | 5.4 |", "| `PUSHDOWN_STATE` |",
		"| some | whole jobs: 3 times the fastest peer | 0 of 2 |", "| Train/case=a/threads=1 | 1000 |",
	)
	command(0, "", "-check")
	write(t, root, "golden/dyck/README.md", "old\n")
	command(1, "golden/dyck/README.md: not current", "-check")
	command(0, "", "-w")
	if have := read("golden/dyck/README.md"); have != page {
		t.Errorf("golden/dyck/README.md: have\n%swant\n%s", have, page)
	}
	for _, name := range []string{"suites/syneval/sample/a.tsv", "golden/dyck/smoke.txt", "golden/papers/tables/stack-rnn_table3.csv"} {
		write(t, root, name, "changed\n") // a page shows none of them
		command(1, "golden/sums.txt: not current", "-check")
		command(0, "", "-w")
		wants(t, read("golden/sums.txt"), "  "+name+"\n")
	}
	kept := read("README.md")
	write(t, root, "golden/dyck/ci.txt", "suite: dyck\nbroken\n")
	command(1, "ci.txt:", "-w")
	if err := os.RemoveAll(filepath.Join(root, "golden")); err != nil {
		t.Fatal(err)
	}
	command(1, "no golden file", "-w")
	if have := read("README.md"); have != kept {
		t.Errorf("README.md after a failure: have\n%swant\n%s", have, kept)
	}
}
