package ci

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// fixture returns a tree of the given files. The arguments are the path and the text of
// the first file, the path and the text of the second, and so on.
func fixture(t *testing.T, files ...string) *tree {
	t.Helper()
	fsys := fstest.MapFS{}
	for pair := range slices.Chunk(files, 2) {
		fsys[pair[0]] = &fstest.MapFile{Data: []byte(pair[1])}
	}
	tr, err := newTree(fsys, slices.Sorted(maps.Keys(fsys)))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// wantViolations checks the violations that a rule found. There must be as many as strings
// in want, and each violation must start with the string at the same position.
func wantViolations(t *testing.T, wrong []string, want ...string) {
	t.Helper()
	have := slices.Clone(wrong)
	for i, text := range have {
		for _, w := range want {
			if strings.HasPrefix(text, w) {
				have[i] = w
			}
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("violations (-want +have):\n%s", diff)
	}
}
