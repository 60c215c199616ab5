package simd

import (
	"syscall"
	"testing"
	"unsafe"
)

// pages is memory that is divided into slots. The last page of each slot is
// inaccessible.
type pages struct {
	mem  []byte
	slot int // bytes, including the inaccessible page
	next int
}

func newPages(t *testing.T, slots, slot int) *pages {
	t.Helper()
	mem, err := syscall.Mmap(-1, 0, slots*slot, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	page := syscall.Getpagesize()
	for end := slot; end <= len(mem); end += slot {
		if err := syscall.Mprotect(mem[end-page:end], syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return &pages{mem: mem, slot: slot}
}

// floats returns the last n numbers of the next slot. Slots are reused in turn.
func (p *pages) floats(n int) []float32 {
	end := p.slot*(p.next+1) - syscall.Getpagesize()
	p.next = (p.next + 1) % (len(p.mem) / p.slot)
	if 4*n > p.slot-syscall.Getpagesize() {
		panic("test: a slot is too small")
	}
	// Take one more element, so that a pointer to an empty matrix is inside the slot.
	return unsafe.Slice((*float32)(unsafe.Pointer(&p.mem[end-4*n-4])), n+1)[1:]
}

// TestReadsStayInside repeats tests of kernels with every matrix at the end of
// accessible memory, so that a read beyond its last element faults.
func TestReadsStayInside(t *testing.T) {
	p := newPages(t, 64, 2<<20) // a case has fewer than 64 matrices
	guardedMemory = p.floats
	defer func() { guardedMemory = nil }()
	t.Run("step", TestStackStepMatchesFormula)
	t.Run("grad", TestStackGradMatchesFormula)
	t.Run("move", TestListStepMatchesFormula)
	t.Run("movegrad", TestListGradMatchesFormula)
	t.Run("transpose", TestTransposeTurnsRowsIntoColumns)
	t.Run("rowsBy", TestRowsByAndRowDot)
	t.Run("sums", TestSumsFollowContract)
	t.Run("colSum", TestColSumIsAProductWithOnes)
	t.Run("gather", TestGatherFetchesRows)
	t.Run("moves", TestRowMoves)
	t.Run("scatter", TestScatterAddIsAOneHotProduct)
	t.Run("mix", TestMixMatchesFormula)
	t.Run("dropout", TestDropoutMatchesFormula)
	t.Run("sgd", TestSGDMatchesFormula)
	t.Run("adam", TestAdamMatchesFormula)
}
