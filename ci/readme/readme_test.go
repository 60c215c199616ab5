package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/suite"
)

func TestREADMEIsCurrent(t *testing.T) {
	var out, err bytes.Buffer
	if status := run(&out, &err, []string{"-check"}); status != 0 {
		t.Errorf("status %d: %s", status, err.String())
	}
}

func TestFillReplacesSections(t *testing.T) {
	parts := []section{{"b", "new b\n"}, {"a", "new a\n\n"}}
	have, err := fill("x\n<!-- begin a -->\nold\n<!-- end a -->\ny\n<!-- begin b -->\n<!-- end b -->\n", parts)
	if err != nil {
		t.Fatal(err)
	}
	want := "x\n<!-- begin a -->\nnew a\n<!-- end a -->\ny\n<!-- begin b -->\nnew b\n<!-- end b -->\n"
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	again, err := fill(have, parts)
	if err != nil || again != have {
		t.Errorf("a second time: have %q, %v, want no change", again, err)
	}
}

func TestFillRefusesBadMarkers(t *testing.T) {
	const a = "<!-- begin a -->\n<!-- end a -->\n"
	for text, want := range map[string]string{
		"":                                     "have 0 lines",
		"<!-- begin a -->\n":                   "and 0 lines",
		a + a:                                  "have 2 lines",
		"<!-- end a -->\n<!-- begin a -->\n":   "ends before it begins",
		a + "<!-- begin b -->\n":               "section b: nothing generates it",
		"text <!-- begin a --> <!-- end a -->": "have 0 lines",
	} {
		_, err := fill(text, []section{{"a", "x"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: have %v, want an error with %q", text, err, want)
		}
	}
}

func TestEnvironmentListsEveryVariable(t *testing.T) {
	table := environment()
	if have, want := strings.Count(table, "\n"), len(suite.Variables())+2; have != want {
		t.Errorf("%d lines, want %d", have, want)
	}
	if !strings.Contains(table, "| `PUSHDOWN_THREADS` | 1 to 256 | 1 |") {
		t.Errorf("no line for PUSHDOWN_THREADS in\n%s", table)
	}
}

// repo makes a repository with a golden file and a README that is not current.
func repo(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	plant(t, root)
	return root
}

// plant makes the repository of repo in a folder.
func plant(t testing.TB, root string) {
	t.Helper()
	good, err := os.ReadFile(filepath.Join("..", "..", "harness", "golden", "testdata", "dyck.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module x\n", "golden/dyck/ci.txt": string(good), "golden/dyck/smoke.txt": "not looked at\n",
		"README.md": "# x\n<!-- begin results -->\n<!-- end results -->\n", "ci/README.md": "# y\n<!-- begin environment -->\n<!-- end environment -->\n",
		"suites/dyck/dyck_test.go":        "package dyck\n\nfunc TestWCPA(t *testing.T) { Suite.Run(t) }\n",
		"golden/dyck/figures/figure2.svg": "<svg/>",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunWritesAndChecks(t *testing.T) {
	root := repo(t)
	command := func(want int, complaint string, args ...string) string {
		t.Helper()
		var out, err bytes.Buffer
		if have := run(&out, &err, append(args, "-root", root)); have != want || !strings.Contains(err.String(), complaint) {
			t.Errorf("%v: status %d, %q, want %d and %q", args, have, err.String(), want, complaint)
		}
		return out.String()
	}
	command(1, "not current", "-check")
	printed := command(0, "")
	command(0, "", "-w")
	var written []byte
	for _, name := range []string{"golden/dyck/README.md", "golden/README.md", "golden/CLAIMS.md", "golden/numbers.csv", "README.md", "ci/README.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, text...)
	}
	if diff := cmp.Diff(printed, string(written)); diff != "" {
		t.Errorf("printed and written differ:\n%s", diff)
	}
	for _, want := range []string{
		"| 4-bounded Dyck-2 | Dyck-RNN | WCPA |", "Run it: `PUSHDOWN_SCALE=paper go test ./suites/dyck -run '^TestWCPA$' -v -timeout 0`",
		"![figure2](figures/figure2.svg)", "| resurgence | ", "| R07 | 5.4 |", "| `PUSHDOWN_STATE` |",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
	command(0, "", "-check")
	page := filepath.Join(root, "golden", "dyck", "README.md")
	if err := os.WriteFile(page, []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command(1, "golden/dyck/README.md is not current", "-check")
	command(0, "", "-w")
	if text, err := os.ReadFile(page); err != nil || !strings.HasPrefix(printed, string(text)) {
		t.Errorf("golden/dyck/README.md is not what was printed: %v", err)
	}
	command(2, "have both -w and -check", "-w", "-check")
	command(2, `have the arguments ["all"`, "-w", "all")
	command(2, "flag provided but not defined", "-x")

	if err := os.WriteFile(filepath.Join(root, "golden", "dyck", "ci.txt"), []byte("suite: dyck\nbroken\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command(1, "ci.txt:", "-w")
	if err := os.RemoveAll(filepath.Join(root, "golden")); err != nil {
		t.Fatal(err)
	}
	command(1, "no golden file", "-w")
	if kept, err := os.ReadFile(filepath.Join(root, "README.md")); err != nil || !strings.Contains(string(written), string(kept)) || len(kept) == 0 {
		t.Errorf("README.md after a failure: %v, %q, want it kept", err, kept)
	}
}
