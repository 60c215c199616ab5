package suites

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEverySuiteIsListed checks that All has the suite of every folder that has one.
func TestEverySuiteIsListed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("*", "suite.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("have %d suites (%v), want some", len(files), err)
	}
	var folders, listed []string
	for _, f := range files {
		folders = append(folders, filepath.Dir(f))
	}
	for _, s := range All {
		listed = append(listed, s.Name)
	}
	if slices.Sort(folders); !slices.Equal(folders, listed) {
		t.Errorf("suites differ (-folders +All):\n%s", cmp.Diff(folders, listed))
	}
}
