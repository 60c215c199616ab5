package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/train"
)

// Needs lists the names that PUSHDOWN_REQUIRE accepts. They are features and programs that a
// machine may lack, corpora that are not part of the repository, results of long runs
// ("trained"), and "long", which selects the long checks.
func Needs() []string {
	return []string{"avx2", "avx512", "cc", "chromium", "clang", "git", "gpu", "lm-syneval", long, "neon", "network", "numpy", "ptb", "python", "qemu", "torch", trained, "wikitext-2"}
}

// long is the name in PUSHDOWN_REQUIRE that selects checks that take too long for a
// plain go test.
const long = "long"

// trained is the name of results of runs at scale paper that a row without training reads; see
// [Trained].
const trained = "trained"

// Long reports whether to run the checks that take too long for a plain go test. They
// repeat other checks in more cases. PUSHDOWN_REQUIRE=long selects them, unless -short is
// given. If Long returns false, tests skip these checks or run only a sample of them.
func Long() bool { return slices.Contains(Current().Require, long) && !testing.Short() }

// SkipUnlessLong skips the test unless Long returns true. The argument what describes the work
// that takes long.
func SkipUnlessLong(t testing.TB, what string) {
	t.Helper()
	if !Long() {
		t.Skipf("%s: to run it: PUSHDOWN_REQUIRE=%s go test -run '^%s$' in its package, without -short", what, long, t.Name())
	}
}

// Skip skips a test because the machine lacks something. The argument need is one of the
// names that Needs returns, reason says what is missing, and remedy is the command or action
// that provides it. If PUSHDOWN_REQUIRE lists this name, Skip fails the test instead.
func Skip(t testing.TB, need, reason, remedy string) {
	t.Helper()
	text, fail := skipText(Current().Require, need, reason, remedy)
	if fail {
		t.Fatal(text)
	}
	t.Skip(text)
}

// Missing is the error of a row that cannot be built because the machine lacks something,
// such as a corpus that is not part of the repository. Need is one of the names that
// [Needs] returns. See [Built].
type Missing struct{ Need, Reason, Remedy string }

func (m *Missing) Error() string {
	return fmt.Sprintf("%s: %s; %s", m.Need, m.Reason, m.Remedy)
}

// Built returns the experiment x if err is nil. The arguments x and err are the results of
// Row.Build. If err is a [Missing], Built skips the test, except at paper scale: go test
// would cache the skipped test as passed, and would show this result even after the corpus
// has been installed. At paper scale, and for any other error, Built fails the test.
func Built(t testing.TB, x *train.Experiment, err error) *train.Experiment {
	t.Helper()
	if m, ok := errors.AsType[*Missing](err); ok && Current().Scale != Paper {
		Skip(t, m.Need, m.Reason, m.Remedy)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// skipText returns the text of a skipped test, or that of its failure. The text of a skipped
// test says -count=1, because go test does not see that the machine has changed, and shows the
// cached result.
func skipText(require []string, need, reason, remedy string) (text string, fail bool) {
	switch {
	case !slices.Contains(Needs(), need):
		return fmt.Sprintf("suite: have the need %q, want one of %s", need, strings.Join(Needs(), ", ")), true
	case reason == "" || remedy == "":
		return fmt.Sprintf("suite: have a skip for %s with reason %q and remedy %q, want both", need, reason, remedy), true
	case slices.Contains(require, need):
		return fmt.Sprintf("PUSHDOWN_REQUIRE=%s requires %s: %s; to run it: %s", strings.Join(require, ","), need, reason, remedy), true
	}
	return fmt.Sprintf("%s: %s; to run it with -count=1: %s", need, reason, remedy), false
}
