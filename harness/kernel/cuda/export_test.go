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
