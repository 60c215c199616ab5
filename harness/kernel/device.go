package kernel

// Device is a backend.
type Device interface {
	// String names the device as benchmark lines do: cpu/avx512.
	String() string
	// NewArena reserves words of 4 bytes, all zero.
	NewArena(words int) (Arena, error)
	// Close frees what the device holds. Its arenas are closed before.
	Close() error
}

// Arena is memory of a device with the programs compiled for it. Its methods
// are called from one goroutine at a time and act in the order of the calls;
// only reading waits for the device, and then for all that was called before.
//
// Slices given to Write, WriteInts and Run may be reused as soon as the call
// returns: a device that works later copies what it still needs. Words outside
// the arena are the caller's mistake.
//
// A device that fails after Compile, as one behind a bus can, ends the method that
// meets it with a panic of a [Failure], which [Catch] makes an error of. Not every
// failure can be told at once: it may come up in a later call. The processor
// cannot fail there.
type Arena interface {
	// Len returns the size in words.
	Len() int
	// Write and WriteInts copy to the device from word at on.
	Write(at int, x []float32)
	WriteInts(at int, x []int32)
	// Read and ReadInts copy from the device.
	Read(at int, x []float32)
	ReadInts(at int, x []int32)
	// Compile checks a program against the device and prepares it. The
	// instructions belong to the Code from then on, and the Code to this arena.
	Compile(code []Instr) (Code, error)
	// Run runs the program once for each frame, in order.
	Run(c Code, frames []Frame)
	// Close frees the memory.
	Close() error
}

// HostArena is an arena that the host can write to in place, which saves a
// copy. A caller that does not find it uses WriteInts.
type HostArena interface {
	Arena
	// Ints returns n words from word at on as whole numbers, until Close. What
	// is written there is seen by every later Run. A program that is still
	// under way may see it too, so after a Run that reads there the caller
	// reads a result (Read, ReadInts) before it writes again. On the processor
	// a program has ended when Run returns.
	Ints(at, n int) []int32
}

// Code is a program as a device has prepared it.
type Code interface {
	// Len returns the number of instructions.
	Len() int
}

// Words of the scalars that Adam reads, in order.
const (
	AdamLR = iota // learning rate over the correction of the first moment
	AdamInvC2
	AdamB1
	AdamOneMinusB1
	AdamB2
	AdamOneMinusB2
	AdamEps
	AdamScalars
)
