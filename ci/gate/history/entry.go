package history

import (
	"bytes"
	"crypto/sha256"
	"errors"
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
	Commit  string // 40 digits
	Time    time.Time
	Data    []byte // benchmark text
}

// Path returns the path of the file in the history.
func (e *Entry) Path() string { return e.Machine + "/" + e.Name }

// before reports whether e is of an earlier commit than other.
func (e *Entry) before(other *Entry) bool { return e.Name < other.Name }

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
	var machine []string // configuration lines
	r, w := benchfmt.NewReader(bytes.NewReader(text.Data), text.Name), benchfmt.NewWriter(&out)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			res.SetConfig("round", "")
			lines := describe(res)
			file, line := res.Pos()
			switch commit := res.GetConfig("commit"); {
			case machine == nil:
				if err := e.place(res, lines); err != nil {
					return nil, fmt.Errorf("%s:%d: %w", file, line, err)
				}
				machine = lines
			case commit != e.Commit:
				return nil, fmt.Errorf("%s:%d: commit: have %q after %q, want one commit", file, line, commit, e.Commit)
			case !slices.Equal(lines, machine):
				return nil, fmt.Errorf("%s:%d: have %s, want the environment of the first result: %s", file, line, differ(lines, machine), differ(machine, lines))
			}
		}
		if err := w.Write(r.Result()); err != nil {
			return nil, err
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	e.Data = out.Bytes()
	return e, nil
}

// measured returns package, name and unit of all measurements in a text.
func measured(data []byte) map[string]bool {
	list := make(map[string]bool)
	for r := benchfmt.NewReader(bytes.NewReader(data), ""); r.Scan(); {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			for _, v := range res.Values {
				list[res.GetConfig("pkg")+" "+res.Name.String()+" "+v.Unit] = true
			}
		}
	}
	return list
}

// describe returns the configuration lines that describe the machine, sorted.
func describe(res *benchfmt.Result) []string {
	var lines []string
	for _, c := range res.Config {
		if c.File && !slices.Contains(ownLines, c.Key) {
			lines = append(lines, c.Key+": "+string(c.Value))
		}
	}
	slices.Sort(lines)
	return lines
}

// differ lists the lines that others does not have.
func differ(lines, others []string) string {
	list := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(others, l) })
	if len(list) == 0 {
		return "no other line"
	}
	return strings.Join(list, ", ")
}

// place sets the names of the entry.
func (e *Entry) place(res *benchfmt.Result, lines []string) error {
	var errs []error
	var name []string
	for _, key := range []string{"goos", "goarch", "cpu", "device"} {
		if value := res.GetConfig(key); value != "" {
			name = append(name, value)
		} else {
			errs = append(errs, fmt.Errorf("have no line %q, want one that describes the machine", key+":"))
		}
	}
	e.Commit = res.GetConfig("commit")
	if !hash.MatchString(e.Commit) {
		errs = append(errs, fmt.Errorf("commit: have %q, want 40 digits, as ci/compare writes them", e.Commit))
	}
	at, err := time.Parse(time.RFC3339, res.GetConfig("commit-time"))
	if err != nil {
		errs = append(errs, fmt.Errorf("commit-time: have %q, want a time such as 2026-01-31T10:20:30Z, as ci/compare writes it", res.GetConfig("commit-time")))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	e.Time = at.UTC()
	e.Name = e.Time.Format(stamp) + "-" + e.Commit[:12] + ".txt"
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	e.Machine = strings.Trim(other.ReplaceAllString(strings.ToLower(strings.Join(name, "-")), "-"), "-") + fmt.Sprintf("-%x", sum[:4])
	return nil
}
