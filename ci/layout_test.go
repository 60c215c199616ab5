package ci

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
)

// top is everything at the top of the repository but dot-files.
var top = []string{
	"suites", "models", "corpora", "golden", "harness", "ci",
	"go.mod", "go.sum", "README.md", "doc.go", "bench_test.go", "LICENSE",
}

// misplaced compares the top level with the list.
func misplaced(tr *tree) []string {
	var wrong, have []string
	for _, p := range tr.paths {
		first, _, _ := strings.Cut(p, "/")
		if !strings.HasPrefix(first, ".") && !slices.Contains(have, first) {
			have = append(have, first)
		}
	}
	for _, name := range have {
		if !slices.Contains(top, name) {
			wrong = append(wrong, fmt.Sprintf("%s: not at the top level, want only %s", name, strings.Join(top, " ")))
		}
	}
	for _, name := range top {
		if !slices.Contains(have, name) {
			wrong = append(wrong, fmt.Sprintf("%s: missing at the top level", name))
		}
	}
	return wrong
}

// machinePath is a path that means something on one machine only.
var machinePath = regexp.MustCompile(`(^|[^\w.)}*])/(home|root|Users|work|mnt|opt|var/folders|tmp)/\w`)

// machinePaths lists the lines that name one. Fuzzing corpora may hold anything.
func machinePaths(tr *tree) ([]string, error) {
	var wrong []string
	for _, p := range tr.paths {
		if strings.Contains(p, "testdata/fuzz/") {
			continue
		}
		text, err := fs.ReadFile(tr.fsys, p)
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		n := 0
		for line := range bytes.Lines(text) {
			n++
			if m := machinePath.Find(line); m != nil {
				wrong = append(wrong, fmt.Sprintf("%s:%d: a path of one machine, %q", p, n, m))
			}
		}
	}
	return wrong, nil
}

// strayGoldens lists golden files that do not parse, and those whose place is
// not that of their suite and scale.
func strayGoldens(tr *tree) ([]string, error) {
	files, err := fs.Glob(tr.fsys, "golden/*/*.txt")
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, name := range files {
		if strings.Contains(name, "/testdata/") {
			continue
		}
		f, err := golden.ReadFS(tr.fsys, name)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if want := path.Join("golden", f.Suite, golden.FileName(f.Scale)); name != want {
			wrong = append(wrong, fmt.Sprintf("%s: of suite %s at scale %s, want it to be %s", name, f.Suite, f.Scale, want))
		}
	}
	return wrong, nil
}

func TestTopLevelIsAsDesigned(t *testing.T) { hold(t, misplaced(ours(t))) }

func TestMisplacedFilesAreFound(t *testing.T) {
	files := []string{".ci/run", "", "scripts/x", "", "x.txt", ""}
	for _, name := range top[:len(top)-1] {
		if !strings.Contains(name, ".") {
			name += "/x"
		}
		text := ""
		if strings.HasSuffix(name, ".go") {
			text = "package x\n"
		}
		files = append(files, name, text)
	}
	finds(t, misplaced(made(t, files...)), "scripts: not at the top level", "x.txt: not at the top level", "LICENSE: missing")
}

func TestNoFileNamesAMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads every file: go test ./ci -run NoFileNamesAMachine")
	}
	wrong, err := machinePaths(ours(t))
	if err != nil {
		t.Fatal(err)
	}
	hold(t, wrong)
}

func TestMachinePathsAreFound(t *testing.T) {
	slash := "/"
	tr := made(t,
		"a", "one\ntwo "+slash+"home/somebody/x\n",
		"b", slash+"work/x",
		"c", "example.org/home/x ./work/y a/root/b $HOME/tmp/x\n",
		"testdata/fuzz/F/x", slash+"root/x",
		"d", "\x00"+slash+"root/x",
	)
	wrong, err := machinePaths(tr)
	if err != nil {
		t.Fatal(err)
	}
	finds(t, wrong, "a:2: a path of one machine", "b:1: a path of one machine")
}

func TestGoldenFilesParse(t *testing.T) {
	wrong, err := strayGoldens(ours(t))
	if err != nil {
		t.Fatal(err)
	}
	hold(t, wrong)
}

func TestStrayGoldenFilesAreFound(t *testing.T) {
	good := read(t, ours(t), "harness/golden/testdata/dyck.txt")
	before, after, _ := strings.Cut(good, "From 1\nTrajectory")
	_, verdicts, _ := strings.Cut(after, "\n\n")
	wrong, err := strayGoldens(made(t, "golden/dyck/ci.txt", good, "golden/dyck/paper.txt", good, "golden/dyck/smoke.txt", good[:len(good)/2],
		"golden/dyck/paper-scale.txt", before+verdicts, "golden/dyck/digests/x.txt", "suite: dyck\n"))
	if err != nil {
		t.Fatal(err)
	}
	finds(t, wrong, "golden/dyck/digests/x.txt:", "golden/dyck/paper.txt: of suite dyck at scale ci, want it to be golden/dyck/ci.txt", "golden/dyck/smoke.txt:")
}
