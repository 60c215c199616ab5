package main

import (
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

// TestFetchUnderFaults downloads a corpus on a faulty file system, where a first file is there
// already and a second is wrong. Right files must stay, no file may become a wrong one, and
// the next fetch must succeed.
func TestFetchUnderFaults(t *testing.T) {
	s := httptest.NewServer(&server{data: archive(t, contents)})
	defer s.Close()
	c := corpus(s.URL + "/x.zip")
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) {
			if err := os.Mkdir(filepath.Join(folder, "x"), 0o777); err != nil {
				t.Fatal(err)
			}
			for i, s := range []string{contents[0], "wrong"} {
				if err := os.WriteFile(c.Files[i].Path(folder), []byte(s), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		},
		Do: func(fsys disk.FS, folder string) error {
			files := faulty(c, folder)
			if len(files) == 0 {
				return nil
			}
			return fetch(io.Discard, fsys, c, folder, files)
		},
		Good: func(t testing.TB, folder string, _ error) {
			for i, before := range []string{contents[0], "wrong", ""} {
				if have, err := os.ReadFile(c.Files[i].Path(folder)); string(have) != before && string(have) != contents[i] {
					t.Errorf("file %d: have %q (%v), want the text before or the right one", i, have, err)
				}
			}
		},
		Done: func(t testing.TB, folder string) {
			for i, want := range contents {
				if have, err := os.ReadFile(c.Files[i].Path(folder)); string(have) != want {
					t.Errorf("file %d: have %d bytes (%v), want %d", i, len(have), err, len(want))
				}
			}
		},
	})
}
