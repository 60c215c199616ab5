// Package cpu runs the numeric contract of harness/kernel on the host's
// processor.
//
// The routines are those of package simd, in pure Go and in assembly. All versions
// give the same bits; PUSHDOWN_ISA forces one, the build tag purego leaves the
// assembly out.
//
// A device is one instruction set and a number of threads. Threads split
// outputs, never sums, and small work is never split, so the bits do not depend
// on their number. Experiments too small for threads run side by side, each on
// a device of its own.
package cpu

import (
	"fmt"
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// Options selects a device.
type Options struct {
	ISA     ISA
	Threads int // zero: one
}

// Device is the host's processor as a [kernel.Device].
type Device struct {
	opts    Options
	kernels *simd.Kernels
	team    *team
	product *simd.GemmTeam
	share   *share
	affine  biased
	tiles   [][]float32 // of each worker, for local values of groups
}

var _ kernel.Device = (*Device)(nil)

// New returns a device. An instruction set that this machine lacks and a
// number of threads outside 1 to 256 are errors.
func New(opts Options) (*Device, error) {
	if opts.Threads == 0 {
		opts.Threads = 1
	}
	if opts.Threads < 1 || opts.Threads > 256 {
		return nil, fmt.Errorf("cpu: %d threads, want 1 to 256", opts.Threads)
	}
	if opts.ISA < Generic || opts.ISA > AVX512 || !simd.Supported(opts.ISA) {
		return nil, fmt.Errorf("cpu: instruction set %d is not available, have %s", opts.ISA, simd.Names(Available()))
	}
	team := newTeam(opts.Threads)
	return &Device{opts: opts, kernels: simd.KernelsFor(opts.ISA), team: team, product: simd.NewGemmTeam(opts.ISA, team.n, team.do), share: newShare(team)}, nil
}

// String returns the name of the device with its instruction set.
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

// mostWords bounds an arena: 64 GiB.
const mostWords = 1 << 34

// NewArena reserves host memory, aligned to a cache line at least.
func (d *Device) NewArena(words int) (kernel.Arena, error) {
	if words < 0 || int64(words) > mostWords {
		return nil, fmt.Errorf("cpu: arena of %d words, want 0 to %d", words, int64(mostWords))
	}
	mem, free, err := reserve(words)
	if err != nil {
		return nil, fmt.Errorf("cpu: arena of %d words: %w", words, err)
	}
	return &arena{dev: d, mem: mem, free: free}, nil
}

// heap reserves words of the Go heap, aligned to a cache line.
func heap(words int) (mem []float32, free func() error, err error) {
	const line = 16 // words
	raw := make([]float32, words+2*line)
	at := 0
	for uintptr(unsafe.Pointer(&raw[at]))%(4*line) != 0 {
		at++
	}
	return raw[at : at+words : at+words], func() error { return nil }, nil
}
