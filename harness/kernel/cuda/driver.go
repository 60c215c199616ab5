package cuda

// Driver is the part of the CUDA driver that a [Device] uses. Package libcuda
// implements it for a GPU, package emulated for the interpreter. The device does its
// work in the order of the calls. Download and Sync wait until this work is
// done; the other methods may return earlier.
type Driver interface {
	// String returns the name of the device, such as h200.
	String() string
	// Load compiles the PTX text of a module and returns its kernels with the given
	// names. A Device loads each text once.
	Load(text string, names ...string) ([]Function, error)
	// Alloc reserves the given number of 4-byte words. Their contents are undefined.
	Alloc(words int) (Pointer, error)
	// Free releases memory that Alloc reserved.
	Free(p Pointer) error
	// Upload copies x to the device. The caller may reuse x when Upload returns.
	Upload(to Pointer, x []uint32) error
	// Download waits for all earlier work and copies words from the device to x.
	Download(x []uint32, from Pointer) error
	// Clear sets the given number of words to zero.
	Clear(to Pointer, words int) error
	// Launch runs a kernel. The parameter grid holds the number of blocks along each
	// axis, and the parameter block holds the number of threads of one block along each
	// axis. params holds the parameters in the kernel's layout; the caller may reuse it
	// when Launch returns.
	Launch(fn Function, grid, block [3]uint32, params []byte) error
	// Sync waits for all earlier work. It returns an error if that work failed.
	Sync() error
	// Close releases the device.
	Close() error
}

// Pointer is an address in device memory.
type Pointer uint64

// Function identifies a kernel that a driver has loaded.
type Function uint64
