package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pushdown/ci/git"
)

// Branch is the name of the branch that has the history.
const Branch = "bench"

// tries is the number of times that Add tries to push.
const tries = 20

// Add adds entries to the history in a branch of a remote: a name or an address, as git push
// takes them. It makes the branch if there is none. An entry replaces that of the same commit
// and machine, and must have all its benchmarks and units. The git repository around the current
// folder gets the objects; its local branches, index and files stay as they are. Add reports
// whether the history has changed.
func Add(ctx context.Context, remote, branch string, entries []*Entry) (changed bool, err error) {
	if err := git.Need("to add to the branch " + branch); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "history-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	g := repository{ctx: ctx, index: filepath.Join(temp, "index")}
	ref := "refs/heads/" + branch
	// Git takes @{-1} for the branch before, and refuses HEAD, which push would create.
	if name, err := g.run(nil, "check-ref-format", "--branch", branch); err != nil || name != branch || strings.HasPrefix(branch, "refs/") {
		return false, fmt.Errorf("branch: have %q, want the name of a branch, such as %s", branch, Branch)
	}
	// Someone else may push between the fetch and the push. Then the push fails, the tip is
	// another one, and the next try starts from there.
	before, failed := "", error(nil)
	for try := range tries {
		tip, err := g.tip(remote, ref)
		if err != nil {
			return false, err
		}
		if try > 0 && tip == before {
			return false, failed // nobody else has pushed
		}
		commit, err := g.commit(remote, ref, tip, entries)
		if err != nil || commit == "" {
			return false, err
		}
		if _, failed = g.run(nil, "push", "--quiet", "--", remote, commit+":"+ref); failed == nil {
			return true, nil
		}
		before = tip
		select {
		case <-ctx.Done():
			return false, failed
		case <-time.After(100 * time.Millisecond): // another push may still hold the lock of the branch
		}
	}
	return false, fmt.Errorf("after %d tries: %w", tries, failed)
}

// tip returns the commit of a branch of a remote, or "" if there is no such branch.
func (g *repository) tip(remote, ref string) (string, error) {
	out, err := g.run(nil, "ls-remote", "--", remote, ref)
	for line := range strings.Lines(out) { // also has refs that end with ref, such as refs/old/refs/heads/bench
		if tip, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); name == ref {
			return tip, err
		}
	}
	return "", err
}

// commit makes a commit that adds the entries to the tip. It returns "" if the tip has them.
func (g *repository) commit(remote, ref, tip string, entries []*Entry) (string, error) {
	old, parents := "", []string(nil)
	if tip == "" {
		if _, err := g.run(nil, "read-tree", "--empty"); err != nil {
			return "", err
		}
	} else {
		if _, err := g.run(nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--", remote, ref); err != nil {
			return "", err
		}
		if _, err := g.run(nil, "read-tree", tip); err != nil {
			return "", err
		}
		var err error
		if old, err = g.run(nil, "rev-parse", tip+"^{tree}"); err != nil {
			return "", err
		}
		parents = []string{"-p", tip}
	}
	var message strings.Builder
	message.WriteString("bench: add results\n\n")
	for _, e := range entries {
		if err := g.keeps(tip, e); err != nil {
			return "", err
		}
		blob, err := g.run(e.Data, "hash-object", "-w", "--stdin")
		if err != nil {
			return "", err
		}
		if _, err := g.run(nil, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+e.Path()); err != nil {
			return "", err
		}
		fmt.Fprintln(&message, e.Path())
	}
	tree, err := g.run(nil, "write-tree")
	if err != nil || tree == old {
		return "", err
	}
	return g.run([]byte(message.String()), append([]string{"commit-tree", tree}, parents...)...)
}

// keeps returns an error if the tip has an entry of the same commit and machine with benchmarks
// or units that e lacks.
func (g *repository) keeps(tip string, e *Entry) error {
	if tip == "" {
		return nil
	}
	if name, err := g.run(nil, "ls-tree", "--full-tree", "--name-only", tip, "--", e.Path()); err != nil || name == "" {
		return err
	}
	data, err := g.run(nil, "cat-file", "blob", tip+":"+e.Path())
	if err != nil {
		return err
	}
	have, want := measured(e.Data), measured([]byte(data))
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !have[name] {
			return fmt.Errorf("%s: have no %s, want all %d measurements that the branch has of this commit", e.Path(), name, len(want))
		}
	}
	return nil
}

// A repository is that around the current folder, with an index of its own.
type repository struct {
	ctx   context.Context
	index string
}

// run runs a git command and returns its output without the last newline.
func (g *repository) run(stdin []byte, args ...string) (string, error) {
	cmd := git.Command(g.ctx, ".", args...)
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+g.index)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := git.Output(cmd)
	return strings.TrimSuffix(out, "\n"), err
}
