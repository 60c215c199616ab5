package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pushdown/ci/gate/regression"
	"pushdown/ci/git"
)

// Branch is the name of the branch that has the history.
const Branch = "bench"

const ref = "refs/heads/" + Branch

// tries is the number of times that Add tries to push.
const tries = 20

// Add adds entries to the history in the branch of a remote: a name or an address, as git push
// takes them. It makes the branch if there is none. An entry replaces that of the same commit
// and machine, and must have all its benchmarks and units. The git repository around the current
// folder gets the objects; its local branches, index and files stay as they are.
func Add(ctx context.Context, remote string, entries []*Entry) (err error) {
	if err := git.Need("to add to the branch " + Branch); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "history-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	// Someone else may push between the fetch and the push. Then the push fails, the tip is
	// another one, and the next try starts from there.
	before, failed := "", error(nil)
	for try := range tries {
		g := repository{ctx: ctx, index: filepath.Join(temp, "index"), remote: remote}
		tip := g.tip()
		if try > 0 && g.err == nil && tip == before {
			return failed // nobody else has pushed
		}
		commit := g.commit(tip, entries)
		if g.err != nil || commit == "" {
			return g.err
		}
		if g.run(nil, "push", "--quiet", "--", remote, commit+":"+ref); g.err == nil {
			return nil
		}
		before, failed = tip, g.err
		time.Sleep(100 * time.Millisecond) // another push may still hold the lock of the branch
	}
	return fmt.Errorf("after %d tries: %w", tries, failed)
}

// A repository is that around the current folder, with an index of its own.
type repository struct {
	ctx           context.Context
	index, remote string
	err           error // the first one; nothing runs after it
}

// run runs a git command and returns its output without the last newline.
func (g *repository) run(stdin []byte, args ...string) (out string) {
	if g.err == nil {
		cmd := git.Command(g.ctx, ".", args...)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+g.index)
		cmd.Stdin = bytes.NewReader(stdin)
		out, g.err = git.Output(cmd)
	}
	return strings.TrimSuffix(out, "\n")
}

// tip returns the commit of the branch, or "" if there is no such branch.
func (g *repository) tip() string {
	for line := range strings.Lines(g.run(nil, "ls-remote", "--", g.remote, ref)) { // also has refs that end with ref
		if tip, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == ref {
			return tip
		}
	}
	return ""
}

// commit makes a commit that adds the entries to the tip. It returns "" if the tip has them.
func (g *repository) commit(tip string, entries []*Entry) string {
	old, args := "", []string{"commit-tree"}
	if tip == "" {
		g.run(nil, "read-tree", "--empty")
	} else {
		g.run(nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--", g.remote, ref)
		g.run(nil, "read-tree", tip)
		old, args = g.run(nil, "rev-parse", tip+"^{tree}"), append(args, "-p", tip)
	}
	message := "bench: add results\n\n"
	for _, e := range entries {
		g.keeps(e)
		blob := g.run(e.Data, "hash-object", "-w", "--stdin")
		g.run(nil, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+e.Path())
		message += e.Path() + "\n"
	}
	tree := g.run(nil, "write-tree")
	if tree == old {
		return ""
	}
	return g.run([]byte(message), append(args, tree)...)
}

// keeps fails if the index has an entry of the same commit and machine with benchmarks or units
// that e lacks.
func (g *repository) keeps(e *Entry) {
	if g.run(nil, "ls-files", "--", ":(top,literal)"+e.Path()) == "" {
		return
	}
	old := regression.Text{Name: "the branch", Data: []byte(g.run(nil, "cat-file", "blob", ":"+e.Path()) + "\n")}
	for _, w := range regression.Judge(old, regression.Text{Name: e.Path(), Data: e.Data}, 0.5).Warnings {
		if w.Status == regression.Missing && g.err == nil {
			g.err = errors.New(w.Text)
		}
	}
}
