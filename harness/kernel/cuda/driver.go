package cuda

// Driver is the part of the CUDA driver that a [Device] uses. Package libcuda
// implements it for a GPU, package emulated for the interpreter. Work is done in
// the order of the calls. Download and Sync wait for it; the other methods need
// not.
type Driver interface {
	// String returns the name of the device, such as h200.
	String() string
	// Load compiles the PTX text of a module and returns its kernels of the given
	// names. A Device loads each text once.
	Load(text string, names ...string) ([]Function, error)
	// Alloc reserves words of 4 bytes. Their contents are undefined.
	Alloc(words int) (Pointer, error)
	// Free releases memory that Alloc reserved.
	Free(p Pointer) error
	// Upload copies x to the device. The caller may reuse x when Upload returns.
	Upload(to Pointer, x []uint32) error
	// Download waits for all earlier work and copies words from the device to x.
	Download(x []uint32, from Pointer) error
	// Clear sets words to zero.
	Clear(to Pointer, words int) error
	// Launch runs a kernel in grid blocks of block threads. params holds the
	// parameters in the kernel's layout; the caller may reuse it when Launch
	// returns.
	Launch(fn Function, grid, block [3]uint32, params []byte) error
	// Sync waits for all earlier work and returns an error that it caused.
	Sync() error
	// Close releases the device.
	Close() error
}

// Pointer is an address in device memory.
type Pointer uint64

// Function identifies a kernel that a driver has loaded.
type Function uint64
