package cuda

import "pushdown/harness/kernel"

// AlwaysLarge lets every product take the large tile.
func (d *Device) AlwaysLarge() { d.large, d.blocks = 0, 0 }

// Whole lets every block of a product go through all chunks.
func (d *Device) Whole() *Device {
	d.few = 0
	return d
}

// Hasty is Graphs for launches that come for the first time too.
func (d *Device) Hasty() *Device {
	d.Graphs()
	d.hasty = true
	return d
}

// Kept is the number of launches in graphs.
func (d *Device) Kept() int { return d.kept }

// KernelsOf returns the names of the kernels that ship for an operation.
func KernelsOf(op kernel.Op) []string { return routines[op].kernels }

// TextOf returns the text that holds a kernel that ships.
func TextOf(name string) (string, error) {
	text, _, err := moduleOf(name)
	return text, err
}

// Without runs f while an operation has no kernels.
func Without(op kernel.Op, f func()) {
	was := routines[op]
	defer func() { routines[op] = was }()
	routines[op] = routine{}
	f()
}
