package kernel

import (
	"errors"
	"testing"
)

// TestCatch checks that Catch turns a device failure, and no other panic, into an
// error.
func TestCatch(t *testing.T) {
	lost := errors.New("the bus is gone")
	run := func(v any) (err error) {
		defer Catch(&err)
		if v != nil {
			panic(v)
		}
		return nil
	}
	if err := run(nil); err != nil {
		t.Errorf("a function that returns gives the error %v", err)
	}
	err := run(&Failure{"cuda/x", "reading 3 words from word 4 on", lost})
	if want := "cuda/x: reading 3 words from word 4 on: the bus is gone"; err == nil || err.Error() != want || !errors.Is(err, lost) {
		t.Errorf("error %v, want %s", err, want)
	}
	defer func() {
		if v := recover(); v != "a mistake" {
			t.Errorf("a mistake of the program comes up as %v", v)
		}
	}()
	_ = run("a mistake")
}
