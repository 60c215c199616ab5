package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pushdown/ci/git"
	"pushdown/ci/git/gittest"
	"pushdown/harness/golden"
)

// A scratch is a repository with the files of the working tree, in which commands run. Its state
// folder and caches are its own, too.
type scratch struct {
	tree, root string // the working tree, the repository
	env        []string
	spent      time.Duration // of the processors, by commands
}

// The scripts that stand for go in a scratch. To the build cache, a package in another folder is
// another package. So goScript builds those of the working tree, which are the same and have been
// built before, and stageScript runs what was built in the folder of the scratch.
const (
	goScript = `#!/usr/bin/env bash
[ "$PWD" = "$SCRATCH" ] || exec "$GO" "$@"
case "$*" in
"test ./own/..."*) exec "$GO" "$@" ;; # the working tree has no such package
"test -c "* | "test -buildvcs=true -c "*) cd "$TREE" && exec "$GO" test -o "$SCRATCH/" "${@:2}" ;;
"build -o "*) cd "$TREE" && exec "$GO" build -o "$SCRATCH/$3" "${@:4}" ;;
run* | test*) cd "$TREE" && exec "$GO" "$1" -exec "'$STAGE'" "${@:2}" ;; # in quotes, because go divides the value at blanks
*) exec "$GO" "$@" ;;
esac
`
	stageScript = `#!/usr/bin/env bash
cd "$SCRATCH${PWD#"$TREE"}" && exec "$@"
`
)

// newScratch makes a scratch. It skips the test if the machine lacks bash. The settings of git are
// those of the caller, see gittest.In.
func newScratch(t *testing.T) *scratch {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for bash, and their scripts for a system with #!")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("have no bash, want it to run commands: %v", err)
	}
	s := new(scratch)
	folder, err := filepath.EvalSymlinks(t.TempDir()) // as bash has it in PWD
	if err == nil {
		s.tree, err = golden.Root()
	}
	if err == nil {
		s.tree, err = filepath.Abs(s.tree)
	}
	if err == nil {
		s.tree, err = filepath.EvalSymlinks(s.tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.root = filepath.Join(folder, "pushdown")
	bin := filepath.Join(folder, "bin")
	write(t, bin, "go", goScript)
	write(t, bin, "stage", stageScript)
	s.env = slices.DeleteFunc(git.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "PUSHDOWN_") || strings.HasPrefix(entry, "XDG_")
	})
	s.env = append(s.env, "HOME="+folder, "LC_ALL=C",
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "STAGE="+filepath.Join(bin, "stage"), "TREE="+s.tree, "SCRATCH="+s.root)
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "GO="+goCommand)
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOENV", "GOTOOLCHAIN"} { // with another HOME they would be elsewhere
		out, err := exec.Command(goCommand, "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		s.env = append(s.env, name+"="+strings.TrimSpace(string(out)))
	}

	if _, err := git.Output(git.Command(t.Context(), folder, "init", "-q", s.root)); err != nil {
		t.Fatal(err)
	}
	names, err := gittest.Files(s.tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		name = filepath.FromSlash(name)
		info, err := os.Stat(filepath.Join(s.tree, name))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(s.tree, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, s.root, name, string(text))
		if err := os.Chmod(filepath.Join(s.root, name), info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	for range 11 { // for HEAD~10
		s.commit(t)
	}
	return s
}

// commit commits all files.
func (s *scratch) commit(t *testing.T) {
	t.Helper()
	if status, out := s.shell(t, commit); status != 0 {
		t.Fatalf("%s: status %d: %s", commit, status, out)
	}
}

// shell runs a command with bash in the root of the scratch. It returns the exit status and what
// the command prints.
func (s *scratch) shell(t *testing.T, command string) (status int, out string) {
	t.Helper()
	cmd := exec.Command("bash", "-c", "set -o pipefail; "+command)
	cmd.Dir, cmd.Env = s.root, s.env
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	s.spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return cmd.ProcessState.ExitCode(), string(text)
}
