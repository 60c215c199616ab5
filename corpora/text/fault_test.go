package text

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

// TestReadUnderFaults reads a corpus on a faulty file system. An error must not be kept in the
// cache: the next call must read the corpus.
func TestReadUnderFaults(t *testing.T) {
	texts := []string{"a b\nb a\n", "a\n", "b\n"}
	c := Corpus{Name: "faulty", Files: nil}
	for i, s := range texts {
		c.Files = append(c.Files, File{Name: fmt.Sprintf("faulty/%d.txt", i), Size: int64(len(s)), SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(s)))})
	}
	sentences := 0
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) {
			t.Setenv(FolderVariable, folder) // so that the cache has no corpus of this folder
			if err := os.Mkdir(filepath.Join(folder, "faulty"), 0o777); err != nil {
				t.Fatal(err)
			}
			for i, s := range texts {
				if err := os.WriteFile(c.Files[i].Path(folder), []byte(s), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		},
		Do: func(fsys disk.FS, _ string) error {
			sentences, c.disk = 0, fsys
			x, err := c.Words()
			if err == nil {
				sentences = x.Train.Len()
			}
			return err
		},
		Done: func(t testing.TB, _ string) {
			if sentences != 2 {
				t.Errorf("have %d sentences of the training text, want 2", sentences)
			}
		},
	})
}
