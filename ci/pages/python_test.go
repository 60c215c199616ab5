package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// snippet matches a block of Python code in ci/README.md. opened matches the name of a file of parameters
// that such code reads.
var (
	snippet = regexp.MustCompile("(?s)\n```python\n(.*?)```\n")
	opened  = regexp.MustCompile(`read_parameters\("([^"]*)"`)
)

// TestPythonReadsKeptParameters runs the Python code in ci/README.md. The code must print
// the same names, shapes and sums of parameters as this module reads from the file.
func TestPythonReadsKeptParameters(t *testing.T) {
	root := repositoryRoot(t)
	readme, err := os.ReadFile(filepath.Join(root, "ci", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := snippet.FindAllSubmatch(readme, -1)
	if len(found) != 1 {
		t.Fatalf("have %d blocks of Python in ci/README.md, want 1", len(found))
	}
	code := string(found[0][1])
	names := opened.FindAllStringSubmatch(code, -1)
	if len(names) != 1 {
		t.Fatalf("have %d files that the Python in ci/README.md reads, want 1", len(names))
	}
	want, err := printed(filepath.Join(root, filepath.FromSlash(names[0][1])))
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("python3", "-c", "import numpy").Run(); err != nil {
		suite.Skip(t, "numpy", fmt.Sprintf("no python3 with NumPy (%v)", err), "install them, on Debian the package python3-numpy")
	}
	command := exec.Command("python3", "-B", "-c", code)
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			out = exit.Stderr
		}
		t.Fatalf("the Python in ci/README.md: %v\n%s", err, out)
	}
	if diff := cmp.Diff(want, strings.ReplaceAll(string(out), "\r\n", "\n")); diff != "" {
		t.Errorf("printed (-want +have):\n%s", diff)
	}
}

// printed returns the output that the Python code in ci/README.md must print for a file.
func printed(name string) (string, error) {
	f, err := checkpoint.Read(name)
	if err != nil {
		return "", err
	}
	p, err := train.ReadParams(name)
	if err != nil {
		return "", err
	}
	lines := f.Meta["experiment"] + "\n"
	for i, x := range p.Data {
		sum := 0.0
		for _, v := range x {
			sum += float64(v)
		}
		lines += fmt.Sprintf("%s (%d, %d) %.6f\n", p.Names[i], p.Shapes[i][0], p.Shapes[i][1], sum)
	}
	return lines, nil
}
