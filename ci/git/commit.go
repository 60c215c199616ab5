package git

import (
	"archive/zip"
	"context"
	"io/fs"
	"strings"
)

// At returns folders of a commit of the repository at root.
func At(root, commit string, folders ...string) (fs.FS, error) {
	if err := Need("to read the files of " + commit); err != nil {
		return nil, err
	}
	hash, err := Output(Command(context.Background(), root, "rev-parse", "--verify", "--end-of-options", commit+"^{commit}"))
	if err != nil {
		return nil, err
	}
	args := append([]string{"archive", "--format=zip", strings.TrimSpace(hash), "--"}, folders...)
	text, err := Output(Command(context.Background(), root, args...))
	if err != nil {
		return nil, err
	}
	return zip.NewReader(strings.NewReader(text), int64(len(text)))
}
