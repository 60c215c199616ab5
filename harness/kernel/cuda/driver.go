package cuda

// Driver is what a [Device] needs of CUDA. The driver of a GPU is one, and so is
// the interpreter of package emulated. Everything happens in the order of the
// calls; only Download and Sync wait for it.
type Driver interface {
	// String names the device: h200.
	String() string
	// Load compiles the text of a module, once for each text, and returns the
	// kernels of these names.
	Load(text string, names ...string) ([]Function, error)
	// Alloc reserves words of 4 bytes, which hold anything.
	Alloc(words int) (Pointer, error)
	// Free gives back what Alloc reserved.
	Free(p Pointer) error
	// Upload copies words to the device; x may be reused at once.
	Upload(to Pointer, x []uint32) error
	// Download copies words from the device.
	Download(x []uint32, from Pointer) error
	// Clear sets words to zero.
	Clear(to Pointer, words int) error
	// Launch runs a kernel in grid blocks of block threads. The parameters lie
	// in params as the kernel declares them; they may be reused at once.
	Launch(fn Function, grid, block [3]uint32, params []byte) error
	// Sync waits until all is done, and returns what went wrong since it was
	// called last.
	Sync() error
	// Close gives back the device.
	Close() error
}

// Pointer is an address in the memory of a device.
type Pointer uint64

// Function is a kernel that a driver has loaded.
type Function uint64
