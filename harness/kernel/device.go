package kernel

// Device is a backend.
type Device interface {
	// String returns the name used in benchmark lines, for example cpu/avx512.
	String() string
	// NewArena allocates an arena of the given number of 4-byte words, all zero.
	NewArena(words int) (Arena, error)
	// Close releases the device. Its arenas must be closed first.
	Close() error
}

// Arena is memory of a device, with the programs compiled for it. Its methods are
// called from one goroutine at a time and take effect in the order of the calls. Only
// Read and ReadInts wait for the device; they wait for all earlier calls.
//
// The caller may reuse slices passed to Write, WriteInts and Run as soon as the call
// returns: an asynchronous device copies what it still needs. All words that the caller
// names must lie in the arena.
//
// A device such as a GPU may fail after Compile. The method that notices the failure
// panics with a [Failure], which [Catch] turns into an error. This method may be called
// later than the one that caused the failure. The CPU device does not fail after
// Compile.
type Arena interface {
	// Len returns the size in words.
	Len() int
	// Write and WriteInts copy x to the words [at, at+len(x)) of the arena.
	Write(at int, x []float32)
	WriteInts(at int, x []int32)
	// Read and ReadInts fill x with the words [at, at+len(x)) of the arena.
	Read(at int, x []float32)
	ReadInts(at int, x []int32)
	// Compile checks a program against the device and prepares it. The returned Code
	// takes ownership of the instructions and is valid in this arena only.
	Compile(code []Instr) (Code, error)
	// Run runs the program once for each frame, in order.
	Run(c Code, frames []Frame)
	// Close frees the memory.
	Close() error
}

// HostArena is an arena that the host can write to in place, which saves a copy. For
// other arenas the caller uses WriteInts.
type HostArena interface {
	Arena
	// Ints returns the words [at, at+n) as integers. The slice is valid until Close. Run
	// uses what the caller has written to the slice before. An asynchronous device still
	// reads the words after Run has returned. So before the caller writes to words that a
	// Run reads, it must call Read or ReadInts, which wait for that Run. The CPU has
	// finished a program when Run returns.
	Ints(at, n int) []int32
}

// Code is a program compiled by a device.
type Code interface {
	// Len returns the number of instructions.
	Len() int
}

// Indices of the scalars that Adam reads.
const (
	AdamLR = iota // learning rate divided by the bias correction of the first moment
	AdamInvC2
	AdamB1
	AdamOneMinusB1
	AdamB2
	AdamOneMinusB2
	AdamEps
	AdamScalars
)
