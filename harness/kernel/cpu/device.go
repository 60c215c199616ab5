// Package cpu implements the numeric contract of harness/kernel on the host CPU.
//
// Package simd has the routines, in pure Go and in assembly for several instruction
// sets. All versions give the same bits. PUSHDOWN_ISA selects an instruction set; the
// build tag purego leaves out the assembly.
//
// A device has one instruction set and a number of threads. Threads divide the strings of a
// program or the outputs of an instruction, never sums, so the bits do not depend on the number
// of threads. Small instructions are never split. Experiments too small for threads run in
// parallel, each on a device of its own.
//
// Every instruction has a general routine, which takes any number of rows and splits them
// among threads. Compile replaces it where another one is faster. All of them call the routines
// of package simd and give the same bits. The figures say how much longer an update takes
// without them on one thread of a Zen 5 or, where a suite is named, of a Xeon with AVX-512. The
// cases are those of suites/throughput, and BenchmarkOnline in harness/train trains symbol by
// symbol:
//
//	bystring.go       programs divided between strings: on two threads 39 per cent (case f, batch
//	                  32), 4 and 9 per cent (cases h and i)
//	exec_group.go     elementwise instructions of a Group together, tile by tile
//	exec_small.go     products of few rows: 2 to 3 per cent (case d), 4 to 10 per cent (suite
//	                  recognition, batches of 4 and 8 strings)
//	exec_pack.go      a matrix that several frames multiply by, packed once: 7 per cent (case d)
//	exec_bias.go      the sum of logits and bias with the loss: 1.2 to 1.5 times the time of the
//	                  two instructions, for 10,000 words with AVX-512
//	exec_onerow.go    products in frames of one row: 18 per cent, and 69 per cent without a copy
//	                  of the transposed matrices (case f, batch 1)
//	exec_fusedops.go  sequences of instructions in frames of one row: gradients of actions 15 to
//	                  25 per cent, additions to stacks 3 to 7 per cent, gradients of stacks 17 per
//	                  cent (symbol by symbol); additions 10 to 12 per cent (suite patterns)
package cpu

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// Options selects a device.
type Options struct {
	ISA     ISA
	Threads int // zero means one

	// Eager makes threads divide programs between strings whenever they can, even if that does not pay. It is for tests.
	Eager bool
}

// Device is the host CPU as a [kernel.Device].
type Device struct {
	opts    Options
	kernels *simd.Kernels
	team    *team
	product *simd.GemmTeam
	share   *share
	affine  biased
	tiles   [][]float32  // a buffer per worker, for local values and copied operands of groups
	sums    [3][]float32 // of all terms, see replaceMinus0
	alone   []*Device    // for each thread of a byString, a device that has this thread only
}

var _ kernel.Device = (*Device)(nil)

// New returns a device. It returns an error if this machine lacks the instruction set
// or if the number of threads is not within 1 to 256.
func New(opts Options) (*Device, error) {
	if opts.Threads == 0 {
		opts.Threads = 1
	}
	if opts.Threads < 1 || opts.Threads > 256 {
		return nil, fmt.Errorf("cpu: threads: have %d, want 1 to 256", opts.Threads)
	}
	if !simd.Supported(opts.ISA) {
		return nil, fmt.Errorf("cpu: instruction set: have %d, want one of %s, which this processor and build have", opts.ISA, simd.Names(Available()))
	}
	return newDevice(opts), nil
}

func newDevice(opts Options) *Device {
	team := newTeam(opts.Threads)
	return &Device{opts: opts, kernels: simd.KernelsFor(opts.ISA), team: team, product: simd.NewGemmTeam(opts.ISA, team.n, team.do), share: newShare(team)}
}

// String returns the device's name, which includes the instruction set and, if there
// are several threads, their number.
func (d *Device) String() string {
	if d.opts.Threads == 1 {
		return "cpu/" + d.opts.ISA.String()
	}
	return fmt.Sprintf("cpu/%s/threads=%d", d.opts.ISA, d.opts.Threads)
}

// ISA returns the device's instruction set.
func (d *Device) ISA() ISA { return d.opts.ISA }

// Close ends the device's threads.
func (d *Device) Close() error {
	d.team.close()
	return nil
}

// mostWords returns the largest size of an arena: 64 GiB, or less where addresses have 32
// bits. It leaves 4 MiB for what reserve and heap allocate beside the arena.
func mostWords() int {
	if runtime.GOARCH == "wasm" { // where an int has 64 bits all the same
		return (math.MaxInt32 - 4<<20) / 4
	}
	return min(1<<34, (math.MaxInt-4<<20)/4)
}

// NewArena allocates host memory, aligned at least to a cache line.
func (d *Device) NewArena(words int) (kernel.Arena, error) {
	if words < 0 || words > mostWords() {
		return nil, fmt.Errorf("cpu: arena of %d words, want 0 to %d", words, mostWords())
	}
	mem, free, err := reserve(words)
	if err != nil {
		return nil, fmt.Errorf("cpu: arena of %d words: %w", words, err)
	}
	return &arena{dev: d, mem: mem, free: free}, nil
}

// heap allocates words on the Go heap, aligned to a cache line.
func heap(words int) (mem []float32, free func() error, err error) {
	const line = 16 // words
	raw := make([]float32, words+2*line)
	at := 0
	for uintptr(unsafe.Pointer(&raw[at]))%(4*line) != 0 {
		at++
	}
	return raw[at : at+words : at+words], func() error { return nil }, nil
}
