package git

import (
	"archive/zip"
	"context"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"
)

// Source returns the commit of the sources of this program, which go run builds without a stamp: the one that is
// checked out in the working directory, with "+changed" if the tree has changes. It returns "" if there is none, or if
// the program is built in another module.
func Source() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !strings.HasPrefix(info.Path, info.Main.Path+"/") {
		return ""
	}
	head, err := Output(Command(context.Background(), ".", "rev-parse", "--short=12", "HEAD"))
	if err != nil {
		return ""
	}
	id := strings.TrimSpace(head)
	if changes, err := Output(Command(context.Background(), ".", "status", "--porcelain", "-uno")); err != nil || changes != "" {
		id += "+changed"
	}
	return id
}

// At returns folders of a commit of the repository at root.
func At(root, commit string, folders ...string) (fs.FS, error) {
	if err := Need("to read the files of " + commit); err != nil {
		return nil, err
	}
	hash, err := Output(Command(context.Background(), root, "rev-parse", "--verify", "--end-of-options", commit+"^{commit}"))
	if err != nil {
		return nil, fmt.Errorf("have %q, want a commit of this repository: %w", commit, err)
	}
	args := append([]string{"archive", "--format=zip", strings.TrimSpace(hash), "--"}, folders...)
	text, err := Output(Command(context.Background(), root, args...))
	if err != nil {
		return nil, err
	}
	return zip.NewReader(strings.NewReader(text), int64(len(text)))
}
