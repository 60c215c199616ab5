package suite

import (
	"strings"
	"testing"
)

// TestOpenThreads checks that OpenThreads uses the given number of threads and leaves
// the settings unchanged.
func TestOpenThreads(t *testing.T) {
	settings := Current()
	old := *settings
	t.Cleanup(func() { *settings = old })
	settings.Device = hostDevice // no other has threads
	if have := OpenThreads(t, 1).String(); strings.Contains(have, "threads") {
		t.Errorf("device %s, want one thread", have)
	}
	if have := OpenThreads(t, 3).String(); !strings.HasSuffix(have, "/threads=3") {
		t.Errorf("device %s, want three threads", have)
	}
	if after := Current(); after.Threads != old.Threads {
		t.Errorf("%d threads in the settings, want %d as before", after.Threads, old.Threads)
	}
}
