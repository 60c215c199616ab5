package results

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"pushdown/ci/git"
	"pushdown/harness/golden"
)

// At returns the folders golden and suites of a commit of the repository at root.
func At(root, commit string) (fs.FS, error) {
	if err := git.Need("to read the files of " + commit); err != nil {
		return nil, err
	}
	run := func(args ...string) (string, error) {
		return git.Output(git.Command(context.Background(), root, args...))
	}
	hash, err := run("rev-parse", "--verify", "--end-of-options", commit+"^{commit}")
	if err != nil {
		return nil, err
	}
	text, err := run("archive", "--format=zip", strings.TrimSpace(hash), "--", "golden", "suites")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", commit, err)
	}
	files, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	return former{files}, err
}

// former holds the files of a commit. An old commit may have verdicts with former names of
// outcomes.
type former struct{ fs.FS }

var formerWords = regexp.MustCompile(`(?m)^(Verdict \S+) (reproduced|undecided) `)

// ReadFile reads a file. It replaces former names of outcomes by the present ones.
func (f former) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(f.FS, name)
	return formerWords.ReplaceAllFunc(text, func(line []byte) []byte {
		line = bytes.Replace(line, []byte(" reproduced "), []byte(" "+golden.Matches+" "), 1)
		return bytes.Replace(line, []byte(" undecided "), []byte(" "+golden.OpenRuns+" "), 1)
	}), err
}
