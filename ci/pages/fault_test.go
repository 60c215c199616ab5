package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

// TestPagesUnderFaults generates the pages on a faulty file system. Each page must be the old
// one or the new one.
func TestPagesUnderFaults(t *testing.T) {
	pages := []string{"golden/dyck/README.md", "golden/README.md", "golden/CLAIMS.md", "golden/numbers.csv", "golden/sums.txt", "README.md", "ci/README.md", "ci/baselines/README.md"}
	read := func(root string) (texts []string) {
		for _, name := range pages {
			text, _ := os.ReadFile(filepath.Join(root, name)) // empty if there is none
			texts = append(texts, string(text))
		}
		return texts
	}
	before := planted(t)
	old := read(before)
	if err := (&options{write: true, root: before}).do(io.Discard); err != nil {
		t.Fatal(err)
	}
	now := read(before)
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, root string) { plant(t, root) },
		Do: func(fsys disk.FS, root string) error {
			return (&options{disk: fsys, write: true, root: root}).do(io.Discard)
		},
		Good: func(t testing.TB, root string, _ error) {
			for i, have := range read(root) {
				if have != old[i] && have != now[i] {
					t.Errorf("%s: have\n%s\nwant the old page or the new", pages[i], have)
				}
			}
		},
		Done: func(t testing.TB, root string) {
			for i, have := range read(root) {
				if have != now[i] {
					t.Errorf("%s: have\n%s\nwant\n%s", pages[i], have, now[i])
				}
			}
		},
	})
}
