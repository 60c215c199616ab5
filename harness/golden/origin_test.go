package golden

import (
	"flag"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// The tests are built without a stamp.
func init() { named = "ba9876543210" }

// elsewhere is the origin of results that were read back.
var elsewhere = Origin{Commit: "0123456789ab", Machine: "linux/amd64 another, cpu avx2", Date: "2026-01-02", Contract: 1}

func TestHere(t *testing.T) {
	o := Here("cpu generic")
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

// TestCommit checks which commit a build has: that of its stamp, marked if the tree had changes.
func TestCommit(t *testing.T) {
	revision := strings.Repeat("0123456789", 4)
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}, ""},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "main"}, {Key: "vcs.modified", Value: "false"}}, ""},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "false"}}, "012345678901"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "true"}}, "012345678901+changed"},
	} {
		have := stamp(&debug.BuildInfo{Settings: c.settings})
		if have != c.want {
			t.Errorf("%v: have %q, want %q", c.settings, have, c.want)
		}
		if have != "" && checkCommit(have) != nil {
			t.Error(checkCommit(have))
		}
	}
}

// TestUnknownBuildIsRefused checks that no result enters a golden file of which no commit is known,
// and that the flag -commit names that of all such results.
func TestUnknownBuildIsRefused(t *testing.T) {
	Flag()
	was := named
	t.Cleanup(func() { named = was })
	readBack := dyck()
	readBack.Rows[0].Origin = elsewhere
	readBack.Rows[0].Origin.Commit = Unknown
	for _, run := range []*Run{dyck(), readBack} {
		named = ""
		path := filepath.Join(t.TempDir(), "ci.txt")
		if _, err := UpdateFile(path, run, "first run"); err == nil || !strings.Contains(err.Error(), "-buildvcs=true") {
			t.Errorf("have error %v, want one that names -buildvcs=true", err)
		}
		if err := flag.Set("commit", "unknown"); err == nil {
			t.Error("-commit unknown: have no error, want one")
		}
		if err := flag.Set("commit", "fedcba987654+changed"); err != nil {
			t.Fatal(err)
		}
		for _, r := range updated(t, path, run, "first run").Rows {
			if want := "fedcba987654+changed+unconfirmed"; r.Origin.Commit != want {
				t.Errorf("%s: have the commit %s, want %s", r.Name, r.Origin.Commit, want)
			}
		}
	}
}
