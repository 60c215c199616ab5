package cuda_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/kerneltest"
)

// collector is a driver that keeps the PTX texts that it loads.
type collector struct {
	*emulated.Driver
	texts []string
}

func (d *collector) Load(text string, names ...string) ([]cuda.Function, error) {
	d.texts = append(d.texts, text)
	return d.Driver.Load(text, names...)
}

// TestAssemblerAcceptsEveryKernel assembles the embedded kernels and those emitted for
// each elementwise operation with NVIDIA's ptxas. Running a kernel does not need ptxas,
// but ptxas checks PTX more thoroughly than the interpreter. The test logs how many
// registers each kernel uses.
func TestAssemblerAcceptsEveryKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: assembling takes some seconds; to run it: go test ./harness/kernel/cuda -run Assembler")
	}
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("no ptxas, NVIDIA's assembler of PTX; to run it: install it from the CUDA toolkit and put it in PATH")
	}
	drv := &collector{Driver: emulated.NewDriver()}
	dev := cuda.New(drv)
	defer dev.Close()
	reference := genericCPU(t)
	for op := range kernel.NumOps {
		if op == kernel.Group {
			continue
		}
		if err := kerneltest.Check(dev, reference, op); err != nil {
			t.Errorf("%v: %v", op, err)
		}
	}
	for i, text := range drv.texts {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.ptx", i))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, arch := range []string{"sm_80", "sm_90"} {
			out, err := exec.Command(ptxas, "-v", "-arch="+arch, path, "-o", path+".cubin").CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s\n%s", err, out, text)
				continue
			}
			name := ""
			for line := range strings.Lines(string(out)) {
				if _, rest, ok := strings.Cut(line, "Compiling entry function '"); ok {
					name, _, _ = strings.Cut(rest, "'")
				}
				if strings.Contains(line, "Used") || strings.Contains(line, "spill") && !strings.Contains(line, " 0 bytes spill stores") {
					t.Logf("%s %s: %s", arch, name, strings.TrimSpace(strings.TrimPrefix(line, "ptxas info    : ")))
				}
			}
		}
	}
}
