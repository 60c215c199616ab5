package simd

import (
	"syscall"
	"testing"
	"unsafe"
)

// pageFloats returns a function that allocates n float32 values directly before
// inaccessible memory if atEnd is set, and directly after it otherwise. A kernel that reads
// or writes one element too many there faults. Successive calls use eight such places in
// turn.
func pageFloats(t *testing.T) func(n int, atEnd bool) []float32 {
	const places, pages = 8, 4
	size := syscall.Getpagesize()
	next := 0
	var rooms [places][]byte
	for i := range rooms {
		m, err := syscall.Mmap(-1, 0, (pages+2)*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Munmap(m) })
		for _, fence := range [][]byte{m[:size], m[(pages+1)*size:]} {
			if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
				t.Fatal(err)
			}
		}
		rooms[i] = m[size : (pages+1)*size]
	}
	return func(n int, atEnd bool) []float32 {
		room := rooms[next%places]
		next++
		all := unsafe.Slice((*float32)(unsafe.Pointer(&room[0])), len(room)/4)
		if atEnd {
			return all[len(all)-n:]
		}
		return all[:n]
	}
}

func TestVecStaysInside(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		v, floats := vecOf(isa), pageFloats(t)
		for _, c := range vecCases() {
			for n := 1; n < 150; n++ {
				for _, atEnd := range []bool{true, false} {
					a, b, dst := floats(n, atEnd), floats(n, atEnd), floats(n, atEnd)
					c.run(v, &dst[0], &a[0], &b[0], n)
				}
			}
		}
	})
}

func TestRowsStayInside(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k, floats := rowFor(isa), pageFloats(t)
		for n := 1; n < 80; n++ {
			for rows := 1; rows <= 34; rows += 1 + n/12 {
				for _, atEnd := range []bool{true, false} {
					x, y, dst := floats(rows*n, atEnd), floats(rows*n, atEnd), floats(rows*n, atEnd)
					loss, dloss := floats(rows, atEnd), floats(rows, atEnd)
					target := (*int32)(unsafe.Pointer(&floats(rows, atEnd)[0]))
					ids := unsafe.Slice(target, rows)
					for i := range ids {
						ids[i] = int32((i * 7) % n)
					}
					k.Softmax(&dst[0], &x[0], rows, n, n, n)
					k.SoftmaxGrad(&dst[0], &x[0], &y[0], rows, n, n, n, n)
					k.Xent(&loss[0], &x[0], target, rows, n, n)
					k.XentBoth(&dst[0], &loss[0], &x[0], target, &dloss[0], rows, n, n, n)
					k.XentBias(&dst[0], &loss[0], &x[0], &floats(n, atEnd)[0], target, &dloss[0], rows, n, n, n)
					k.Onehot(&dst[0], &x[0], rows, n, n, n)
				}
			}
		}
	})
}
