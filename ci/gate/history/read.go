package history

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pushdown/ci/gate/regression"
)

// A Source is a folder that has a history.
type Source struct {
	Folder string    // empty for no history
	After  time.Time // earlier commits do not count
}

// Flags defines the flags that set the source.
func (s *Source) Flags(flags *flag.FlagSet) {
	flags.Func("history", "also judge head by the history in this `folder`", func(value string) error {
		s.Folder = value
		if info, err := os.Stat(value); err != nil || !info.IsDir() {
			return errors.New("have no such folder, want one, which may be empty")
		}
		return nil
	})
	flags.TextVar(&s.After, "after", time.Time{}, "of the history, take only commits from this `time` on")
}

// Judge judges head by the history and adds the outcome to the report. Without a history it
// does nothing.
func (s *Source) Judge(rep *regression.Report, head regression.Text) {
	if s.Folder == "" {
		return
	}
	e, err := Parse(head)
	var earlier []regression.Text
	if err == nil {
		earlier, err = s.earlier(e)
	}
	if err != nil {
		rep.Warn(regression.Unusable, "history: %v", err)
		return
	}
	rep.JudgeHistory(earlier, regression.Text{Name: head.Name, Data: e.Data})
}

// earlier returns the texts of the commits before e on its machine, oldest first.
func (s *Source) earlier(e *Entry) (list []regression.Text, err error) {
	files, err := os.ReadDir(filepath.Join(s.Folder, e.Machine)) // sorted by name
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".txt") || f.Name() >= e.Name || f.Name() < s.After.UTC().Format(stamp) {
			continue
		}
		name := filepath.Join(s.Folder, e.Machine, f.Name())
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		old, err := Parse(regression.Text{Name: name, Data: data})
		if err != nil {
			return nil, err
		}
		if old.Machine != e.Machine || old.Name != f.Name() {
			return nil, fmt.Errorf("%s: have results that belong into %s, want them there", name, old.Path())
		}
		list = append(list, regression.Text{Name: name, Data: data})
	}
	return list, nil
}
