package suite

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// failures lists the summarized tests that have failed, in the order in which they ended.
var failures struct {
	sync.Mutex
	tests []string
}

// Summarize makes [Main] name t after all other output if t fails. Otherwise the failure of
// one run would be lost among the lines of the others.
func Summarize(t *testing.T) {
	t.Cleanup(func() {
		if t.Failed() {
			failures.Lock()
			defer failures.Unlock()
			failures.tests = append(failures.tests, t.Name())
		}
	})
}

// summary returns the text that names the tests that have failed, or "" if there are none. It
// leaves out a test that failed with one of its subtests.
func summary(tests []string) string {
	const most = 20
	tests = slices.DeleteFunc(slices.Clone(tests), func(name string) bool {
		return slices.ContainsFunc(tests, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
	if len(tests) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "pushdown: failed tests: %d\n", len(tests))
	for i, name := range tests {
		if i == most {
			fmt.Fprintf(&b, "\tand %d more\n", len(tests)-most)
			break
		}
		fmt.Fprintf(&b, "\t%s\n", name)
	}
	return b.String()
}
