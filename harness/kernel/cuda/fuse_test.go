package cuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
)

// TestAssemblerFusesNothing checks that ptxas does not fuse a rounded product and a rounded
// sum into an FMA. The interpreter runs the PTX and would not show this, so the test looks
// for FMAs in the machine code. It leaves out kernels with divisions or square roots, which
// the assembler computes by FMAs.
func TestAssemblerFusesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: assembling takes some seconds; to run it: go test ./harness/kernel/cuda -run Fuses")
	}
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("no ptxas, NVIDIA's assembler of PTX; to run it: install it from the CUDA toolkit and put it in PATH")
	}
	nvdisasm, err := exec.LookPath("nvdisasm")
	if err != nil {
		t.Skip("no nvdisasm, NVIDIA's disassembler; to run it: install it from the CUDA toolkit and put it in PATH")
	}
	texts := map[string]string{"elementwise": productPlus(t)} // by name of the kernel to check
	for _, name := range []string{"sgd", "rowdot", "sumsquares", "colsum", "scatteradd", "addstride"} {
		if texts[name], err = cuda.TextOf(name); err != nil {
			t.Fatal(err)
		}
	}
	code := func(name, text, arch string) string {
		path := filepath.Join(t.TempDir(), "kernel.ptx")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(ptxas, "-arch="+arch, path, "-o", path+".cubin").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(nvdisasm, "-c", path+".cubin").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, code, _ := strings.Cut(string(out), "\n.text."+name+":")
		code, _, _ = strings.Cut(code, "\n//---")
		return code
	}
	for name, text := range texts { // the order does not matter
		for _, arch := range []string{"sm_80", "sm_90"} {
			c := code(name, text, arch)
			if !strings.Contains(c, " FADD ") {
				t.Errorf("%s for %s: no sum in its code", name, arch)
			}
			if strings.Contains(c, " FFMA ") {
				t.Errorf("%s for %s: a product is fused with a sum", name, arch)
			}
		}
	}
	unrounded := strings.ReplaceAll(texts["elementwise"], ".rn.f32", ".f32")
	if !strings.Contains(code("elementwise", unrounded, "sm_90"), " FFMA ") {
		t.Error("nothing is fused without .rn either, so this test cannot detect fusing")
	}
}

// productPlus returns the PTX text of one kernel that computes x*y + z, for a
// [kernel.Group] of a product and a sum.
func productPlus(t *testing.T) string {
	t.Helper()
	drv := &collector{Driver: emulated.NewDriver()}
	dev := cuda.New(drv)
	defer dev.Close()
	a, err := dev.NewArena(40)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: 10} }
	local := kernel.Arg{Slot: kernel.Local}
	body := []kernel.Instr{
		{Op: kernel.Mul, Form: kernel.Rows, W: 10, Args: []kernel.Arg{local, at(0), at(10)}},
		{Op: kernel.Add, Form: kernel.Rows, W: 10, Args: []kernel.Arg{at(30), local, at(20)}},
	}
	if _, err := a.Compile([]kernel.Instr{{Op: kernel.Group, Form: kernel.Rows, W: 10, I: [3]int{1}, Body: body}}); err != nil {
		t.Fatal(err)
	}
	return drv.texts[0]
}
