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
	flags.StringVar(&s.Folder, "history", "", "also judge head by the history in this `folder`")
	flags.Func("after", "of the history, take only commits from this `time` on, such as 2026-01-31", func(value string) (err error) {
		if s.After, err = time.Parse(time.DateOnly, value); err != nil {
			if s.After, err = time.Parse(time.RFC3339, value); err != nil {
				return errors.New("want a time such as 2026-01-31 or 2026-01-31T10:20:30Z")
			}
		}
		return nil
	})
}

// Check returns an error if the folder does not exist.
func (s *Source) Check() error {
	if s.Folder == "" {
		if !s.After.IsZero() {
			return errors.New("have -after without -history, want both or only -history")
		}
		return nil
	}
	if info, err := os.Stat(s.Folder); err != nil || !info.IsDir() {
		return fmt.Errorf("-history: have no folder %s, want one, which may be empty", s.Folder)
	}
	return nil
}

// Judge judges head by the history and adds the outcome to the report. Without a history it
// does nothing.
func (s *Source) Judge(rep *regression.Report, head regression.Text) {
	if s.Folder == "" {
		return
	}
	e, err := Parse(head)
	if err != nil {
		rep.Fault(regression.Unusable, fmt.Errorf("history: %w", err))
		return
	}
	earlier, err := s.earlier(e)
	if err != nil {
		rep.Fault(regression.Unusable, fmt.Errorf("history: %w", err))
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
		if !strings.HasSuffix(f.Name(), ".txt") {
			continue
		}
		name := filepath.Join(s.Folder, e.Machine, f.Name())
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		old, err := Parse(regression.Text{Name: name, Data: data})
		switch {
		case err != nil:
			return nil, err
		case old.Machine != e.Machine || old.Name != f.Name():
			return nil, fmt.Errorf("%s: have results that belong into %s, want them there", name, old.Path())
		case old.before(e) && !old.Time.Before(s.After):
			list = append(list, regression.Text{Name: name, Data: data})
		}
	}
	return list, nil
}
