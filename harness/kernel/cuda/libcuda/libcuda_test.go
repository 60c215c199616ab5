//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/ebitengine/purego"

	"pushdown/harness/kernel/cuda"
)

// standIn compiles the stand-in for libcuda and returns its path.
func standIn(t *testing.T, flags ...string) string {
	t.Helper()
	return standInOf(t, "testdata/library.c", "libcuda.so.1", flags...)
}

func standInOf(t *testing.T, source, name string, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler for the stand-in of the library; to run it: install cc")
	}
	path := filepath.Join(t.TempDir(), name)
	args := append([]string{"-shared", "-fPIC", "-O1", "-w", "-o", path, source}, flags...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func opened(t *testing.T) *Driver {
	t.Helper()
	d, err := open([]string{"no/libcuda.so.1", standIn(t)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %v, want one that says %q", err, w)
		}
	}
}

// TestWithoutAGPUAnErrorSaysWhatToDo checks the errors of open for libraries that are
// missing, too old or unable to use a GPU.
func TestWithoutAGPUAnErrorSaysWhatToDo(t *testing.T) {
	_, err := open([]string{"no-libcuda.so.1", "nowhere/libcuda.so.1"})
	wantError(t, err, "no libcuda.so.1", "NVIDIA's driver", "PUSHDOWN_DEVICE=cpu", "no-libcuda.so.1: cannot open shared object")
	for _, c := range []struct {
		flag string
		says []string
	}{
		{"-DINIT=100", []string{"cuInit: CUDA_ERROR_NO_DEVICE (100): words of the driver", "look at nvidia-smi"}},
		{"-DINIT=803", []string{"cuInit: an unknown error (803): words of the driver", "reboot after an update"}},
		{"-DINIT=34", []string{"(34)", "the toolkit's stub in LD_LIBRARY_PATH"}},
		{"-DINIT=802", []string{"(802)", "need the GPUs' fabric to be ready", "nvidia-fabricmanager"}},
		{"-DINIT=804", []string{"(804)", "before that of a cuda-compat package"}},
		{"-DINIT=999", []string{"(999)", "need the kernel module nvidia_uvm"}},
		{"-DVERSION=10020", []string{"have a driver for CUDA 10.2, need 11.0 or later"}},
		{"-DCOUNT=0", []string{"have a driver that sees 0 GPUs, need one"}},
		{"-DMAJOR=7", []string{"have made-up-100 of compute capability 7.1, need 8.0 or later"}},
		{"-DOLD", []string{"has no function cuDevicePrimaryCtxRelease_v2", "need a driver of version 11.0 or later"}},
	} {
		_, err := open([]string{standIn(t, c.flag)})
		wantError(t, err, append(c.says, "libcuda.so.1")...)
	}
	if names := libraryNames(); names[0] != "libcuda.so.1" || len(names) < 5 {
		t.Errorf("libraryNames returns %v", names)
	}
}

// TestCompilerIsLoaded checks that the PTX compiler is found in two places: beside the
// library, and in one of the listed folders.
func TestCompilerIsLoaded(t *testing.T) {
	was := folders
	defer func() { folders = was }()
	for _, beside := range []bool{true, false} {
		flag := fmt.Sprintf("-DMARK=compiler_%v", beside)
		path := standInOf(t, "testdata/compiler.c", compiler, flag)
		folders = []string{"nowhere", filepath.Dir(path)}
		dir := "."
		if beside {
			folders, dir = nil, filepath.Dir(path)
		}
		loadCompiler(dir)
		if _, err := purego.Dlsym(purego.RTLD_DEFAULT, flag[len("-DMARK="):]); err != nil {
			t.Errorf("beside the library: %v: %v", beside, err)
		}
	}
}

// TestDriverCalls makes every call of a device on the stand-in for libcuda.
func TestDriverCalls(t *testing.T) {
	d := opened(t)
	if d.String() != "made-up-100" || cuda.New(d).String() != "cuda/made-up-100" {
		t.Errorf("the GPU is called %s", d)
	}
	fns, err := d.Load("other adds", "adds", "other")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Load("mistake", "x")
	wantError(t, err, "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218)", "ptxas: a mistake in line 1")
	_, err = d.Load("text", "absent")
	wantError(t, err, "kernel absent: cuModuleGetFunction: an unknown error (500)")
	if u, err := d.Resources(fns[0]); err != nil || u != (Resources{Registers: 63, LocalBytes: 8}) {
		t.Errorf("the kernel takes %+v, %v", u, err)
	}
	p, err := d.Alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Alloc(1 << 20)
	wantError(t, err, "4 MiB of the GPU's memory: 3 of 64 MiB are free", "CUDA_ERROR_OUT_OF_MEMORY (2)", "take a smaller batch, or run with PUSHDOWN_DEVICE=cpu")
	x := []uint32{1, 2, 3}
	got := make([]uint32, 5)
	for _, err := range []error{
		d.Clear(p, 100), d.Upload(p+8, x), d.Upload(p, nil), d.Clear(p, 0), d.Download(nil, p),
		d.Launch(fns[0], [3]uint32{3, 1, 1}, [3]uint32{1, 2, 2}, params(p, 5)), d.Sync(), d.Download(got, p+4),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if fmt.Sprint(got) != "[5 6 7 8 5]" {
		t.Errorf("memory holds %v", got)
	}
	wantError(t, d.Launch(fns[1], [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, params(p, 5)), "cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS (700): the driver does not know it: a kernel that was launched before is at fault", "need CUDA_LAUNCH_BLOCKING=1")
	wantError(t, d.Launch(fns[0], [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, make([]byte, 5000)), "5000 bytes of parameters, want at most 4096")
	if err := d.Free(p); err != nil {
		t.Error(err)
	}
	for range 2 { // a second Close does nothing
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func params(p cuda.Pointer, x uint32) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, uint64(p)), x)
}

// TestLaunchesBesideTheCollector launches kernels from several goroutines, whose threads
// and stacks change, while the garbage collector runs.
func TestLaunchesBesideTheCollector(t *testing.T) {
	path := standIn(t)
	stop := make(chan bool)
	var collector, workers sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for range 3 {
		workers.Go(func() {
			d, err := open([]string{path})
			if err != nil {
				t.Error(err)
				return
			}
			fns, err := d.Load("adds", "adds")
			if err != nil {
				t.Error(err)
				return
			}
			p, err := d.Alloc(1)
			if err != nil {
				t.Error(err)
				return
			}
			if err := d.Clear(p, 1); err != nil {
				t.Error(err)
			}
			const launches = 2000
			for i := range launches {
				x := make([]uint32, 1)
				if err := d.Launch(fns[0], [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, params(p, 1)); err != nil {
					t.Error(err)
					return
				}
				if err := d.Download(x, p); err != nil || x[0] != uint32(i+1) {
					t.Errorf("after %d launches memory holds %d, %v", i+1, x[0], err)
					return
				}
			}
			if err := d.Free(p); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	close(stop)
	collector.Wait()
}

// TestLaunchesAllocateNothing checks that a launch makes no allocations.
func TestLaunchesAllocateNothing(t *testing.T) {
	d := opened(t)
	fns, err := d.Load("adds", "adds")
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Alloc(1)
	if err != nil {
		t.Fatal(err)
	}
	b := params(p, 1)
	if n := testing.AllocsPerRun(100, func() {
		if err := d.Launch(fns[0], [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, b); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}

// TestTheDriverSeesNoStack checks that memory passed to the driver is on the heap. A
// goroutine's stack moves when it grows.
func TestTheDriverSeesNoStack(t *testing.T) {
	d, err := open([]string{standIn(t, "-DUNPINNED")}) // pinned memory would hide the address of the words
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() error{ // the order does not matter
		"upload":   func() error { var x [4]uint32; return d.Upload(p, x[:]) },
		"download": func() error { var x [4]uint32; return d.Download(x[:], p) },
		"name":     func() error { _, err := d.Load("adds", "adds"); return err },
	} {
		least := map[string]float64{"upload": 1, "download": 1, "name": 3}[name] // the text, the name, the list
		if n := testing.AllocsPerRun(10, func() { err = errors.Join(err, f()) }); n < least || err != nil {
			t.Errorf("%s: %v allocations, want at least %v: the memory passed is on the stack (%v)", name, n, least, err)
		}
	}
	if err := errors.Join(d.Free(p), d.Close()); err != nil {
		t.Error(err)
	}
}

// TestClosingWaitsForTheGPU checks that Close waits for running kernels before it
// unloads their modules.
func TestClosingWaitsForTheGPU(t *testing.T) {
	d := opened(t)
	fns, err := d.Load("adds", "adds")
	if err != nil {
		t.Fatal(err)
	}
	one := [3]uint32{1, 1, 1}
	if err := errors.Join(d.Launch(fns[0], one, one, params(cuda.Pointer(d.pinned.base), 0)), d.Close()); err != nil {
		t.Error(err)
	}
}

// BenchmarkLaunch measures the cost of a launch on the stand-in for libcuda, that is,
// almost without the cost of a driver.
func BenchmarkLaunch(b *testing.B) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		b.Skip("no C compiler")
	}
	path := filepath.Join(b.TempDir(), "libcuda.so.1")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-O1", "-w", "-o", path, "testdata/library.c").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	d, err := open([]string{path})
	if err != nil {
		b.Fatal(err)
	}
	fns, err := d.Load("adds", "adds")
	if err != nil {
		b.Fatal(err)
	}
	p, err := d.Alloc(1)
	if err != nil {
		b.Fatal(err)
	}
	bytes := params(p, 1)
	for b.Loop() {
		if err := d.Launch(fns[0], [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, bytes); err != nil {
			b.Fatal(err)
		}
	}
}
