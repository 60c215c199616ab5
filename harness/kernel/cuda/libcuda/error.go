package libcuda

import (
	"fmt"
	"slices"
)

// Error is a result of the driver that is not success.
type Error struct {
	Call   string // cuMemAlloc_v2
	Result int
	Name   string // CUDA_ERROR_OUT_OF_MEMORY
	Text   string // what the driver says of it
}

// Error gives the driver's name and text.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d): %s", e.Call, e.Name, e.Result, e.Text)
}

// The results that get advice.
const (
	outOfMemory    = 2
	noDevice       = 100
	stubLibrary    = 34
	systemMismatch = 803
)

// faults are the results of a kernel that did something wrong, or of hardware that
// did. They come up in a later call than that which launched it.
var faults = []int{214, 700, 702, 710, 714, 715, 716, 717, 718, 719}

// advice tells what to do about a result.
func advice(err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	if slices.Contains(faults, e.Result) {
		return fmt.Errorf("%w: a kernel that was launched before is at fault, and the GPU is lost to this process: need CUDA_LAUNCH_BLOCKING=1 to see which, or PUSHDOWN_DEVICE=cpu", err)
	}
	switch e.Result {
	case outOfMemory:
		return fmt.Errorf("%w: need more free memory on the GPU: end other programs there, take a smaller batch, or run with PUSHDOWN_DEVICE=cpu", err)
	case noDevice:
		return fmt.Errorf("%w: need a GPU that the driver sees: look at nvidia-smi and CUDA_VISIBLE_DEVICES, or run with PUSHDOWN_DEVICE=cpu", err)
	case stubLibrary:
		return fmt.Errorf("%w: need the driver's own libcuda.so.1 before the toolkit's stub in LD_LIBRARY_PATH", err)
	case systemMismatch:
		return fmt.Errorf("%w: need libcuda.so.1 of the version of the loaded kernel module: reboot after an update of the driver", err)
	}
	return err
}
