package suite

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A Variable describes an environment variable.
type Variable struct {
	Name    string // PUSHDOWN_...
	Values  string // the values that the variable accepts
	Default string // the value if it is unset
	Meaning string // one line
}

// Variables lists every environment variable that this project reads, sorted by
// name.
func Variables() []Variable {
	return []Variable{
		{"PUSHDOWN_CORPORA", "an absolute path", "pushdown/corpora in the user's cache folder", "where the text corpora lie"},
		{"PUSHDOWN_DEVICE", "cpu, cuda, cuda-graphs, emulated or emulated-graphs", "cpu", "what computes; the bits do not depend on it; emulated is an interpreter of the GPU's kernels, for tests"},
		{"PUSHDOWN_ISA", "generic, avx2, avx512 or neon", "the best there is", "instruction set of the CPU kernels; the bits do not depend on it"},
		{"PUSHDOWN_REQUIRE", "a list such as avx512,ptb", "nothing", "tests that lack one of these fail instead of skipping; long adds the checks that a plain go test leaves out for their time"},
		{"PUSHDOWN_RESUME", "0, 1 or only", "1 at paper scale, else 0", "read finished runs back and go on from the saved state of interrupted ones; only leaves out the others"},
		{"PUSHDOWN_SCALE", "smoke, ci or paper", "ci, with -short smoke", "the size of the experiments"},
		{"PUSHDOWN_SHARD", "i/n, 1 <= i <= n", "1/1", "run the i-th of n parts"},
		{"PUSHDOWN_STATE", "an absolute path", "pushdown in the user's cache folder", "where finished runs leave results and interrupted ones their state"},
		{"PUSHDOWN_THREADS", "1 to 256", "1", "threads of one experiment; the bits do not depend on it"},
	}
}

// prefix is the common prefix of the variables.
const prefix = "PUSHDOWN_"

// unknownVariables returns an error for each variable in environ that has the
// prefix and is not one of Variables.
func unknownVariables(environ []string) []error {
	var errs []error
	for _, line := range environ {
		name, _, _ := strings.Cut(line, "=")
		if !strings.HasPrefix(name, prefix) || slices.ContainsFunc(Variables(), func(v Variable) bool { return v.Name == name }) {
			continue
		}
		errs = append(errs, fmt.Errorf("%s: have an unknown variable, want %s or another of %s", name, nearest(name), strings.Join(suffixes(), ", ")))
	}
	return errs
}

// suffixes returns the names of the variables in a short form: PUSHDOWN_CORPORA,
// _DEVICE and so on.
func suffixes() (list []string) {
	for _, v := range Variables() {
		list = append(list, strings.TrimPrefix(v.Name, "PUSHDOWN"))
	}
	list[0] = "PUSHDOWN" + list[0]
	return list
}

// nearest returns the variable whose name has the longest common prefix with the given name. If
// several have it, it returns the first.
func nearest(name string) string {
	return slices.MaxFunc(Variables(), func(a, b Variable) int { return common(a.Name, name) - common(b.Name, name) }).Name
}

// common returns the length of the common prefix of a and b.
func common[T ~string | ~[]byte](a, b T) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// set returns the variables that are set, in the form NAME=value, sorted by name.
func set() []string {
	var list []string
	for _, v := range Variables() {
		if value := os.Getenv(v.Name); value != "" {
			list = append(list, v.Name+"="+value)
		}
	}
	return list
}
