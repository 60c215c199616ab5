package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// A Change is a file to be replaced by [WriteAll].
type Change struct {
	Path string
	Text []byte // nil: the file is removed
}

// entry is a Change in a journal.
type entry struct {
	Path   string // relative to the folder of the journal, with forward slashes
	Before string // SHA-256 of the content before; empty if there was no file
	Text   []byte // the content after, in base64; null if the file is removed
}

// WriteAll replaces the content of several files, in the given order. Their folders must
// exist. If it fails before the journal, the file with the given name, is complete, nothing
// has changed. If it fails later, or the process is killed, the journal stays, and [Recover]
// replaces the remaining files. The caller must keep other processes from writing the files.
func WriteAll(journal string, changes []Change) error {
	var list []entry
	for _, c := range changes {
		rel, err := filepath.Rel(filepath.Dir(journal), c.Path)
		if err != nil {
			return err
		}
		e := entry{Path: filepath.ToSlash(rel), Text: c.Text}
		if e.Before, err = hash(c.Path); err != nil {
			return err
		}
		list = append(list, e)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if err := WriteFile(journal, text); err != nil {
		return err
	}
	return apply(journal, list)
}

// Recover completes an interrupted [WriteAll], if there is its journal. It returns an error
// if a file has neither the content from before nor the one from after the interrupted call.
func Recover(journal string) error {
	text, err := ReadFile(journal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list []entry
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return fmt.Errorf("journal of an interrupted update: %s: %w", journal, err)
	}
	for _, e := range list {
		name := filepath.Join(filepath.Dir(journal), filepath.FromSlash(e.Path))
		have, err := hash(name)
		if err != nil {
			return err
		}
		if have != e.Before && have != e.after() {
			return fmt.Errorf("%s: have a file changed since an update of it was interrupted, want it as before or after the update: remove %s to give up that update", name, journal)
		}
	}
	return apply(journal, list)
}

// apply makes the changes that are not made yet, and removes the journal.
func apply(journal string, list []entry) error {
	folders := []string{filepath.Dir(journal)}
	for _, e := range list {
		name := filepath.Join(filepath.Dir(journal), filepath.FromSlash(e.Path))
		if folder := filepath.Dir(name); !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
		have, err := hash(name)
		if err != nil {
			return err
		}
		if have == e.after() { // but the folder may not be synced
			continue
		}
		if e.Text == nil {
			err = Remove(name)
		} else {
			err = WriteFile(name, e.Text)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range folders { // a rename or a removal must not be lost after the journal is gone
		if err := syncFolder(f); err != nil {
			return err
		}
	}
	if err := Remove(journal); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(journal))
}

// after returns the SHA-256 of the content after the change.
func (e entry) after() string {
	if e.Text == nil {
		return ""
	}
	return hashOf(e.Text)
}

// hash returns the SHA-256 of a file, or "" if there is none.
func hash(name string) (string, error) {
	data, err := ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return hashOf(data), err
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
