package gittest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pushdown/ci/git"
)

// Files returns the names of the files of the repository at root, in lexical order, with slashes.
// They are those that git tracks, so that a virtual environment, notes or a package of one's own
// are no concern of the tests. Without git, or where git does not track the folder, as in a
// downloaded archive, they are all files but those that .gitignore names and those in folders
// that are not the repository's by their names, such as .venv.
//
// A result in the test cache depends on the list only if the index of git is below root. This is
// not so in a linked worktree.
func Files(root string) ([]string, error) {
	names, err := tracked(root)
	if _, absent := os.Lstat(filepath.Join(root, ".git")); absent != nil || errors.Is(err, exec.ErrNotFound) {
		err = nil
	}
	if err != nil || names != nil {
		return names, err
	}
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"artifacts", "own"}, name) || foreign(d.Name())):
			return fs.SkipDir
		case !d.IsDir() && name != ".git" && !slices.Contains([]string{".test", ".out", ".prof", ".pyc"}, path.Ext(name)):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// foreign reports whether a folder of that name belongs to git, to an editor or to another tool.
func foreign(name string) bool {
	return len(name) > 1 && name[0] == '.' && name != ".ci" && name != ".github"
}

// tracked returns the files at root that git tracks and that exist. It returns nil if git does not
// track go.mod there.
func tracked(root string) ([]string, error) {
	run := func(args ...string) (string, error) {
		return git.Output(git.Command(context.Background(), root, args...))
	}
	out, err := run("ls-files", "-z")
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	if !slices.Contains(names, "go.mod") {
		return nil, nil
	}
	index, err := run("rev-parse", "--git-path", "index")
	if err != nil {
		return nil, err
	}
	index = strings.TrimSuffix(index, "\n")
	if !filepath.IsAbs(index) {
		index = filepath.Join(root, index)
	}
	os.Stat(index) // tells the test cache that the list depends on it
	slices.Sort(names)
	return slices.Compact(names), nil // a file with a conflict is listed for each side
}
