package results

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"

	"pushdown/harness/golden"
)

// At returns the folders golden and suites of a commit of the repository at root.
func At(root, commit string) (fs.FS, error) {
	cmd := exec.Command("git", "-C", root, "archive", "--format=zip", commit, "--", "golden", "suites")
	var text, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git archive %s: %w: %s", commit, err, strings.TrimSpace(complaint.String()))
	}
	files, err := zip.NewReader(bytes.NewReader(text.Bytes()), int64(text.Len()))
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
