package cuda_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
)

// TestKernelFaultIsAFailure runs a kernel that writes beyond the arena and checks the
// failure.
func TestKernelFaultIsAFailure(t *testing.T) {
	dev := emulated.New()
	defer dev.Close()
	a, err := dev.NewArena(10)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	arg := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: 8} }
	code, err := a.Compile([]kernel.Instr{{Op: kernel.Neg, M: 1, W: 8, Note: "what is beyond", Args: []kernel.Arg{arg(9), arg(0)}}})
	if err != nil {
		t.Fatal(err)
	}
	err = func() (err error) {
		defer kernel.Catch(&err)
		a.Run(code, make([]kernel.Frame, 1))
		return nil
	}()
	if want := "cuda/emulated: launching instruction 0 (neg: what is beyond) in frame 0: ptxemu: elementwise"; !strings.HasPrefix(fmt.Sprint(err), want) || !strings.Contains(err.Error(), "nothing reserved") {
		t.Errorf("a result beyond the arena ends with %v, want %s ... nothing reserved", err, want)
	}
}

// broken is a driver whose methods Alloc, Upload, Download, Launch and Sync fail after
// some successful calls.
type broken struct {
	*emulated.Driver
	left int // number of calls of these methods that still succeed
}

var errBus = errors.New("the bus is gone")

func (d *broken) fails() error {
	if d.left--; d.left < 0 {
		return errBus
	}
	return nil
}

func (d *broken) Alloc(words int) (cuda.Pointer, error) {
	if err := d.fails(); err != nil {
		return 0, err
	}
	return d.Driver.Alloc(words)
}

func (d *broken) Upload(to cuda.Pointer, x []uint32) error {
	return errors.Join(d.fails(), d.Driver.Upload(to, x))
}

func (d *broken) Download(x []uint32, from cuda.Pointer) error {
	return errors.Join(d.fails(), d.Driver.Download(x, from))
}

func (d *broken) Launch(fn cuda.Function, grid, block [3]uint32, params []byte) error {
	return errors.Join(d.fails(), d.Driver.Launch(fn, grid, block, params))
}

func (d *broken) Sync() error { return errors.Join(d.fails(), d.Driver.Sync()) }

// TestDriverFailureIsAnError runs a product with parallel chunks again and again, each time
// with a failure of another call of the driver. It checks that the error says what the
// device was doing.
func TestDriverFailureIsAnError(t *testing.T) {
	p := newProduct(rand.New(rand.NewPCG(1, 2)), 3, 4, 600, 0, 0)
	p.in.Note = "%7"
	try := func(left int) (err error) {
		defer kernel.Catch(&err)
		dev := cuda.New(&broken{emulated.NewDriver(), left})
		a, err := dev.NewArena(len(p.mem))
		if err != nil {
			return err
		}
		a.Write(1, p.mem[1:])
		code, err := a.Compile([]kernel.Instr{p.in})
		if err != nil {
			return err
		}
		a.Run(code, p.frames)
		a.Read(0, p.mem)
		return nil
	}
	launching := "cuda/emulated: launching instruction 0 (matmul: %7) in frame 0: "
	for left, want := range []string{
		fmt.Sprintf("cuda: arena of %d words: ", len(p.mem)),
		fmt.Sprintf("cuda/emulated: writing %d words from word 1 on: ", len(p.mem)-1),
		launching, // Sync before the allocation
		launching + "memory for 65536 words of sums of chunks: ",
		launching, // the chunks
		launching, // the sums of chunks
		fmt.Sprintf("cuda/emulated: reading %d words from word 0 on: ", len(p.mem)),
		"<nil>",
	} {
		err := try(left)
		if want != "<nil>" {
			want += errBus.Error()
		}
		if fmt.Sprint(err) != want || err != nil && !errors.Is(err, errBus) {
			t.Errorf("broken after %d calls: error %v, want %s", left, err, want)
		}
	}
}

// TestAGridTooLargeIsAnError checks that the device reports a grid with too many blocks
// and states the limit. A GPU's driver would only report an invalid argument.
func TestAGridTooLargeIsAnError(t *testing.T) {
	dev := emulated.New()
	defer dev.Close()
	const group, groups = 9, 1 << 16
	a, err := dev.NewArena(group * groups)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	x := kernel.Arg{Slot: kernel.FixedSlot, LD: group * groups}
	code, err := a.Compile([]kernel.Instr{{Op: kernel.Softmax, M: 1, W: group * groups, I: [3]int{group}, Args: []kernel.Arg{x, x}}})
	if err != nil {
		t.Fatal(err)
	}
	err = func() (err error) {
		defer kernel.Catch(&err)
		a.Run(code, make([]kernel.Frame, 1))
		return nil
	}()
	if want := "cuda/emulated: launching instruction 0 (softmax) in frame 0: grid: have [1 65536 1] blocks, want at most 65535 along y and z"; fmt.Sprint(err) != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
