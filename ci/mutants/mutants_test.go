package mutants

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/suite"
)

// A mutant is a fault in a file, and the test that catches it.
type mutant struct {
	what, file, old, new string
	pkg, test            string
}

// fewest is the least number of mutants.
const fewest = 50

// root is the path of the repository.
var root = filepath.Join("..", "..")

// mutants reads the list.
func mutants(t *testing.T) (list []*mutant) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "mutants.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		key, rest, _ := strings.Cut(line, " ")
		if key == "mutant" {
			list = append(list, &mutant{what: rest})
		}
		if line == "" || key == "#" || key == "mutant" {
			continue
		}
		m := list[len(list)-1]
		switch key {
		case "file":
			m.file = filepath.FromSlash(rest)
		case "test":
			m.pkg, m.test, _ = strings.Cut(rest, " ")
		case "-":
			m.old = strings.ReplaceAll(rest, `\n`, "\n")
		case "+":
			m.new = strings.ReplaceAll(rest, `\n`, "\n")
		default:
			t.Fatalf("mutants.txt:%d: have %q, want mutant, file, test, - or +", i+1, key)
		}
	}
	return list
}

// mutated returns the text of a file with the fault.
func (m *mutant) mutated(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), m.old); n != 1 || m.old == m.new || m.pkg == "" || m.test == "" {
		t.Fatalf("%s: have %q %d times, want it once, another text in its place, and a test", m.file, m.old, n)
	}
	return strings.Replace(string(text), m.old, m.new, 1)
}

// TestMutantsApply checks that each fault can be made.
func TestMutantsApply(t *testing.T) {
	if n := len(mutants(t)); n < fewest {
		t.Errorf("have %d faults, want at least %d", n, fewest)
	}
	seen := make(map[string]bool)
	for _, m := range mutants(t) {
		text := m.mutated(t)
		if seen[m.what] || seen[m.file+text] {
			t.Errorf("%s: have the fault or its name twice, want it once", m.what)
		}
		seen[m.what], seen[m.file+text] = true, true
	}
}

// TestMutants checks that the test of each mutant fails.
func TestMutants(t *testing.T) {
	suite.SkipUnlessLong(t, "runs a test with each of many faults")
	if _, limited := t.Deadline(); limited {
		t.Skip("takes longer than a -timeout: want -timeout 0")
	}
	for _, m := range mutants(t) {
		t.Run(m.what, func(t *testing.T) {
			file, err := filepath.Abs(filepath.Join(root, m.file))
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			changed, overlay := filepath.Join(folder, filepath.Base(file)), filepath.Join(folder, "overlay.json")
			text, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
			if err == nil {
				err = os.WriteFile(overlay, text, 0o666)
			}
			if err == nil {
				err = os.WriteFile(changed, []byte(m.mutated(t)), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			pattern := "^" + strings.ReplaceAll(m.test, "/", "$/^") + "$"
			test := exec.CommandContext(t.Context(), "go", "test", "-short", "-count=1", "-vet=off", "-timeout=5m", "-overlay="+overlay, "-run="+pattern, m.pkg)
			test.Dir = root
			out, err := test.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: "+m.test+" ") {
				t.Errorf("%s: have %s of %s passed (or not run: %v), want it to fail\n%s", m.file, m.test, m.pkg, err, out)
			}
		})
	}
}
