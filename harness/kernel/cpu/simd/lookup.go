package simd

// lookupTable looks numbers up in a table that fits a register, where the
// instruction set has such an instruction.
type lookupTable struct {
	Most int // numbers of a table; 0: there is no such instruction

	// Numbers is gather of single numbers from 1 to most of them, all without
	// gaps. Nothing else is read or written.
	//
	//	dst[i] = table[ids[i]] // i < n, 0 <= ids[i] < size
	Numbers func(dst, table *float32, size int, ids *int32, n int)
}
