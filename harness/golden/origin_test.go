package golden

import (
	"strings"
	"testing"
)

// elsewhere is the origin of results that were read back.
var elsewhere = Origin{Commit: "0123456789ab", Machine: "linux/amd64 another, cpu avx2", Date: "2026-01-02", Contract: 1}

func TestHere(t *testing.T) {
	o := Here("cpu generic")
	if o.Commit == "unknown" {
		t.Log("no commit: not in a work tree of git")
	} else if !hex(o.Commit) || len(o.Commit) != 12 {
		t.Errorf("commit: have %q, want 12 hex digits", o.Commit)
	}
	if !strings.HasSuffix(o.Machine, "cpu generic") {
		t.Errorf("machine: have %q, want the device at its end", o.Machine)
	}
	for in, want := range map[string]string{"a\x00b": "a b", " a\t b, ": "a b", "a\xffb": "a b", "": "",
		strings.Repeat("a", 199) + " b": strings.Repeat("a", 199), strings.Repeat("a", 199) + "é": strings.Repeat("a", 199)} {
		if have := clean(in); have != want {
			t.Errorf("clean %q: have %q, want %q", in, have, want)
		}
	}
}
