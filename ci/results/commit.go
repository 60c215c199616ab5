package results

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"

	"pushdown/harness/golden"
)

// At returns the folders golden and suites of a commit of the repository at root.
func At(root, commit string) (fs.FS, error) {
	hash, err := git(root, "rev-parse", "--verify", "--end-of-options", commit+"^{commit}")
	if err != nil {
		return nil, err
	}
	text, err := git(root, "archive", "--format=zip", strings.TrimSpace(string(hash)), "--", "golden", "suites")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", commit, err)
	}
	files, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	return former{files}, err
}

// git runs git in the repository at root and returns what it prints.
func git(root string, args ...string) ([]byte, error) {
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
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
