//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestGPUHasRegistersEnough logs how many registers each compiled kernel uses. It fails if
// a kernel spills many registers to local memory, which would make the kernel slow.
func TestGPUHasRegistersEnough(t *testing.T) {
	d, ok := onGPU(t).(*Driver)
	if !ok {
		t.Skip("the interpreter has no registers; to run it: bash ci/gpu on a machine with a GPU")
	}
	files, err := filepath.Glob("../ptx/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels (%v)", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		fns, err := d.Load(string(text), names...)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for i, fn := range fns {
			u, err := d.Resources(fn)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-20s %3d registers, %d bytes spilled", names[i], u.Registers, u.LocalBytes)
			if u.LocalBytes > 64 { // a few spilled registers outside the inner loop do no harm
				t.Errorf("%s spills %d bytes a thread", names[i], u.LocalBytes)
			}
		}
	}
}
