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

	"pushdown/ci/gate/verdict"
)

// names are the sides. Their folders have names of one length, so that binaries
// of both differ in nothing else.
var names = [2]string{"base", "head"}

// A repo is the repository around the current folder.
type repo struct {
	root    string
	commits [2]string // full hashes
}

// open looks the two commits up.
func open(ctx context.Context, s *settings) (*repo, error) {
	root, err := output(ctx, ".", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("need a git repository around the current folder: %w", err)
	}
	r := &repo{root: root}
	for i, revision := range []string{s.base, s.head} {
		status := verdict.Unusable
		if i == 0 {
			status = verdict.Missing
		}
		hash, err := output(ctx, root, "git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
		if err != nil {
			return nil, &refusal{status, fmt.Errorf("%s: have %q, want a commit of %s%s", names[i], revision, root, shallow(ctx, root))}
		}
		r.commits[i] = hash
	}
	if r.commits[0] == r.commits[1] {
		return nil, fmt.Errorf("base and head: have %q and %q, which are one commit, %s, want two, such as HEAD~1 and HEAD", s.base, s.head, r.commits[0])
	}
	return r, r.clean(ctx, s.dirty)
}

// shallow is what a message about a missing commit ends with.
func shallow(ctx context.Context, root string) string {
	if out, err := output(ctx, root, "git", "rev-parse", "--is-shallow-repository"); err != nil || out != "true" {
		return ""
	}
	return ", which is a shallow clone: git fetch --unshallow brings the rest"
}

// clean refuses a working tree whose changes the caller may believe to be
// measured.
func (r *repo) clean(ctx context.Context, dirty bool) error {
	out, err := output(ctx, r.root, "git", "rev-parse", "HEAD")
	if err != nil || dirty || out != r.commits[0] && out != r.commits[1] {
		return err
	}
	changes, err := output(ctx, r.root, "git", "status", "--porcelain")
	if err != nil || changes == "" {
		return err
	}
	lines := strings.Split(changes, "\n")
	return fmt.Errorf("%s of the working tree in neither commit, such as %q: commit them, or leave them out with -dirty", verdict.Plural(len(lines), "change"), lines[0])
}

// folder is where a side is checked out.
func folder(temp string, side int) string { return filepath.Join(temp, names[side]) }

// checkOut makes the worktree of a side.
func (r *repo) checkOut(ctx context.Context, temp string, side int) error {
	_, err := output(ctx, r.root, "git", "worktree", "add", "--quiet", "--detach", folder(temp, side), r.commits[side])
	return err
}

// leave removes the worktrees that were made and the temporary folder. It does so
// when everything else has been interrupted, too, and touches nobody else's
// entries in git's list of worktrees. One whose making was cut short is locked,
// which the second --force overrides.
func (r *repo) leave(temp string) error {
	var errs []error
	for side := range names {
		if _, err := os.Stat(folder(temp, side)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		_, err := output(context.Background(), r.root, "git", "worktree", "remove", "--force", "--force", folder(temp, side))
		errs = append(errs, err)
	}
	return errors.Join(append(errs, os.RemoveAll(temp))...)
}

// command is a process that an interrupt ends.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// output runs a command and returns what it prints, without the last newline.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := command(ctx, dir, name, args...)
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

// tail returns the last lines of a failed command's output, each on a line of its
// own.
func tail(text string) string {
	const most = 20
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] == "" {
		return ""
	}
	return "\n\t" + strings.Join(lines[max(0, len(lines)-most):], "\n\t")
}
