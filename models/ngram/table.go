package ngram

// A table maps pairs (node, word) to numbers. It is an open-addressing hash table with
// linear probing. The number of slots is a power of two, and at most two thirds of them
// are used. The zero table is empty and ready to use.
type table struct {
	keys   []uint64 // for each slot the key of its pair, or 0 if the slot is free
	values []uint32
	used   int
	shift  uint // 64 minus the binary logarithm of the number of slots
}

// key returns the key of a pair. It is never 0, which marks a free slot. The word must be
// less than 1<<32 - 1.
func key(node, word uint32) uint64 { return uint64(node)<<32 + uint64(word) + 1 }

// find returns the slot of a key, or the free slot where it belongs. The table must have
// slots.
func (t *table) find(key uint64) int {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, for multiplicative hashing
	i := int((key ^ key>>32) * golden >> t.shift)
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & (len(t.keys) - 1)
	}
	return i
}

// get returns the number of a pair, and whether the table has the pair.
func (t *table) get(node, word uint32) (number uint32, found bool) {
	if t.used == 0 {
		return 0, false
	}
	i := t.find(key(node, word))
	return t.values[i], t.keys[i] != 0
}

// at returns the address of the number of a pair, and reports whether the table had the
// pair. If not, the pair is added with the number 0. The address is valid until the next
// call of this method.
func (t *table) at(node, word uint32) (number *uint32, found bool) {
	if 3*t.used >= 2*len(t.keys) {
		t.grow()
	}
	k := key(node, word)
	i := t.find(k)
	found = t.keys[i] != 0
	if !found {
		t.keys[i] = k
		t.used++
	}
	return &t.values[i], found
}

// grow doubles the number of slots.
func (t *table) grow() {
	old := *t
	if t.shift--; len(old.keys) == 0 {
		t.shift = 64 - 4 // 16 slots
	}
	t.keys = make([]uint64, 1<<(64-t.shift))
	t.values = make([]uint32, len(t.keys))
	for i, k := range old.keys {
		if k != 0 {
			j := t.find(k)
			t.keys[j], t.values[j] = k, old.values[i]
		}
	}
}

// each calls f once for every pair (node, word) in the table, with the node and the number
// of the pair. The order is unspecified.
func (t *table) each(f func(node, number uint32)) {
	for i, k := range t.keys {
		if k != 0 {
			f(uint32((k-1)>>32), t.values[i])
		}
	}
}
