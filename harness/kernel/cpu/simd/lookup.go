package simd

// lookupTable holds the routine that looks numbers up in a table that fits in a
// register. Only some instruction sets have this routine.
type lookupTable struct {
	Most int // largest size of a table; 0: not available

	// Numbers gathers single numbers from a table of 1 to Most numbers. dst, table and
	// ids have no gaps. Nothing else is read or written.
	//
	//	dst[i] = table[ids[i]] // i < n, 0 <= ids[i] < size
	Numbers func(dst, table *float32, size int, ids *int32, n int)
}
