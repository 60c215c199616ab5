package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"pushdown/harness/disk"
)

// Metadata keys that Key.Stamp sets and Key.Check compares.
const (
	MetaExperiment = "experiment-sha256" // Key.Experiment
	MetaContract   = "contract"          // Key.Contract
	MetaBuild      = "build"             // Key.Build, absent if empty
)

// Key identifies the run to which a state belongs. State with another key is never
// used.
type Key struct {
	// Experiment is the SHA-256 of the experiment's description, in lower-case
	// hexadecimal.
	Experiment string
	// Contract is the version of the numeric contract.
	Contract string
	// Build, if not empty, binds the state to one build of the program; see BuildID.
	Build string
}

var (
	hexKey      = regexp.MustCompile(`^[0-9a-f]{64}$`)
	contractKey = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,31}$`)
	buildKey    = regexp.MustCompile(`^([0-9a-f]{1,64})?$`)
)

func (k Key) validate() error {
	switch {
	case !hexKey.MatchString(k.Experiment):
		return fmt.Errorf("checkpoint: experiment hash: have %q, want 64 lower-case hexadecimal digits", k.Experiment)
	case !contractKey.MatchString(k.Contract):
		return fmt.Errorf("checkpoint: contract version: have %q, want letters, digits, '.', '_' and '-', at most 32", k.Contract)
	case !buildKey.MatchString(k.Build):
		return fmt.Errorf("checkpoint: build: have %q, want at most 64 lower-case hexadecimal digits", k.Build)
	}
	return nil
}

// Stamp sets the metadata of f that identifies the run.
func (k Key) Stamp(f *File) {
	if f.Meta == nil {
		f.Meta = make(map[string]string)
	}
	f.Meta[MetaExperiment] = k.Experiment
	f.Meta[MetaContract] = k.Contract
	delete(f.Meta, MetaBuild)
	if k.Build != "" {
		f.Meta[MetaBuild] = k.Build
	}
}

// Check returns an error if the metadata of f is missing or belongs to another key.
func (k Key) Check(f *File) error {
	for _, m := range []struct{ key, need string }{
		{MetaExperiment, k.Experiment}, {MetaContract, k.Contract}, {MetaBuild, k.Build},
	} {
		if have := f.Meta[m.key]; have != m.need {
			return f.errorf("metadata %q: have %q, want %q: the state is of another run", m.key, have, m.need)
		}
	}
	return nil
}

// Path returns the checkpoint file of this key below root (see RootFromEnv) and
// creates its folder on fsys:
//
//	<root>/contract-<version>/<experiment hash>[-<build>]/<name>.safetensors
//
// It returns an error if the folder cannot be created or written.
func (k Key) Path(fsys disk.FS, root, name string) (string, error) {
	if err := k.validate(); err != nil {
		return "", err
	}
	if !contractKey.MatchString(name) {
		return "", fmt.Errorf("checkpoint: file name: have %q, want letters, digits, '.', '_' and '-', at most 32", name)
	}
	folder := k.Experiment
	if k.Build != "" {
		folder += "-" + k.Build
	}
	dir := filepath.Join(root, "contract-"+k.Contract, folder)
	if err := writable(fsys, dir); err != nil {
		return "", fmt.Errorf("checkpoint: state folder %s: have %w, want a folder that can be written (set %s)", dir, err, StateVariable)
	}
	return filepath.Join(dir, name+".safetensors"), nil
}

// writable creates the folder and checks that files can be created in it.
func writable(fsys disk.FS, dir string) error {
	for {
		if err := fsys.MkdirAll(dir); err != nil {
			return err
		}
		if err := fsys.Probe(dir); !errors.Is(err, fs.ErrNotExist) { // if it does not exist, a run that ended has just removed it
			return err
		}
	}
}

// StateVariable is the environment variable that names the state folder.
const StateVariable = "PUSHDOWN_STATE"

// RootFromEnv returns the state folder: PUSHDOWN_STATE if set, or else pushdown in
// the user's cache folder. PUSHDOWN_STATE must be an absolute path, because the
// tests of each package run in the folder of that package. RootFromEnv creates
// nothing.
func RootFromEnv() (string, error) {
	if dir := os.Getenv(StateVariable); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("%s: have %q, want an absolute path", StateVariable, dir)
		}
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return "", fmt.Errorf("%s: have %q, which is a file, want a folder", StateVariable, dir)
		}
		return filepath.Clean(dir), nil
	}
	return disk.CacheFolder(StateVariable)
}

// BuildID returns an identifier of the running program: the first 16 hexadecimal
// digits of the SHA-256 of its file. It changes with any change of code, build flags
// or toolchain.
func BuildID() (string, error) { return buildID() }

var buildID = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("checkpoint: build: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("checkpoint: build: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("checkpoint: build: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
})
