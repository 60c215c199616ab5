package ci

import (
	"fmt"
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

// misplaced lists what is at the top level of a tree and should not be, and what is missing.
func misplaced(tr *tree) (wrong []string) {
	missing := slices.Clone(top)
	for _, p := range tr.paths {
		first, _, _ := strings.Cut(p, "/")
		if !strings.HasPrefix(first, ".") && !slices.Contains(top, first) {
			wrong = append(wrong, fmt.Sprintf("%s: at the top level, want only %s", p, strings.Join(top, " ")))
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == first })
	}
	for _, name := range missing {
		wrong = append(wrong, name+": missing at the top level")
	}
	return wrong
}

// machinePath matches a path that is valid only on one machine.
var machinePath = regexp.MustCompile(`(?m)(?:^|[^\w.)}*])/(home|root|Users|work|mnt|opt|var/folders|tmp)/\w`)

// machinePaths lists the places that name a path of one machine. It skips binary files,
// and fuzzing corpora, whose inputs may be any text.
func machinePaths(tr *tree) (wrong []string) {
	for _, p := range tr.paths {
		text := tr.texts[p]
		if strings.Contains(p, "testdata/fuzz/") || strings.Contains(text, "\x00") {
			continue
		}
		for _, m := range machinePath.FindAllStringIndex(text, -1) {
			wrong = append(wrong, fmt.Sprintf("%s:%d: have a path of one machine, %q, want none", p, 1+strings.Count(text[:m[1]], "\n"), text[m[0]:m[1]]))
		}
	}
	return wrong
}

// strayGoldens lists the golden files that do not parse, and those whose path does not
// agree with their suite and scale.
func strayGoldens(tr *tree) (wrong []string) {
	for _, name := range tr.paths {
		if matches, _ := path.Match("golden/*/*.txt", name); !matches || ignored(name) {
			continue
		}
		f, err := golden.Parse(name, []byte(tr.texts[name]))
		if err != nil {
			wrong = append(wrong, err.Error())
		} else if f.Suite != path.Base(path.Dir(name)) || f.Scale != "paper" && f.Scale+".txt" != path.Base(name) {
			wrong = append(wrong, fmt.Sprintf("%s: have suite %s and scale %s, want those of its path", name, f.Suite, f.Scale))
		}
	}
	return wrong
}

func TestMisplacedFilesAreFound(t *testing.T) {
	const slash, good = "/", "golden/dyck/ci.txt"
	text := repoTree(t).texts[good]
	tr := fixture(t,
		"models/a", "one\ntwo "+slash+"home/somebody/x\n",
		"models/b", slash+"work/x",
		"models/c", "example.org/home/x ./work/y a/root/b $HOME/tmp/x\n",
		"suites/testdata/fuzz/F/x", slash+"root/x",
		"corpora/d", "\x00"+slash+"root/x",
		"harness/x", "", "ci/x", "", "go.mod", "", "go.sum", "", "README.md", "", "CITATION.cff", "", "bench_test.go", "package x\n", "doc.go", "package x\n",
		".ci/run", "", "scripts/x", "",
		good, text, "golden/dyck/smoke.txt", text, "golden/dyck/x.txt", text[:len(text)/2], "golden/other/ci.txt", text,
	)
	wantViolations(t, machinePaths(tr), "models/a:2: have a path of one machine", "models/b:1: have a path of one machine")
	wantViolations(t, misplaced(tr), "scripts/x: at the top level", "LICENSE: missing")
	wantViolations(t, strayGoldens(tr), "golden/dyck/smoke.txt: have suite dyck and scale ci", "golden/dyck/x.txt:", "golden/other/ci.txt: have suite dyck")
}
