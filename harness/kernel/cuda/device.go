package cuda

import (
	"errors"
	"fmt"

	"pushdown/harness/kernel"
)

// Device is a [kernel.Device] that runs on a [Driver].
type Device struct {
	drv         Driver
	functions   map[string]Function // loaded kernels, by name, or by PTX text for emitted kernels
	params      []byte              // scratch for the parameters of a launch
	now         point               // the instruction and frame that are being launched
	large       int                 // largeProduct, except in tests
	blocks      uint32              // largeBlocks, except in tests
	few         uint32              // fewBlocks, except in tests
	chunks      Pointer             // memory for chunk sums
	chunkWords  int                 // size of chunks in words
	generation  int                 // number of times that chunks was allocated
	recorder    Recorder            // nil: graphs are off
	launches    int                 // launches made or recorded so far
	recorded    int                 // number of launches in all graphs
	recordFirst bool                // record a piece when it first occurs, see RecordFirst
}

var _ kernel.Device = (*Device)(nil)

// New returns a device that runs on drv. Closing the device closes drv.
func New(drv Driver) *Device {
	return &Device{drv: drv, functions: map[string]Function{}, params: make([]byte, 0, 4096), large: largeProduct, blocks: largeBlocks, few: fewBlocks}
}

// String returns the name of the device, such as cuda/h200.
func (d *Device) String() string { return "cuda/" + d.drv.String() }

// Close frees the device's memory for chunk sums and closes the driver.
func (d *Device) Close() error {
	var err error
	if d.chunkWords > 0 {
		err = d.drv.Free(d.chunks)
		d.chunkWords = 0
	}
	return errors.Join(err, d.drv.Close())
}

// maxWords is the largest size of an arena in words. It is 64 GiB.
const maxWords = 1 << 34

// NewArena reserves device memory.
func (d *Device) NewArena(words int) (kernel.Arena, error) {
	if words < 0 || int64(words) > maxWords {
		return nil, fmt.Errorf("cuda: arena of %d words, want 0 to %d", words, int64(maxWords))
	}
	a := &arena{dev: d, words: words}
	var err error
	if a.base, err = d.reserve(words); err != nil {
		return nil, fmt.Errorf("cuda: arena of %d words: %w", words, err)
	}
	return a, nil
}

// reserve allocates device memory of the given size in words and sets it to zero. A
// size of 0 also allocates one word, so that every result is a distinct address.
func (d *Device) reserve(words int) (Pointer, error) {
	p, err := d.drv.Alloc(max(words, 1))
	if err != nil {
		return 0, err
	}
	if err := d.drv.Clear(p, max(words, 1)); err != nil {
		_ = d.drv.Free(p) // return the first error
		return 0, err
	}
	return p, nil
}

// function returns an embedded kernel. The first request for a kernel of a module
// loads the module.
func (d *Device) function(name string) (Function, error) {
	if fn, ok := d.functions[name]; ok {
		return fn, nil
	}
	text, names, err := moduleOf(name)
	if err != nil {
		return 0, err
	}
	list, err := d.drv.Load(text, names...)
	if err != nil {
		return 0, fmt.Errorf("loading kernel %s: %w", name, err)
	}
	for i, n := range names {
		d.functions[n] = list[i]
	}
	return d.functions[name], nil
}

// emitted returns the kernel of a PTX text that this package emitted. It loads the
// kernel on first use.
func (d *Device) emitted(text string) (Function, error) {
	if fn, ok := d.functions[text]; ok {
		return fn, nil
	}
	list, err := d.drv.Load(text, emittedName)
	if err != nil {
		return 0, fmt.Errorf("loading an emitted kernel: %w\n%s", err, text)
	}
	d.functions[text] = list[0]
	return list[0], nil
}
