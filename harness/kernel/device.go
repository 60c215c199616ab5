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
// the reading methods wait for the device; they wait for all earlier calls.
//
// The caller may reuse slices passed to Write, WriteInts and Run as soon as the call
// returns: an asynchronous device copies what it still needs. The caller must stay
// within the arena.
//
// A device may fail after Compile, for example one behind a bus. The method that
// notices the failure then panics with a [Failure], which [Catch] turns into an
// error. A failure may be noticed only in a later call. The CPU device does not fail
// there.
type Arena interface {
	// Len returns the size in words.
	Len() int
	// Write and WriteInts copy x to the device, starting at word at.
	Write(at int, x []float32)
	WriteInts(at int, x []int32)
	// Read and ReadInts fill x from the device, starting at word at.
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
	// Ints returns n words, starting at word at, as integers. The slice is valid
	// until Close. Every later Run sees what is written to it, and so may a Run that
	// has not finished. After a Run that reads these words, the caller therefore
	// reads a result (Read, ReadInts) before it writes again. On the CPU a program
	// has finished when Run returns.
	Ints(at, n int) []int32
}

// Code is a program compiled by a device.
type Code interface {
	// Len returns the number of instructions.
	Len() int
}

// Words of the scalars that Adam reads, in order.
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
