// Package gittest has what tests need of git: repositories of their own, without the settings of
// the user, and the list of files that this repository has.
package gittest

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/ci/git"
	"pushdown/harness/suite"
)

// settings are the only settings of git in a test. Empty names of files stand for no file, where
// git would read those in the user's folder.
const settings = `[user]
	name = nobody
	email = nobody@example.org
[init]
	defaultBranch = main
[core]
	excludesFile =
	attributesFile =
[gc]
	auto = 0
[maintenance]
	auto = false
`

// In returns a function that runs git in a folder and returns what it prints. A failure of git
// fails the test. Until the test ends, git has no settings of the user or the machine, also where
// the tested code starts it. In skips the test if there is no git.
func In(t testing.TB, folder string) func(args ...string) string {
	t.Helper()
	if err := git.Need("for the repositories of tests"); err != nil {
		suite.Skip(t, "git", err.Error(), "install git")
	}
	file := filepath.Join(t.TempDir(), "settings")
	if err := os.WriteFile(file, []byte(settings), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", file)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return func(args ...string) string {
		t.Helper()
		out, err := git.Output(git.Command(t.Context(), folder, args...))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// OthersStay runs tests of the package that match a pattern in another process, whose environment
// tells git to work on a repository of somebody else, as that of a hook or of git rebase -x does.
// It fails the test if one of them fails, or if anything in that repository has changed.
func OthersStay(t *testing.T, pattern string) {
	t.Helper()
	folder := t.TempDir()
	run := In(t, folder)
	if err := os.WriteFile(filepath.Join(folder, "file"), []byte("text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run("init", "-q")
	run("add", "file")
	run("commit", "-q", "-m", "theirs")
	before := contents(t, folder)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+pattern, "-test.v", "-test.short")
	within := filepath.Join(folder, ".git")
	cmd.Env = append(os.Environ(), "GIT_DIR="+within, "GIT_INDEX_FILE="+filepath.Join(within, "index"), "GIT_WORK_TREE="+folder, "GIT_PREFIX=others/",
		"GIT_OBJECT_DIRECTORY="+filepath.Join(within, "objects"), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.bare", "GIT_CONFIG_VALUE_0=true")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%s with the variables of git: %v, want it to run and pass\n%s", pattern, err, out)
	}
	if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
		t.Errorf("%s has changed the repository that the environment names (-before +after):\n%s", pattern, diff)
	}
}

// contents returns the text of all files below a folder, by name.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	fsys, texts := os.DirFS(folder), map[string]string{}
	if err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		texts[name] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}
