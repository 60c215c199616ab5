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

// top lists all files and folders of the top level, except dot-files.
var top = []string{
	"suites", "models", "corpora", "golden", "harness", "ci",
	"go.mod", "go.sum", "README.md", "CITATION.cff", "doc.go", "bench_test.go", "LICENSE",
}

// misplaced compares the top level of a tree with the expected files and folders. It lists
// those that should not be there, and those that are missing.
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
			wrong = append(wrong, fmt.Sprintf("%s: have it at the top level, want only %s", name, strings.Join(top, " ")))
		}
	}
	for _, name := range top {
		if !slices.Contains(have, name) {
			wrong = append(wrong, fmt.Sprintf("%s: missing at the top level", name))
		}
	}
	return wrong
}

// machinePath matches a path that is valid only on one machine.
var machinePath = regexp.MustCompile(`(^|[^\w.)}*])/(home|root|Users|work|mnt|opt|var/folders|tmp)/\w`)

// machinePaths lists the lines that name a path of one machine. It skips binary files,
// and fuzzing corpora, whose inputs may be any text.
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
				wrong = append(wrong, fmt.Sprintf("%s:%d: have a path of one machine, %q, want none", p, n, m))
			}
		}
	}
	return wrong, nil
}

// strayGoldens lists the golden files that do not parse, and those whose path does not
// agree with their suite and scale.
func strayGoldens(tr *tree) []string {
	var wrong []string
	for _, name := range tr.paths {
		if matches, err := path.Match("golden/*/*.txt", name); err != nil || !matches || strings.Contains(name, "/testdata/") {
			continue
		}
		text, err := fs.ReadFile(tr.fsys, name)
		var f *golden.File
		if err == nil {
			f, err = golden.Parse(name, text)
		}
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if f.Suite != path.Base(path.Dir(name)) || f.Scale != "paper" && f.Scale+".txt" != path.Base(name) {
			wrong = append(wrong, fmt.Sprintf("%s: have suite %s and scale %s, want those of its path", name, f.Suite, f.Scale))
		}
	}
	return wrong
}

func TestTopLevelIsAsDesigned(t *testing.T) { reportAll(t, misplaced(repoTree(t))) }

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
	wantViolations(t, misplaced(fixture(t, files...)), "scripts: have it at the top level", "x.txt: have it at the top level", "LICENSE: missing")
}

func TestNoFileNamesAMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads every file: go test ./ci -run NoFileNamesAMachine")
	}
	wrong, err := machinePaths(repoTree(t))
	if err != nil {
		t.Fatal(err)
	}
	reportAll(t, wrong)
}

func TestMachinePathsAreFound(t *testing.T) {
	slash := "/"
	tr := fixture(t,
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
	wantViolations(t, wrong, "a:2: have a path of one machine", "b:1: have a path of one machine")
}

func TestGoldenFilesParse(t *testing.T) {
	reportAll(t, strayGoldens(repoTree(t)))
}

func TestStrayGoldenFilesAreFound(t *testing.T) {
	good := read(t, repoTree(t), "golden/dyck/ci.txt")
	wrong := strayGoldens(fixture(t, "golden/dyck/ci.txt", good, "golden/dyck/paper.txt", good, "golden/other/ci.txt", good, "golden/dyck/smoke.txt", good[:len(good)/2]))
	wantViolations(t, wrong, "golden/dyck/paper.txt: have suite dyck and scale ci, want", "golden/dyck/smoke.txt:", "golden/other/ci.txt: have suite dyck")
}
