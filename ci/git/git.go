// Package git starts git for the commands of this repository and for their tests. Nothing else
// in the repository starts it.
//
// Git runs these programs, too: a hook or git rebase -x tells them, in GIT_DIR, GIT_INDEX_FILE and
// other variables, which repository it works on. Those override the folder in which a command
// runs, so a test that makes a commit in a temporary repository would make it in the caller's.
// Therefore git starts without the caller's variables, and without the settings that run the
// user's programs or change what git prints: hooks, signatures, attributes.
//
// The user's other settings stay, because git needs them to reach a remote and to open a
// repository: credential helpers, proxies, safe.directory. So the place for credentials, ssh
// options and the name of an author is git config, not the environment.
package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// flags are the arguments of git that come before the name of the command: settings that replace
// those of the user.
var flags = []string{
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.attributesFile=" + os.DevNull,
	"-c", "core.fsmonitor=false", // the monitor is a process that stays
	"-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false", "-c", "push.gpgSign=false",
	"-c", "log.showSignature=false", // prints among what git show prints
	"-c", "status.showUntrackedFiles=normal",
}

// files are the variables that name the files of settings, as HOME does.
var files = []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM"}

// Environ returns the environment without the variables that tell git what to do. It is also the
// environment for programs that start git themselves, such as the go command.
func Environ() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=") // names on Windows may be in lower case
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(files, name)
	})
}

// Command returns a command that runs git in a folder, with messages in English. When ctx is done,
// git is interrupted, and killed five seconds later.
func Command(ctx context.Context, folder string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(flags, args)...)
	cmd.Dir = folder
	cmd.Env = append(Environ(), "LC_ALL=C")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Output runs a command that Command has returned. It returns what git prints; an error has what
// git says about it.
func Output(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.String(), nil
	}
	text := "git " + strings.Join(cmd.Args[1+len(flags):], " ")
	if said := bytes.TrimSpace(stderr.Bytes()); len(said) > 0 {
		return "", fmt.Errorf("%s: %w: %s", text, err, said)
	}
	return "", fmt.Errorf("%s: %w", text, err)
}

// Need returns an error if there is no git. The error says what it is wanted for, such as "to read
// a commit".
func Need(purpose string) error {
	if _, err := exec.LookPath("git"); err != nil {
		return fmt.Errorf("have no git, want it %s: %w", purpose, err)
	}
	return nil
}
