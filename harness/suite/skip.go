package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Needs lists what PUSHDOWN_REQUIRE may name: what a machine may lack, corpora that
// are not part of the repository, and the patience for long tests.
func Needs() []string {
	return []string{"avx2", "avx512", "clang", "gpu", "lm-syneval", long, "network", "ptb", "qemu", "wikitext-2"}
}

// long is the need of checks that a plain go test leaves out for their time.
const long = "long"

// Long reports whether checks run that a plain go test leaves out for their time,
// or makes of a sample: those that repeat what other tests hold in more cases.
// PUSHDOWN_REQUIRE=long asks for them, and -short leaves them out all the same.
func Long() bool { return slices.Contains(Current().Require, long) && !testing.Short() }

// SkipUnlessLong skips a test that is a long check as a whole, unless Long reports
// true. what is what it does that takes its time.
func SkipUnlessLong(t testing.TB, what string) {
	t.Helper()
	if !Long() {
		t.Skipf("%s: to run it: PUSHDOWN_REQUIRE=%s go test -run '^%s$' in its package, without -short", what, long, t.Name())
	}
}

// Skip ends a test for the lack of one of Needs. reason says what is lacking,
// remedy is the command or the act that lifts the skip. If PUSHDOWN_REQUIRE
// names the need, the test fails instead.
func Skip(t testing.TB, need, reason, remedy string) {
	t.Helper()
	text, fail := skipText(Current().Require, need, reason, remedy)
	if fail {
		t.Fatal(text)
	}
	t.Skip(text)
}

func skipText(require []string, need, reason, remedy string) (text string, fail bool) {
	switch {
	case !slices.Contains(Needs(), need):
		return fmt.Sprintf("suite: have the need %q, want one of %s", need, strings.Join(Needs(), ", ")), true
	case reason == "" || remedy == "":
		return fmt.Sprintf("suite: have a skip for %s with reason %q and remedy %q, want both", need, reason, remedy), true
	case slices.Contains(require, need):
		return fmt.Sprintf("PUSHDOWN_REQUIRE=%s: have %s, want %s: %s", strings.Join(require, ","), reason, need, remedy), true
	}
	return fmt.Sprintf("%s: %s; to run it: %s", need, reason, remedy), false
}
