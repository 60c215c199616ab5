package gittest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write writes files with a line of text below a folder.
func write(t *testing.T, folder string, names ...string) {
	t.Helper()
	for _, name := range names {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte("x\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

func wantFiles(t *testing.T, root string, want ...string) {
	t.Helper()
	have, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("files of %s (-want +have):\n%s", root, diff)
	}
}

// TestFilesAreTheTrackedOnes checks the list in a checkout and in a linked worktree, which lies in
// the checkout, and whose files are no files of the checkout.
func TestFilesAreTheTrackedOnes(t *testing.T) {
	root := t.TempDir()
	git := In(t, root)
	git("init", "-q")
	write(t, root, "go.mod", "a/b.go", "a/é x.txt", "gone.txt", "z.test")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	write(t, root, ".venv/lib/x.py", ".idea/x.xml", ".envrc", "notes.txt", "mine/x.go", "own/x.go")
	git("worktree", "add", "-q", "--detach", "tree")
	if err := os.Remove(filepath.Join(root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, root, "a/b.go", "a/é x.txt", "go.mod", "z.test")
	git("add", "mine")
	wantFiles(t, root, "a/b.go", "a/é x.txt", "go.mod", "mine/x.go", "z.test")
	wantFiles(t, filepath.Join(root, "tree"), "a/b.go", "a/é x.txt", "go.mod", "gone.txt", "z.test")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	wantFiles(t, link, "a/b.go", "a/é x.txt", "go.mod", "mine/x.go", "z.test")
}

// TestFilesOfAnArchive checks the list for files that were downloaded: with git, also below
// another repository, and without it.
func TestFilesOfAnArchive(t *testing.T) {
	outer := t.TempDir()
	root := filepath.Join(outer, "downloaded")
	write(t, root, "go.mod", "a/b.go", ".github/x", "artifacts/x", "own/x.go", "a/own/x.go", "a/a.test", "x.out", "x.prof",
		".ci/run", ".gitignore", ".venv/lib/x.py", "a/.idea/x.xml", ".github/.cache/x")
	want := []string{".ci/run", ".github/x", ".gitignore", "a/b.go", "a/own/x.go", "go.mod"}
	wantFiles(t, root, want...)
	In(t, outer)("init", "-q")
	wantFiles(t, root, want...)
	t.Setenv("PATH", t.TempDir())
	wantFiles(t, root, want...)
}

// TestFilesOfABrokenRepository checks that a clone in which git fails, as it does if the clone has
// another owner, does not count as an archive. Without git it does.
func TestFilesOfABrokenRepository(t *testing.T) {
	root := t.TempDir()
	In(t, root)("init", "-q")
	write(t, root, "go.mod", ".git/index") // no index of git
	if have, err := Files(root); err == nil || !strings.Contains(err.Error(), "git ls-files -z: exit status 128: ") {
		t.Errorf("have %q, %v, want the error of git", have, err)
	}
	t.Setenv("PATH", t.TempDir())
	wantFiles(t, root, "go.mod")
}

// TestOthersStayRunsTheTests checks that the tests run with the variables, which this test reads.
func TestOthersStayRunsTheTests(t *testing.T) {
	if os.Getenv("GIT_PREFIX") != "others/" {
		OthersStay(t, "^"+t.Name()+"$")
		return
	}
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_COUNT"} {
		if os.Getenv(name) == "" {
			t.Errorf("have no %s, want it", name)
		}
	}
	root := t.TempDir()
	git := In(t, root)
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "x")
	if have := git("log", "--format=%an %s"); have != "nobody x\n" {
		t.Errorf("have the log %q, want the commit of this test", have)
	}
}
