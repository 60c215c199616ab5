package golden

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckInCleanup checks that Check reports an unreadable golden file, even if
// it is called in a cleanup after parallel subtests. The test runs its own binary
// in another process.
func TestCheckInCleanup(t *testing.T) {
	const variable = "GOLDEN_CLEANUP_FILE"
	if path := os.Getenv(variable); path != "" {
		t.Cleanup(func() { Check(t, path, dyck(), rules) })
		t.Run("parallel", func(t *testing.T) { t.Parallel() })
		return
	}
	path := filepath.Join(t.TempDir(), "golden.txt")
	if err := os.WriteFile(path, []byte("suite: dyck\nscale: ci\ngarbage\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCheckInCleanup$")
	cmd.Env = append(os.Environ(), variable+"="+path)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--- FAIL: TestCheckInCleanup") || !strings.Contains(string(out), path+":3: ") {
		t.Errorf("have %v and\n%s\nneed a failure that names %s:3", err, out, path)
	}
}
