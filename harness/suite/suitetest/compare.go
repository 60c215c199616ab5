package suitetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal compares the values of the parameters have and want. If they differ, it reports a
// test error that shows the difference. The other arguments describe the values, as for
// fmt.Sprintf.
func Equal(t testing.TB, want, have any, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s (-want +have):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// Error reports a test error if err is nil or if its text does not contain the string in the
// parameter want.
func Error(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("have error %v, want one that says %q", err, want)
	}
}
