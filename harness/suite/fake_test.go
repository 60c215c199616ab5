package suite

import (
	"fmt"
	"io"
	"testing"
	"time"
)

// ended describes the end of a function that was called with a fake. The field how
// holds "fatal", "skip" or "returned", and the field text the message.
type ended struct{ how, text string }

// fake is a testing.TB that records logs. Its methods Fatal, Fatalf and
// Skip panic with a value of type ended.
type fake struct {
	testing.TB
	deadline time.Time
	logs     string
}

func (f *fake) Helper()                        {}
func (f *fake) Name() string                   { return "TestFake/seed=1" }
func (f *fake) Fatal(args ...any)              { panic(ended{"fatal", fmt.Sprint(args...)}) }
func (f *fake) Fatalf(format string, a ...any) { panic(ended{"fatal", fmt.Sprintf(format, a...)}) }
func (f *fake) Skip(args ...any)               { panic(ended{"skip", fmt.Sprint(args...)}) }
func (f *fake) Logf(format string, a ...any)   { f.logs += fmt.Sprintf(format, a...) + "\n" }
func (f *fake) Output() io.Writer              { return io.Discard }
func (f *fake) Deadline() (time.Time, bool)    { return f.deadline, !f.deadline.IsZero() }

// endOf runs f and returns how it ended.
func endOf(f func()) (e ended) {
	defer func() {
		if r := recover(); r != nil {
			e = r.(ended)
		}
	}()
	f()
	return ended{"returned", ""}
}

// must returns v. It panics if err is not nil.
func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
