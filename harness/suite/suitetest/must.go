package suitetest

import "testing"

// Must returns a function that returns v. If err is not nil, the function fails the
// test:
//
//	x := suitetest.Must(row.Build(1))(t)
func Must[V any](v V, err error) func(testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Must2 is like Must for two values.
func Must2[V, W any](v V, w W, err error) func(testing.TB) (V, W) {
	return func(t testing.TB) (V, W) {
		t.Helper()
		return v, Must(w, err)(t)
	}
}
