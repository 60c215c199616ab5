package history

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"pushdown/ci/gate/regression"
)

// An Entry holds the results of a commit on a machine.
type Entry struct {
	Machine string // the name of its folder
	Name    string // the name of its file: sorted by name, entries are in the order of time
	Data    []byte // benchmark text
}

// Path returns the path of the file in the history.
func (e *Entry) Path() string { return e.Machine + "/" + e.Name }

// stamp is the layout of times in the names of files.
const stamp = "20060102T150405Z"

var (
	hash  = regexp.MustCompile(`^[0-9a-f]{40}$`)
	other = regexp.MustCompile(`[^a-z0-9]+`)
)

// ownLines are the configuration lines that do not describe the machine.
var ownLines = append(strings.Split(regression.Varying, ","), "pkg")

// Parse reads benchmark text and returns it as an entry, in the form in which the history
// keeps it: without round lines and repeated lines. It returns an error if the text is damaged,
// if a run failed, if it has no results, or if its results are not of one commit and one
// environment.
func Parse(text regression.Text) (*Entry, error) {
	if err := regression.Check(text); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := &Entry{}
	r, w := benchfmt.NewReader(bytes.NewReader(text.Data), text.Name), benchfmt.NewWriter(&out)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			res.SetConfig("round", "")
			of, err := place(res)
			if e.Name == "" {
				e = &of
			} else if err == nil && of.Path() != e.Path() {
				err = fmt.Errorf("have a result that belongs into %s after one for %s, want one commit and equal configuration lines", of.Path(), e.Path())
			}
			if err != nil {
				file, line := res.Pos()
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
		}
		if err := w.Write(r.Result()); err != nil {
			return nil, err
		}
	}
	e.Data = out.Bytes()
	return e, r.Err()
}

// place returns an entry with the names of the folder and the file to which a result belongs.
func place(res *benchfmt.Result) (e Entry, err error) {
	var name []string
	for _, key := range []string{"goos", "goarch", "cpu", "device"} {
		value := res.GetConfig(key)
		if value == "" {
			return e, fmt.Errorf("have no line %q, want one that describes the machine", key+":")
		}
		name = append(name, value)
	}
	commit, date := res.GetConfig("commit"), res.GetConfig("commit-time")
	if !hash.MatchString(commit) {
		return e, fmt.Errorf("commit: have %q, want 40 digits, as ci/compare writes them", commit)
	}
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return e, fmt.Errorf("commit-time: have %q, want a time such as 2026-01-31T10:20:30Z, as ci/compare writes it", date)
	}
	var lines []string
	for _, c := range res.Config {
		if c.File && !slices.Contains(ownLines, c.Key) {
			lines = append(lines, c.Key+": "+string(c.Value))
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	e.Name = at.UTC().Format(stamp) + "-" + commit[:12] + ".txt"
	e.Machine = strings.Trim(other.ReplaceAllString(strings.ToLower(strings.Join(name, "-")), "-"), "-") + fmt.Sprintf("-%x", sum[:4])
	return e, nil
}
