package suitetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal fails the test with the difference if have is not want. The rest says what
// they are, as fmt.Sprintf takes it.
func Equal(t testing.TB, want, have any, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s (-want +have):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// Error fails the test unless there is an error that says want.
func Error(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("have error %v, want one that says %q", err, want)
	}
}
