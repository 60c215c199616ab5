package simd

import (
	"syscall"
	"testing"
	"unsafe"
)

// pages is memory whose every slot ends where reading is not allowed.
type pages struct {
	mem  []byte
	slot int // bytes, the last page of which is forbidden
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

// floats hands out the last n numbers of a slot; a slot comes round again.
func (p *pages) floats(n int) []float32 {
	end := p.slot*(p.next+1) - syscall.Getpagesize()
	p.next = (p.next + 1) % (len(p.mem) / p.slot)
	if 4*n > p.slot-syscall.Getpagesize() {
		panic("test: a slot is too small")
	}
	// One more element, so that a pointer to an empty matrix is one to a slot.
	return unsafe.Slice((*float32)(unsafe.Pointer(&p.mem[end-4*n-4])), n+1)[1:]
}

// Every matrix of these tests ends where memory ends: a read beyond the last
// element is a fault.
func TestNothingIsReadBeyondTheEnd(t *testing.T) {
	p := newPages(t, 64, 2<<20) // a case has fewer than 64 matrices
	plateMake = p.floats
	defer func() { plateMake = nil }()
	t.Run("step", TestStackStepIsItsFormula)
	t.Run("grad", TestStackGradIsItsFormula)
	t.Run("move", TestListStepIsItsFormula)
	t.Run("movegrad", TestListGradIsItsFormula)
	t.Run("transpose", TestTransposeTurnsRowsIntoColumns)
	t.Run("rowsBy", TestRowsByAndRowDot)
	t.Run("sums", TestSumsFollowRule5)
	t.Run("colSum", TestColSumIsAProductWithOnes)
	t.Run("gather", TestGatherFetchesRows)
	t.Run("moves", TestRowMoves)
	t.Run("scatter", TestScatterAddIsAOneHotProduct)
	t.Run("mix", TestMixIsItsFormula)
	t.Run("dropout", TestDropoutIsItsFormula)
	t.Run("sgd", TestSGDIsItsFormula)
	t.Run("adam", TestAdamIsItsFormula)
}
