package libcuda

import (
	"fmt"
	"slices"
)

// Error is the result of a driver call that failed.
type Error struct {
	Call   string // the function, such as cuMemAlloc_v2
	Result int
	Name   string // the driver's name of Result, such as CUDA_ERROR_OUT_OF_MEMORY
	Text   string // the driver's description of Result
}

// Error returns the call and the driver's name and description of its result.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d): %s", e.Call, e.Name, e.Result, e.Text)
}

// needs says what the machine needs so that a failed call succeeds. The keys are results
// of calls. Results that a user can do nothing about are left out.
var needs = map[int]string{
	2:   "more free memory on the GPU: end other programs there, take a smaller batch, or run with PUSHDOWN_DEVICE=cpu",
	34:  "the driver's own libcuda.so.1 before the toolkit's stub in LD_LIBRARY_PATH",
	46:  "a GPU that no other program has to itself: look at the compute mode in nvidia-smi",
	100: "a GPU that the driver sees: look at nvidia-smi and CUDA_VISIBLE_DEVICES, or run with PUSHDOWN_DEVICE=cpu",
	101: "a GPU that the driver sees: look at nvidia-smi and CUDA_VISIBLE_DEVICES, or run with PUSHDOWN_DEVICE=cpu",
	209: "a newer driver, which knows this GPU, or PUSHDOWN_DEVICE=cpu",
	221: "libnvidia-ptxjitcompiler.so.1 of the driver, beside libcuda.so.1 or in LD_LIBRARY_PATH: containers lack it without the driver capability compute",
	222: "a newer driver, which reads this PTX, or PUSHDOWN_DEVICE=cpu",
	802: "the GPUs' fabric to be ready: look at systemctl status nvidia-fabricmanager",
	803: "libcuda.so.1 of the version of the loaded kernel module: reboot after an update of the driver",
	804: "the driver's own libcuda.so.1 before that of a cuda-compat package in LD_LIBRARY_PATH",
	999: "the kernel module nvidia_uvm and its /dev/nvidia-uvm, which nvidia-modprobe -u makes; a GPU that was lost needs a reboot",
}

// faults are the results that report a fault of a kernel or of the hardware. They are
// returned by a later call than the launch that caused the fault.
var faults = []int{214, 700, 702, 710, 714, 715, 716, 717, 718, 719}

// advice returns e with advice on what the user can do about it.
func advice(e *Error) error {
	if slices.Contains(faults, e.Result) {
		return fmt.Errorf("%w: a kernel that was launched before is at fault, and the GPU is lost to this process: need CUDA_LAUNCH_BLOCKING=1 to see which, or PUSHDOWN_DEVICE=cpu", e)
	}
	if text, ok := needs[e.Result]; ok {
		return fmt.Errorf("%w: need %s", e, text)
	}
	return e
}
