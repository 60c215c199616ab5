package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pushdown/harness/checkpoint"
	"pushdown/harness/kernel/cpu"
)

// Scale is the size at which experiments run.
type Scale string

// The scales.
const (
	Smoke Scale = "smoke" // small experiments that only exercise the code
	CI    Scale = "ci"    // experiments that are reduced where needed but still learn something
	Paper Scale = "paper" // the paper's own sizes, data, epochs and seeds
)

// Settings holds the values of the environment variables.
type Settings struct {
	Scale   Scale
	Device  string   // a name in devices
	ISA     cpu.ISA  // the instruction set of the CPU kernels
	Threads int      // the number of threads of one experiment
	Shard   Shard    // the shard that this process runs
	Require []string // needs without which a test fails instead of being skipped, sorted
	Resume  bool     // whether to read results and checkpoints
	Only    bool     // whether to skip runs that have no result
	State   string   // folder of saved state, empty if there is no cache folder
	Corpora string   // folder of the text corpora, empty for the cache folder
}

// Current returns the settings that Main has read. If Main has not run, it reads them, and
// panics if they are invalid.
//
// It also looks up every variable by name. Otherwise go test would not know that the test
// depends on the variables, and would reuse a cached result after one of them has changed.
func Current() *Settings {
	for _, v := range Variables() {
		os.Getenv(v.Name)
	}
	s, err := current()
	if err != nil {
		panic(err)
	}
	return s
}

var current = sync.OnceValues(func() (*Settings, error) { return Parse(testing.Short()) })

// Parse reads the environment. short is the value of testing.Short. The error names
// every invalid variable, its value and the values that the variable may have.
func Parse(short bool) (*Settings, error) {
	s := &Settings{}
	var e [8]error
	s.Scale, e[0] = parseScale(os.Getenv("PUSHDOWN_SCALE"), short)
	s.Device, e[1] = parseDevice(os.Getenv("PUSHDOWN_DEVICE"))
	s.ISA, e[2] = cpu.ISAFromEnv()
	s.Threads, e[3] = parseThreads(os.Getenv("PUSHDOWN_THREADS"))
	s.Shard, e[4] = parseShard(os.Getenv("PUSHDOWN_SHARD"))
	s.Require, e[5] = parseRequire(os.Getenv("PUSHDOWN_REQUIRE"))
	s.Resume, s.Only, e[6] = parseResume(os.Getenv("PUSHDOWN_RESUME"), s.Scale)
	s.Corpora, e[7] = parseFolder("PUSHDOWN_CORPORA")
	var err error
	s.State, err = checkpoint.RootFromEnv()
	if os.Getenv(checkpoint.StateVariable) == "" && s.Scale != Paper && !s.Resume {
		err = nil // a run does without a folder
	}
	if err := errors.Join(append(unknownVariables(os.Environ()), append(e[:], err)...)...); err != nil {
		return nil, err
	}
	return s, nil
}

func parseScale(value string, short bool) (Scale, error) {
	s := Scale(value)
	switch {
	case value == "" && short:
		return Smoke, nil
	case value == "":
		return CI, nil
	case s != Smoke && s != CI && s != Paper:
		return "", fmt.Errorf("PUSHDOWN_SCALE: have %q, want smoke, ci or paper", value)
	case short && s != Smoke:
		return "", fmt.Errorf("PUSHDOWN_SCALE: have %s together with -short, want smoke or no -short", value)
	}
	return s, nil
}

// maxThreads is the largest value of PUSHDOWN_THREADS.
const maxThreads = 256

func parseThreads(value string) (int, error) {
	if value == "" {
		return 1, nil
	}
	n, ok := decimal(value)
	if !ok || n < 1 || n > maxThreads {
		return 0, fmt.Errorf("PUSHDOWN_THREADS: have %q, want a number from 1 to %d", value, maxThreads)
	}
	return n, nil
}

func parseResume(value string, scale Scale) (resume, only bool, err error) {
	switch value {
	case "":
		return scale == Paper, false, nil
	case "0", "1", "only":
		return value != "0", value == "only", nil
	}
	return false, false, fmt.Errorf("PUSHDOWN_RESUME: have %q, want 0, 1 or only", value)
}

// parseRequire parses a list of needs. It returns an error if the machine lacks an
// instruction set or a GPU in the list. Tests check the other needs.
func parseRequire(value string) ([]string, error) {
	if value == "" {
		return nil, nil
	}
	fail := func(format string, args ...any) ([]string, error) {
		return nil, fmt.Errorf("PUSHDOWN_REQUIRE: "+format, args...)
	}
	list := strings.Split(value, ",")
	for i, need := range list {
		if !slices.Contains(Needs(), need) {
			return fail("have %q, want names out of %s, separated by commas", need, strings.Join(Needs(), ", "))
		}
		if slices.Contains(list[:i], need) {
			return fail("have %s twice, want it once", need)
		}
	}
	for _, isa := range cpu.AllISAs() {
		if slices.Contains(list, isa.String()) && !slices.Contains(cpu.Available(), isa) {
			return fail("have %s, want what this machine and build have: %v", isa, cpu.Available())
		}
	}
	if slices.Contains(list, "gpu") {
		if err := devices["cuda"].probe(); err != nil {
			return fail("have gpu, want a GPU that answers: %w", err)
		}
	}
	slices.Sort(list)
	return list, nil
}

// parseFolder returns the value of the environment variable with the given name,
// which must be the absolute path of an existing folder. It returns "" if the
// variable is unset or empty.
func parseFolder(name string) (string, error) {
	dir := os.Getenv(name)
	if dir == "" {
		return "", nil
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s: have %q, want an absolute path", name, dir)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("%s: have %w, want a folder", name, err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s: have %q, which is a file, want a folder", name, dir)
	}
	return filepath.Clean(dir), nil
}

// decimal parses a decimal number without sign or leading zeros.
func decimal(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && strconv.Itoa(n) == s && n >= 0
}
