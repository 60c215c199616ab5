package ptxemu

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// word32 describes the last accesses to a word of memory. A time is the number of an
// interval between two barriers. The intervals of all blocks and launches are numbered
// in one sequence.
type word32 struct {
	wrote, read     uint32 // times of the last store and of the last load; 0: never
	wroteBy, readBy uint16 // threads of these accesses, by number in the block; readBy may be several
	others          uint32 // number of the last launch in which more than one block loaded the word
	written         bool   // the word has a defined value
}

// several is the value of readBy, instead of a thread number, for a word that more than
// one thread has read.
const several = math.MaxUint16

// region is a reserved range of global memory.
type region struct {
	at     uint64 // address
	words  []uint32
	shadow []word32
}

func (r *region) end() uint64 { return r.at + 4*uint64(len(r.words)) }

const (
	firstAddress = 0x7f0000000000
	alignment    = 256  // alignment of a region, in bytes
	between      = 4096 // unused bytes after a region
)

// memory is global memory. Its regions are sorted by address.
type memory struct {
	regions []*region
	next    uint64
	last    *region // result of the last call of find
}

// find returns the region that contains all bytes [at, at+bytes), or nil if there is
// none.
func (m *memory) find(at uint64, bytes uint64) *region {
	if r := m.last; r != nil && at >= r.at && at+bytes <= r.end() {
		return r
	}
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].end() > at })
	if i == len(m.regions) || at < m.regions[i].at || at+bytes > m.regions[i].end() {
		return nil
	}
	m.last = m.regions[i]
	return m.last
}

// Alloc reserves words of global memory and returns their address. A kernel that reads a
// word before it is written faults.
func (m *Machine) Alloc(words int) uint64 {
	g := &m.global
	r := &region{at: g.next, words: make([]uint32, words), shadow: make([]word32, words)}
	g.regions = append(g.regions, r)
	g.next = (r.end()+alignment-1)/alignment*alignment + between
	return r.at
}

// Free releases the memory that Alloc reserved at an address.
func (m *Machine) Free(at uint64) error {
	g := &m.global
	i := slices.IndexFunc(g.regions, func(r *region) bool { return r.at == at })
	if i < 0 {
		return fmt.Errorf("ptxemu: free of address %#x, which was not reserved", at)
	}
	g.regions = slices.Delete(g.regions, i, i+1)
	g.last = nil
	return nil
}

// span returns the region that contains n words from the given address on. It also
// returns the index of the first of these words in the region.
func (m *Machine) span(at uint64, n int) (*region, int, error) {
	r := m.global.find(at, 4*uint64(n))
	if r == nil || at%4 != 0 {
		return nil, 0, fmt.Errorf("ptxemu: %d words from address %#x on, which are not all reserved", n, at)
	}
	return r, int((at - r.at) / 4), nil
}

// Write copies words to global memory.
func (m *Machine) Write(at uint64, x []uint32) error {
	if len(x) == 0 {
		return nil
	}
	r, i, err := m.span(at, len(x))
	if err != nil {
		return err
	}
	copy(r.words[i:], x)
	for j := range x {
		r.shadow[i+j].written = true
	}
	return nil
}

// Fill sets n words of global memory to x.
func (m *Machine) Fill(at uint64, x uint32, n int) error {
	if n == 0 {
		return nil
	}
	r, i, err := m.span(at, n)
	if err != nil {
		return err
	}
	for j := i; j < i+n; j++ {
		r.words[j] = x
		r.shadow[j].written = true
	}
	return nil
}

// Undefine makes n words of global memory undefined again. A kernel that reads one of
// them faults. [Machine.Read] still returns their values.
func (m *Machine) Undefine(at uint64, n int) error {
	if n == 0 {
		return nil
	}
	r, i, err := m.span(at, n)
	if err != nil {
		return err
	}
	for j := i; j < i+n; j++ {
		r.shadow[j].written = false
	}
	return nil
}

// Read copies words from global memory, whether or not they have been written.
func (m *Machine) Read(x []uint32, at uint64) error {
	if len(x) == 0 {
		return nil
	}
	r, i, err := m.span(at, len(x))
	if err != nil {
		return err
	}
	copy(x, r.words[i:])
	return nil
}

// touchLoad records that a thread loads a word. It returns the cause of a fault, or "".
func (m *Machine) touchLoad(w *word32, thread uint16) string {
	if !w.written {
		return "reads a word that nothing wrote"
	}
	if w.wrote >= m.launchBegan && w.wrote < m.blockBegan {
		return "races with another block, which wrote the word"
	}
	if w.wrote == m.now && w.wroteBy != thread {
		return fmt.Sprintf("races with thread %d, which wrote the word after the same barrier", w.wroteBy)
	}
	if w.read == m.now {
		if w.readBy != thread {
			w.readBy = several
		}
		return ""
	}
	if w.read >= m.launchBegan && w.read < m.blockBegan {
		w.others = m.launch
	}
	w.read, w.readBy = m.now, thread
	return ""
}

// touchStore records that a thread stores a word. It returns the cause of a fault, or "".
func (m *Machine) touchStore(w *word32, thread uint16) string {
	switch {
	case w.wrote >= m.launchBegan && w.wrote < m.blockBegan:
		return "races with another block, which wrote the word"
	case w.wrote == m.now && w.wroteBy != thread:
		return fmt.Sprintf("races with thread %d, which wrote the word after the same barrier", w.wroteBy)
	case w.read >= m.launchBegan && w.read < m.blockBegan || w.others == m.launch:
		return "races with another block, which reads the word"
	case w.read == m.now && w.readBy == several:
		return "races with other threads, which read the word after the same barrier"
	case w.read == m.now && w.readBy != thread:
		return fmt.Sprintf("races with thread %d, which read the word after the same barrier", w.readBy)
	}
	w.wrote, w.wroteBy, w.written = m.now, thread, true
	return ""
}
