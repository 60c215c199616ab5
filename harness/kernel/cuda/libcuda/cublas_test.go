//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"pushdown/harness/kernel/cuda"
)

// blas is NVIDIA's library cuBLAS. Where it is installed, the speed tests compare with it.
type blas struct {
	d         *Driver
	fn        [4]uintptr
	handle    uintptr
	one, zero *float32
	set       uintptr // current math mode
}

// packages is the folder of python3's packages, which may include cuBLAS.
var packages = flag.String("packages", "", "`folder` of Python packages in which cuBLAS is looked for")

var blasNames = [4]string{"cublasCreate_v2", "cublasDestroy_v2", "cublasSetMathMode", "cublasSgemm_v2"}

const (
	blasCreate = iota
	blasDestroy
	blasMathMode
	blasSgemm
)

// Math modes of cuBLAS.
const (
	modeDefault = 0 // float32 throughout
	modeTF32    = 3
)

// blasLibraries returns the names to try for loading cuBLAS, the newest first.
func blasLibraries() []string {
	list := []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}
	for _, pattern := range []string{
		filepath.Join(*packages, "nvidia/*/lib"),
		"/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
		"/usr/local/lib/python3*/dist-packages/nvidia/*/lib", "/usr/local/lib/python3*/site-packages/nvidia/*/lib", "/usr/lib/python3*/dist-packages/nvidia/*/lib",
	} {
		found, _ := filepath.Glob(filepath.Join(pattern, "libcublas.so.*"))
		slices.Reverse(found)
		list = append(list, found...)
	}
	return list
}

// openBlas tries the library names in order and loads the first that exists. The library
// computes in the context of d.
func openBlas(d *Driver, names []string) (*blas, error) {
	first := error(nil)
	for _, name := range names {
		if filepath.Dir(name) != "." { // load libcublasLt, which cuBLAS needs, from the same folder
			lt, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "libcublasLt.so.*"))
			for _, l := range lt {
				_, _ = purego.Dlopen(l, purego.RTLD_NOW|purego.RTLD_GLOBAL)
			}
		}
		handle, err := purego.Dlopen(name, purego.RTLD_NOW)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		b := &blas{d: d, one: new(float32), zero: new(float32)}
		*b.one = 1
		for i, s := range blasNames {
			if b.fn[i], err = purego.Dlsym(handle, s); err != nil {
				return nil, err
			}
		}
		return b, b.call(blasCreate, uintptr(unsafe.Pointer(&b.handle)))
	}
	return nil, fmt.Errorf("no libcublas, which comes with the CUDA toolkit or a package of PyTorch (%w)", first)
}

// call calls a function of cuBLAS with the driver's context current.
func (b *blas) call(fn int, args ...uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := b.d.call(cuCtxSetCurrent, b.d.context); err != nil {
		return err
	}
	if r, _, _ := purego.SyscallN(b.fn[fn], args...); int32(r) != 0 {
		return fmt.Errorf("%s: status %d", blasNames[fn], int32(r))
	}
	return nil
}

func (b *blas) close() error { return b.call(blasDestroy, b.handle) }

// mode sets the math mode of cuBLAS, such as TF32. It makes no call if the mode is
// already set, so that timings of sgemm do not include that call.
func (b *blas) mode(m uintptr) error {
	if m == b.set {
		return nil
	}
	b.set = m
	return b.call(blasMathMode, b.handle, m)
}

// product computes c = x*y for row-major matrices c[m][n], x[m][k] and y[k][n]. If trans is
// TN, x is stored as [k][m]; if it is NT, y is stored as [n][k]. cuBLAS is column-major, so
// the method passes y before x.
func (b *blas) product(trans string, m, k, n int, c, x, y cuda.Pointer) error {
	ldx, ldy := k, n
	var tx, ty uintptr
	switch trans {
	case "TN":
		ldx, tx = m, 1
	case "NT":
		ldy, ty = k, 1
	}
	err := b.call(blasSgemm, b.handle, ty, tx, uintptr(n), uintptr(m), uintptr(k), uintptr(unsafe.Pointer(b.one)),
		uintptr(y), uintptr(ldy), uintptr(x), uintptr(ldx), uintptr(unsafe.Pointer(b.zero)), uintptr(c), uintptr(n))
	runtime.KeepAlive(b)
	return err
}

// TestCuBLASCall checks the order and the layout in which the method product passes the
// operands to cuBLAS. A stand-in takes the place of cuBLAS.
func TestCuBLASCall(t *testing.T) {
	d, err := open([]string{standIn(t)})
	if err != nil {
		t.Fatal(err)
	}
	b, err := openBlas(d, []string{"no-libcublas.so.12", standInOf(t, "testdata/cublas.c", "libcublas.so.12")})
	if err != nil {
		t.Fatal(err)
	}
	const m, k, n = 3, 4, 5
	r := rand.New(rand.NewPCG(1, 2))
	var at [3]cuda.Pointer
	for i := range at {
		if at[i], err = d.Alloc(m*k + k*n + m*n); err != nil {
			t.Fatal(err)
		}
	}
	draw := func(to cuda.Pointer, n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.IntN(19) - 9)
		}
		if err := d.Upload(to, words(x)); err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, trans := range []string{"NN", "NT", "TN"} {
		x, y := draw(at[0], m*k), draw(at[1], k*n)
		if err := d.Sync(); err != nil { // the stand-in for cuBLAS does not wait for uploads
			t.Fatal(err)
		}
		if err := b.product(trans, m, k, n, at[2], at[0], at[1]); err != nil {
			t.Fatal(err)
		}
		got := make([]float32, m*n)
		if err := d.Download(words(got), at[2]); err != nil {
			t.Fatal(err)
		}
		for i := range m {
			for j := range n {
				want := float32(0)
				for l := range k {
					want += element(x, trans == "TN", m, k, i, l) * element(y, trans == "NT", k, n, l, j)
				}
				if got[i*n+j] != want {
					t.Errorf("%s: element %d, %d is %v, want %v", trans, i, j, got[i*n+j], want)
				}
			}
		}
	}
	for range 2 { // the stand-in returns an error if the mode is already set
		if err := b.mode(modeTF32); err != nil {
			t.Error(err)
		}
	}
	if err := b.close(); err != nil {
		t.Error(err)
	}
	if _, err := openBlas(d, []string{"no-libcublas.so.12"}); err == nil {
		t.Error("a missing library is loaded")
	}
}

// element returns element i, j of a rows x cols matrix. If transposed is set, the matrix
// is stored transposed.
func element(x []float32, transposed bool, rows, cols, i, j int) float32 {
	if transposed {
		return x[j*rows+i]
	}
	return x[i*cols+j]
}

func words(x []float32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
