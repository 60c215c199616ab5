package git

import (
	"os"
	"path/filepath"
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
	if env := Command(t.Context(), ".").Env; env[len(env)-1] != "LC_ALL=C" { // the last value counts
		t.Errorf("have the environment %v, want LC_ALL=C at the end, for messages in English", env)
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

// TestSettingsOfTheUserChangeNothing checks that git succeeds and prints the same whatever the
// user has set.
func TestSettingsOfTheUserChangeNothing(t *testing.T) {
	if err := Need("for this test"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "settings")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", file)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	attributes := filepath.Join(t.TempDir(), "attributes")
	write(attributes, "* binary\n")
	const author = "[user]\nname = x\nemail = x@example.org\n"
	// printed returns what git prints in a repository with a changed and a new file.
	printed := func(settings string, command ...string) string {
		t.Helper()
		folder := t.TempDir()
		git := func(args ...string) string {
			t.Helper()
			out, err := Output(Command(t.Context(), folder, args...))
			if err != nil {
				t.Fatalf("with the settings %q: %v", settings, err)
			}
			return out
		}
		write(file, author)
		git("init", "-q", "-b", "main")
		git("init", "-q", "--bare", "remote")
		write(filepath.Join(folder, "file"), "old\n")
		git("add", "file")
		git("commit", "-q", "-m", "x")
		write(filepath.Join(folder, "file"), "new\n")
		write(filepath.Join(folder, "other"), "new\n")
		write(file, author+settings)
		out := git(command...)
		if _, err := os.Stat(filepath.Join(folder, "ran")); err == nil {
			t.Errorf("with the settings %q, git %s has run a program of the user's", settings, strings.Join(command, " "))
		}
		return out
	}
	for _, c := range []struct {
		settings string
		command  []string
	}{
		{"[gpg]\nprogram = absent\n[commit]\ngpgSign = true\n", []string{"commit", "-q", "--allow-empty", "-m", "y"}},
		{"[gpg]\nprogram = absent\n[tag]\ngpgSign = true\n", []string{"tag", "-m", "y", "y"}},
		{"[push]\ngpgSign = true\n", []string{"push", "-q", "remote", "main"}},
		{"[core]\nattributesFile = \"" + filepath.ToSlash(attributes) + "\"\n", []string{"diff"}},
		{"[core]\nfsmonitor = \">ran; :\"\n", []string{"status", "--porcelain"}},
		{"[status]\nshowUntrackedFiles = no\n", []string{"status", "--porcelain"}},
	} {
		if want, have := printed("", c.command...), printed(c.settings, c.command...); have != want {
			t.Errorf("with the settings %q, git %s prints %q, want %q", c.settings, strings.Join(c.command, " "), have, want)
		}
	}
}

// TestAtTakesOnlyCommits checks that an option of git in the place of a commit is refused.
func TestAtTakesOnlyCommits(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if _, err := At("../..", "--output="+victim); err == nil {
		t.Error("have no error, want one")
	}
	if _, err := os.Stat(victim); err == nil {
		t.Error("git wrote a file")
	}
}
