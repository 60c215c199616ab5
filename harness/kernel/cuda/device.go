package cuda

import (
	"errors"
	"fmt"

	"pushdown/harness/kernel"
)

// Device is a GPU as a [kernel.Device].
type Device struct {
	drv       Driver
	functions map[string]Function // loaded so far: by name, and emitted ones by text
	params    []byte              // of the launch under way
	now       point               // what is launched
	large     int                 // largeProduct but in tests
	blocks    uint32              // largeBlocks but in tests
	few       uint32              // fewBlocks but in tests
	parts     Pointer             // memory for sums of chunks
	room      int                 // words of it
	grown     int                 // times that it did
	recorder  Recorder            // nil: launches are not kept
	launches  int                 // made or kept so far
	kept      int                 // those in graphs
	hasty     bool                // in tests: keep what comes for the first time
}

var _ kernel.Device = (*Device)(nil)

// New returns a device over a driver, which it closes with itself.
func New(drv Driver) *Device {
	return &Device{drv: drv, functions: map[string]Function{}, params: make([]byte, 0, 4096), large: largeProduct, blocks: largeBlocks, few: fewBlocks}
}

// String returns the name of the device: cuda/h200.
func (d *Device) String() string { return "cuda/" + d.drv.String() }

// Close gives back the device.
func (d *Device) Close() error {
	var err error
	if d.room > 0 {
		err = d.drv.Free(d.parts)
		d.room = 0
	}
	return errors.Join(err, d.drv.Close())
}

// mostWords bounds an arena: 64 GiB.
const mostWords = 1 << 34

// NewArena reserves memory of the device.
func (d *Device) NewArena(words int) (kernel.Arena, error) {
	if words < 0 || int64(words) > mostWords {
		return nil, fmt.Errorf("cuda: arena of %d words, want 0 to %d", words, int64(mostWords))
	}
	a := &arena{dev: d, words: words}
	var err error
	if a.base, err = d.reserve(words); err != nil {
		return nil, fmt.Errorf("cuda: arena of %d words: %w", words, err)
	}
	return a, nil
}

// reserve returns words that are zero, none at all at an address of its own.
func (d *Device) reserve(words int) (Pointer, error) {
	p, err := d.drv.Alloc(max(words, 1))
	if err != nil {
		return 0, err
	}
	if err := d.drv.Clear(p, max(words, 1)); err != nil {
		_ = d.drv.Free(p) // the first error says more
		return 0, err
	}
	return p, nil
}

// function returns a kernel that ships, and loads its module if it is the first
// of it.
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

// emitted returns the kernel of a text that was written here.
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
