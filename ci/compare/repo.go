package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pushdown/ci/git"
)

// names are the names of the sides, and of the folders in which they are built. They have
// the same length. So the file paths in both binaries have the same length, too, and make
// no difference between the layouts of the binaries.
var names = [2]string{"base", "head"}

// noBase is the error for a base commit that does not exist.
type noBase struct{ error }

// resolve returns the full hashes of the two commits, in the repository of the current folder.
func resolve(ctx context.Context, s *settings) (commits [2]string, err error) {
	if err := git.Need("to check out base and head"); err != nil {
		return commits, err
	}
	root, err := ask(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return commits, fmt.Errorf("current folder: have no git repository, want one: %w", err)
	}
	for i, revision := range s.revisions {
		if commits[i], err = ask(ctx, ".", "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}"); err != nil {
			err = fmt.Errorf("%s: have %q, want a commit of %s; a shallow clone lacks most", names[i], revision, root)
			if i == 0 {
				err = noBase{err}
			}
			return commits, err
		}
	}
	if commits[0] == commits[1] {
		return commits, fmt.Errorf("base and head: have %q and %q, which are the same commit %s, want two commits, such as HEAD~1 and HEAD", s.revisions[0], s.revisions[1], commits[0])
	}
	return commits, nil
}

// clean returns an error if there are uncommitted changes that the caller may expect to be
// measured. This is so if base or head is checked out in the working tree and the working
// tree has changes.
func clean(ctx context.Context, commits [2]string) error {
	out, err := ask(ctx, ".", "rev-parse", "HEAD")
	if err != nil || !slices.Contains(commits[:], out) {
		return err
	}
	changes, err := ask(ctx, ".", "status", "--porcelain")
	if err != nil || changes == "" {
		return err
	}
	lines := strings.Split(changes, "\n")
	return fmt.Errorf("working tree: have changes in neither commit: %d, such as %q, want none: commit them, or ignore them with -dirty", len(lines), lines[0])
}

// checkOut makes a worktree of a commit.
func checkOut(ctx context.Context, folder, commit string) error {
	_, err := ask(ctx, ".", "worktree", "add", "--quiet", "--detach", folder, commit)
	return err
}

// leave removes the worktrees of the sides and the temporary folder, even after an
// interrupt. It removes no other entries from git's list of worktrees. The flag --force is
// given twice because an interrupted git may leave a worktree locked.
func leave(temp string) (err error) {
	for _, name := range names {
		folder := filepath.Join(temp, name)
		if _, absent := os.Stat(folder); absent == nil {
			_, failed := ask(context.Background(), ".", "worktree", "remove", "--force", "--force", folder)
			err = errors.Join(err, failed)
		}
	}
	return errors.Join(err, os.RemoveAll(temp))
}

// ask runs git and returns what it prints, without trailing newlines.
func ask(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := git.Output(git.Command(ctx, dir, args...))
	return strings.TrimRight(out, "\n"), err
}

// output runs a command and returns its standard output without trailing newlines. When ctx is
// done, the command is interrupted, and killed five seconds later. What it starts, such as git by
// the go command, has nothing of the caller's variables of git.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = git.Environ()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = errors.Join(ctx.Err(), err)
		}
		return "", fmt.Errorf("%s %s: %w%s", name, strings.Join(args, " "), err, tail(stdout.String()+stderr.String()))
	}
	return strings.TrimRight(stdout.String(), "\n"), nil
}

// tail returns the last 20 lines of a failed command's output, for the end of an
// error message.
func tail(text string) string {
	const most = 20
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] == "" {
		return ""
	}
	return "\n\t" + strings.Join(lines[max(0, len(lines)-most):], "\n\t")
}
