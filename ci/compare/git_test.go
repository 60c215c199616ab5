package main

import (
	"debug/buildinfo"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
)

// TestSettingsOfTheUser checks that settings of the user, with which git prints more or less than
// it does of itself, change neither the time of a commit nor the list of changes.
func TestSettingsOfTheUser(t *testing.T) {
	f := newFixture(t)
	commit, _, _ := strings.Cut(f.git("cat-file", "commit", "HEAD"), "\n\n")
	file := filepath.Join(t.TempDir(), "commit")
	if err := os.WriteFile(file, []byte(commit+"\ngpgsig -----BEGIN SSH SIGNATURE-----\n x\n -----END SSH SIGNATURE-----\n\nsigned\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f.git("update-ref", "HEAD", strings.TrimSpace(f.git("hash-object", "-t", "commit", "-w", file)))
	for name, value := range map[string]string{"log.showSignature": "true", "status.showUntrackedFiles": "no", "color.ui": "always", "format.pretty": "fuller", "core.pager": "false"} {
		f.git("config", name, value)
	}
	if at, err := commitTime(t.Context(), f.dir, "HEAD"); err != nil || !strings.HasPrefix(at, "20") {
		t.Errorf("have the time %q, %v, want that of the commit", at, err)
	}
	f.write("new.go", "package tiny\n")
	if status, _, stderr := f.run(t.Context(), "HEAD~1", "HEAD"); status != 2 || !strings.Contains(stderr, `such as "?? new.go"`) {
		t.Errorf("status %d, want 2 for the new file in\n%s", status, stderr)
	}
}

// TestProgramsGetNoVariablesOfGit checks this for the go command, which starts git to record the
// commit in a program.
func TestProgramsGetNoVariablesOfGit(t *testing.T) {
	f := newFixture(t)
	f.write("main.go", "package main\n\nfunc main() {}\n")
	f.write("tiny_test.go", "package main\n")
	f.commit("a program")
	t.Setenv("GIT_DIR", filepath.Join(f.temp, "absent"))
	file := filepath.Join(t.TempDir(), "program")
	if _, err := output(t.Context(), f.dir, "go", "build", "-buildvcs=true", "-o", file, "."); err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := debug.BuildSetting{Key: "vcs.revision", Value: strings.TrimSpace(f.git("rev-parse", "HEAD"))}
	if !slices.Contains(info.Settings, want) {
		t.Errorf("have %v, want %v", info.Settings, want)
	}
}

func TestOtherRepositoriesStay(t *testing.T) {
	gittest.OthersStay(t, "^(TestStaleWorktreesStay|TestSettingsOfTheUser)$")
}

func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, err strings.Builder
	if status := run(t.Context(), &out, &err, []string{"HEAD~1", "HEAD"}); status != 2 || !strings.HasPrefix(err.String(), "compare: have no git, want it to check out base and head: ") {
		t.Errorf("status %d, want 2 in\n%s", status, err.String())
	}
}
