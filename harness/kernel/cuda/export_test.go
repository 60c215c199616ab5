package cuda

import "pushdown/harness/kernel"

// AlwaysLarge makes every product use the large tile.
func (d *Device) AlwaysLarge() { d.large, d.blocks = 0, 0 }

// Whole makes every thread block of a product compute all chunks of its sums, so that no
// chunks are computed in parallel.
func (d *Device) Whole() *Device {
	d.few = 0
	return d
}

// RecordFirst calls EnableGraphs and makes the device record a graph of each piece, a short
// sequence of frames, when it first occurs. Without RecordFirst, this happens when the
// piece occurs again.
func (d *Device) RecordFirst() *Device {
	d.EnableGraphs()
	d.recordFirst = true
	return d
}

// Recorded returns the number of launches in all graphs.
func (d *Device) Recorded() int { return d.recorded }

// KernelsOf returns the names of the embedded kernels of an operation.
func KernelsOf(op kernel.Op) []string { return routines[op].kernels }

// TextOf returns the embedded PTX text that defines a kernel.
func TextOf(name string) (string, error) {
	text, _, err := moduleOf(name)
	return text, err
}

// Without runs f while op has no entry in routines. The device then lacks op, unless it
// uses an emitted kernel.
func Without(op kernel.Op, f func()) {
	was := routines[op]
	defer func() { routines[op] = was }()
	routines[op] = routine{}
	f()
}
