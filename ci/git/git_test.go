package git

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestEnvironHasNothingOfGit(t *testing.T) {
	for _, name := range append([]string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_AUTHOR_NAME", "GIT_SSH_COMMAND"}, files...) {
		t.Setenv(name, "x")
	}
	var have []string
	for _, entry := range Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "GIT_") {
			have = append(have, name)
		}
	}
	slices.Sort(have)
	if !slices.Equal(have, files) { // they name the files of settings
		t.Errorf("have %v, want %v", have, files)
	}
	if !slices.Contains(Environ(), "PATH="+os.Getenv("PATH")) {
		t.Errorf("have no PATH in %v", Environ())
	}
}

func TestOutput(t *testing.T) {
	if err := Need("for this test"); err != nil {
		t.Skip(err)
	}
	if out, err := Output(Command(t.Context(), t.TempDir(), "check-ref-format", "--branch", "x")); err != nil || out != "x\n" {
		t.Errorf("have %q, %v, want x", out, err)
	}
	if _, err := Output(Command(t.Context(), t.TempDir(), "hash-object", "absent")); err == nil || !strings.HasPrefix(err.Error(), "git hash-object absent: exit status 128: fatal: ") {
		t.Errorf("have %v, want the command without the settings, and what git says", err)
	}
}

func TestNeed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := Need("to read a commit"); err == nil || !strings.HasPrefix(err.Error(), "have no git, want it to read a commit: ") {
		t.Errorf("have %v, want what git is wanted for", err)
	}
}
