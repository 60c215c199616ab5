package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pushdown/harness/disk"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
)

// A merger brings result files together. The keys of its maps are hashes of experiments.
type merger struct {
	known  map[string]suite.Expected // all runs of the suites at the scale
	wanted map[string]bool           // those that must be there
	found  map[string]string         // the files of the results
	seen   map[string]bool           // those that have a file, also a refused one
	notes  []string                  // what is worth knowing and no reason to refuse
	copied int
}

// there returns the number of wanted results that were found.
func (m *merger) there() (n int) {
	for hash := range m.wanted {
		if m.found[hash] != "" {
			n++
		}
	}
	return n
}

// merge copies the results in the state folders to the state folder out, unless it refuses
// something. It checks all files first, those of out too.
func (m *merger) merge(out string, folders []string, partial bool) (refused []string, err error) {
	var objections []*objection
	results := suite.ResultFolder(out)
	if _, err := os.Stat(out); err == nil {
		folders = append([]string{out}, folders...)
	}
	for _, folder := range folders {
		more, err := m.collect(folder)
		if err != nil {
			return refused, err
		}
		objections = append(objections, more...)
	}
	refused = summed(objections)
	if missing := m.missing(); partial && len(missing) > 0 {
		m.notes = append(m.notes, missing[:len(missing)-1]...)
	} else {
		refused = append(refused, missing...)
	}
	if len(refused) == 0 && len(m.found) == 0 {
		refused = []string{"have no result in any folder, want some"}
	}
	if len(refused) == 0 {
		refused, err = m.remeasure(results)
	}
	if len(refused) > 0 || err != nil {
		return refused, err
	}
	if err := disk.MkdirAll(results); err != nil {
		return nil, err
	}
	for _, hash := range slices.Sorted(maps.Keys(m.found)) {
		from, to := m.found[hash], filepath.Join(results, hash+".safetensors")
		if from == to {
			continue
		}
		if err := copyNew(from, to); err != nil {
			return nil, err
		}
		m.copied++
	}
	return nil, nil
}

// remeasure measures the results again that are not yet in the given folder, and returns an objection to each
// that says anything else.
func (m *merger) remeasure(folder string) (refused []string, err error) {
	dev, err := suite.OpenDevice()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	for _, hash := range slices.Sorted(maps.Keys(m.found)) {
		if file := m.found[hash]; filepath.Dir(file) != folder {
			if err := m.known[hash].Remeasure(dev, file); err != nil {
				refused = append(refused, "forged: "+err.Error())
			}
		}
	}
	return refused, nil
}

// resultName matches the name of a result file.
var resultName = regexp.MustCompile(`^[0-9a-f]{64}\.safetensors$`)

// collect looks at the result files in a state folder, of every version of the numeric
// contract. It records those that can be merged and returns an objection to each other one.
// Files whose names begin with a dot are temporary files of a process that was killed.
func (m *merger) collect(folder string) (refused []*objection, err error) {
	if _, err := os.ReadDir(folder); err != nil {
		return nil, err
	}
	files, err := fs.Glob(os.DirFS(folder), "contract-*/results/[^.]*")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		m.notes = append(m.notes, fmt.Sprintf("%s: has no results", folder))
	}
	for _, file := range files {
		err := m.take(filepath.Join(folder, filepath.FromSlash(file)))
		if o, ok := errors.AsType[*objection](err); ok {
			refused = append(refused, o)
		} else if err != nil {
			return nil, err
		}
	}
	return refused, nil
}

// take records a result file. The error says why it cannot be merged.
func (m *merger) take(file string) error {
	refuse := func(kind, format string, args ...any) error {
		return &objection{kind, fmt.Sprintf("%s: "+format, append([]any{file}, args...)...)}
	}
	hash := strings.TrimSuffix(filepath.Base(file), ".safetensors")
	m.seen[hash] = true
	if !resultName.MatchString(filepath.Base(file)) {
		return refuse("", "have this name, want 64 hexadecimal digits and .safetensors")
	}
	r, err := suite.ReadResult(file)
	if err != nil {
		return &objection{"", fmt.Sprintf("corrupt: %v", err)}
	}
	x := m.known[hash]
	folder, version := suite.ResultFolder(""), kernel.ContractVersion
	switch {
	case !strings.HasSuffix(filepath.Dir(file), folder):
		return refuse("another contract", "another contract: have a result of %s here, want it in %s", r.Row.Name, folder)
	case r.Origin.Contract != version:
		return refuse("another contract", "another contract: have version %d, want %d", r.Origin.Contract, version)
	case r.Experiment != hash:
		return refuse("", "another experiment: have the result of %s, with the hash %s, want the hash in the name of the file", r.Row.Name, r.Experiment)
	case x.Name != r.Row.Name:
		return refuse("another experiment", "another experiment: have %s at scale %s, want one that the suites have at the scale (-suite and -scale name them)", r.Row.Name, r.Scale)
	}
	first := m.found[hash]
	if first == "" {
		m.found[hash] = file
		return nil
	}
	if same, err := sameBytes(first, file); err != nil || same {
		return err
	}
	other, err := suite.ReadResult(first)
	if err != nil {
		return err
	}
	why, err := x.Difference(r, other)
	if err != nil {
		return err
	}
	if why != "" {
		return &objection{"", fmt.Sprintf("%s: twice and different: %s and %s: %s", x.Name, file, first, why)}
	}
	m.notes = append(m.notes, fmt.Sprintf("%s: was trained twice with the same result: %s is used, %s is not", x.Name, first, file))
	return nil
}

// sameBytes reports whether two files have the same content.
func sameBytes(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(b)
	return bytes.Equal(x, y), err
}

// copyNew copies a result file. If to has appeared since the files were checked, it returns
// an error and replaces nothing.
func copyNew(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s: have a new file, want none: run the command again", to))
	}
	return disk.WriteFile(to, text)
}
