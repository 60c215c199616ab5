package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStateOfAnotherBuild: a run that begins anew beside state of another build
// says so, and names the files; state of other experiments is nothing to it.
func TestStateOfAnotherBuild(t *testing.T) {
	root := filepath.Join(t.TempDir(), "contract-1")
	file := func(folder string) string { return filepath.Join(root, folder, "run.safetensors") }
	put := func(folder string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(folder), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	own := file("aa-01")
	said := func() string {
		f := &fake{}
		warnOfOtherBuilds(f, own)
		return f.logs
	}
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	put("ab-02")
	if err := os.MkdirAll(filepath.Join(root, "aa-04"), 0o755); err != nil { // a folder alone is no state
		t.Fatal(err)
	}
	if have := said(); have != "" {
		t.Errorf("nothing is there, and it says %q", have)
	}
	put("aa-03")
	put("aa-02")
	want := "\n\t" + file("aa-02") + "\n\t" + file("aa-03") + "\n"
	if have := said(); !contains(have, own, "begins anew", want) || strings.Contains(have, "aa-04") || strings.Contains(have, "ab-02") {
		t.Errorf("it says %q, want the two files and that the run begins anew", have)
	}
	put("aa-01")
	if have := said(); have != "" {
		t.Errorf("there is own state, and it says %q", have)
	}
}
