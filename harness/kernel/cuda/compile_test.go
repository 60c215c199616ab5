package cuda_test

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel/cuda/emulated"
)

// TestPTXIsCurrent compiles the CUDA sources and compares the results with the committed
// PTX.
func TestPTXIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiling takes some seconds; to run it: go test ./harness/kernel/cuda -run Current")
	}
	needClang(t)
	for _, dir := range []string{"ptx", "ptxemu/testdata", "libcuda/testdata"} {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS("ptx")); err != nil { // build.sh and the headers
			t.Fatal(err)
		}
		sources, err := filepath.Glob(filepath.Join(dir, "*.cu"))
		if err != nil || len(sources) == 0 {
			t.Fatalf("%s: no sources (%v)", dir, err)
		}
		for _, path := range sources {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(path)
			if err := os.WriteFile(filepath.Join(copied, name), source, 0o666); err != nil {
				t.Fatal(err)
			}
			committed := strings.TrimSuffix(path, ".cu") + ".ptx"
			want, err := os.ReadFile(committed)
			if err != nil {
				t.Fatal(err)
			}
			if compiled(t, copied, name) != string(want) {
				t.Errorf("%s: not what clang-19 makes of %s: run go generate ./harness/kernel/cuda", committed, name)
			}
		}
	}
}

// TestPeakKernel runs the kernel that measures the peak speed of a GPU, here on the
// interpreter. It checks the result and that the compiler has not removed any FMA.
func TestPeakKernel(t *testing.T) {
	text, err := os.ReadFile("libcuda/testdata/peak.ptx")
	if err != nil {
		t.Fatal(err)
	}
	drv := emulated.NewDriver()
	fns, err := drv.Load(string(text), "peak")
	if err != nil {
		t.Fatal(err)
	}
	const threads, length = 3 * 256, 11
	p, err := drv.Alloc(threads)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, uint64(p))
	for _, v := range []uint32{math.Float32bits(0.5), math.Float32bits(1), length} {
		params = binary.LittleEndian.AppendUint32(params, v)
	}
	if err := drv.Launch(fns[0], [3]uint32{3, 1, 1}, [3]uint32{256, 1, 1}, params); err != nil {
		t.Fatal(err)
	}
	if n := drv.Machine.Steps; n < 16*length*threads {
		t.Errorf("%d instructions, want one for each FMA, %d", n, 16*length*threads)
	}
	want := float32(0) // every operation is exact
	for c := range 16 {
		x := float32(c)
		for range length {
			x = x/2 + 1
		}
		want += x
	}
	got := make([]uint32, threads)
	if err := drv.Download(got, p); err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if math.Float32frombits(v) != want {
			t.Fatalf("thread %d has %v, want %v", i, math.Float32frombits(v), want)
		}
	}
}

// needClang skips a test if clang-19 is not installed. It fails the test instead if
// PUSHDOWN_REQUIRE contains clang.
func needClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		const text = "clang-19, which compiles the kernels, is not installed; to run it: apt-get install clang-19"
		if required("clang") {
			t.Fatal("PUSHDOWN_REQUIRE has clang: " + text)
		}
		t.Skip(text)
	}
}

// required reports whether PUSHDOWN_REQUIRE lists the given word. This package cannot use
// package suite to read the variable, because suite imports package cuda.
func required(need string) bool {
	return slices.Contains(strings.Split(os.Getenv("PUSHDOWN_REQUIRE"), ","), need)
}

// needLong skips a mutation test, which takes seconds, unless PUSHDOWN_REQUIRE lists "long"
// and -short is not set.
func needLong(t *testing.T) {
	t.Helper()
	if testing.Short() || !required("long") {
		t.Skip("tries many faulty kernels: to run it: PUSHDOWN_REQUIRE=long go test ./harness/kernel/cuda, without -short")
	}
}

// compiled compiles the source file with the given name and returns its PTX. The source
// and build.sh are in folder dir.
func compiled(t *testing.T, dir, name string) string {
	t.Helper()
	cmd := exec.Command("sh", "build.sh", name)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ".cu")+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fileOf returns the name of the source file that defines a kernel.
func fileOf(t *testing.T, kernel string) string {
	t.Helper()
	files, err := filepath.Glob("ptx/*.ptx")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), ".entry "+kernel+"(") {
			return strings.TrimSuffix(filepath.Base(f), ".ptx") + ".cu"
		}
	}
	t.Fatalf("no source of %s", kernel)
	return ""
}
