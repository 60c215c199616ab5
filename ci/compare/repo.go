package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"pushdown/ci/gate/regression"
	"pushdown/ci/git"
)

// names are the names of the sides, and of the folders in which they are built. They have
// the same length. So the file paths in both binaries have the same length, too, and make
// no difference between the layouts of the binaries.
var names = [2]string{"base", "head"}

// A repo is the git repository that contains the current folder.
type repo struct {
	root    string
	commits [2]string // full hashes
}

// open finds the repository and resolves the two commits.
func open(ctx context.Context, s *settings) (*repo, error) {
	if err := git.Need("to check out base and head"); err != nil {
		return nil, err
	}
	root, err := ask(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("current folder: have no git repository, want one: %w", err)
	}
	r := &repo{root: root}
	for i, revision := range []string{s.base, s.head} {
		status := regression.Unusable
		if i == 0 {
			status = regression.Missing
		}
		hash, err := ask(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
		if err != nil {
			return nil, &statusError{status, fmt.Errorf("%s: have %q, want a commit of %s%s", names[i], revision, root, shallow(ctx, root))}
		}
		r.commits[i] = hash
	}
	if r.commits[0] == r.commits[1] {
		return nil, fmt.Errorf("base and head: have %q and %q, which are the same commit %s, want two commits, such as HEAD~1 and HEAD", s.base, s.head, r.commits[0])
	}
	return r, r.clean(ctx, s.dirty)
}

// shallow returns a hint for a message about a missing commit, or "" if the
// repository is not a shallow clone.
func shallow(ctx context.Context, root string) string {
	if out, err := ask(ctx, root, "rev-parse", "--is-shallow-repository"); err != nil || out != "true" {
		return ""
	}
	return ", which is a shallow clone: git fetch --unshallow fetches the other commits"
}

// clean returns an error if there are uncommitted changes that the caller may expect to be
// measured. This is so if base or head is checked out in the working tree and the working
// tree has changes. The parameter dirty permits such changes.
func (r *repo) clean(ctx context.Context, dirty bool) error {
	out, err := ask(ctx, r.root, "rev-parse", "HEAD")
	if err != nil || dirty || out != r.commits[0] && out != r.commits[1] {
		return err
	}
	changes, err := ask(ctx, r.root, "status", "--porcelain")
	if err != nil || changes == "" {
		return err
	}
	lines := strings.Split(changes, "\n")
	return fmt.Errorf("working tree: have %s in neither commit, such as %q, want none: commit them, or ignore them with -dirty", regression.Plural(len(lines), "change"), lines[0])
}

// folder returns the folder in which a side is checked out.
func folder(temp string, side int) string { return filepath.Join(temp, names[side]) }

// checkOut makes the worktree of a side.
func (r *repo) checkOut(ctx context.Context, temp string, side int) error {
	_, err := ask(ctx, r.root, "worktree", "add", "--quiet", "--detach", folder(temp, side), r.commits[side])
	return err
}

// leave removes the worktrees that checkOut made and the temporary folder, even after an
// interrupt. It removes no other entries from git's list of worktrees. The flag --force is
// given twice because an interrupted git may leave a worktree locked.
func (r *repo) leave(temp string) error {
	var errs []error
	for side := range names {
		if _, err := os.Stat(folder(temp, side)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		_, err := ask(context.Background(), r.root, "worktree", "remove", "--force", "--force", folder(temp, side))
		errs = append(errs, err)
	}
	return errors.Join(append(errs, os.RemoveAll(temp))...)
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
