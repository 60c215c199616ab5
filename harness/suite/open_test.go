package suite

import (
	"strings"
	"testing"
)

// TestOpenThreads: the number of threads is that asked for, and the environment
// keeps its own.
func TestOpenThreads(t *testing.T) {
	before := *Current()
	if have := OpenThreads(t, 1).String(); strings.Contains(have, "threads") {
		t.Errorf("device %s, want one thread", have)
	}
	if have := OpenThreads(t, 3).String(); !strings.HasSuffix(have, "/threads=3") {
		t.Errorf("device %s, want three threads", have)
	}
	if after := Current(); after.Threads != before.Threads {
		t.Errorf("%d threads in the settings, want %d as before", after.Threads, before.Threads)
	}
}
