package gittest

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pushdown/ci/git"
)

// Files returns the names of the files of the repository at root, in lexical order, with slashes.
// They are those that git tracks, so that a virtual environment, notes or a package of one's own
// are no concern of the tests. Without git, or where git does not track the folder, as in a
// downloaded archive, they are all files but those in .git and those that .gitignore names.
//
// A result in the test cache depends on the list only if the index of git is below root. This is
// not so in a linked worktree.
func Files(root string) ([]string, error) {
	if names := tracked(root); names != nil {
		return names, nil
	}
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "artifacts", "own"}, name):
			return fs.SkipDir
		case !d.IsDir() && name != ".git" && !slices.Contains([]string{".test", ".out", ".prof", ".journal"}, path.Ext(name)):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// tracked returns the files at root that git tracks and that exist. It returns nil if git does not
// track go.mod there.
func tracked(root string) []string {
	run := func(args ...string) string {
		out, _ := git.Output(git.Command(context.Background(), root, args...)) // an error is as no files
		return out
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(run("ls-files", "-z"), "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	if !slices.Contains(names, "go.mod") {
		return nil
	}
	index := strings.TrimSuffix(run("rev-parse", "--git-path", "index"), "\n")
	if !filepath.IsAbs(index) {
		index = filepath.Join(root, index)
	}
	os.Stat(index) // tells the test cache that the list depends on it
	slices.Sort(names)
	return slices.Compact(names) // a file with a conflict is listed for each side
}
