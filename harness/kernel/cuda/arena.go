package cuda

import (
	"errors"
	"fmt"
	"unsafe"

	"pushdown/harness/kernel"
)

// arena is a [kernel.Arena] in device memory. Only Write, WriteInts, Read and ReadInts
// copy words between host and device.
type arena struct {
	dev   *Device
	base  Pointer
	words int
	// scratch holds the addresses of additional memory that the arena's programs use.
	// Close frees it.
	scratch []Pointer
	codes   []*code // programs that may have graphs
	closed  bool
}

func (a *arena) Len() int { return a.words }

// at returns the device address of a word of the arena.
func (a *arena) at(word int) Pointer { return a.base + 4*Pointer(word) }

// checkRange panics unless all words [at, at+n) are in the arena.
func (a *arena) checkRange(at, n int) {
	if at < 0 || n > a.words-at {
		panic(fmt.Sprintf("cuda: %d words from word %d on, want some of the %d of the arena", n, at, a.words))
	}
}

// wordsOf returns the elements of x as words, without copying them.
func wordsOf[T float32 | int32](x []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func (a *arena) Write(at int, x []float32) { a.upload(at, wordsOf(x)) }

// WriteInts copies integers to the device.
func (a *arena) WriteInts(at int, x []int32) { a.upload(at, wordsOf(x)) }

func (a *arena) Read(at int, x []float32) { a.download(at, wordsOf(x)) }

// ReadInts copies integers from the device.
func (a *arena) ReadInts(at int, x []int32) { a.download(at, wordsOf(x)) }

func (a *arena) upload(at int, x []uint32) {
	a.checkRange(at, len(x))
	if err := a.dev.drv.Upload(a.at(at), x); err != nil {
		a.dev.failed(fmt.Sprintf("writing %d words from word %d on", len(x), at), err)
	}
}

func (a *arena) download(at int, x []uint32) {
	a.checkRange(at, len(x))
	if err := a.dev.drv.Download(x, a.at(at)); err != nil {
		a.dev.failed(fmt.Sprintf("reading %d words from word %d on", len(x), at), err)
	}
}

func (a *arena) Close() error {
	if a.closed {
		return nil
	}
	a.closed = true
	err := errors.Join(a.dev.drv.Sync(), a.forgetAll())
	for _, p := range append(a.scratch, a.base) {
		err = errors.Join(err, a.dev.drv.Free(p))
	}
	return err
}

// Run runs the program in each frame.
func (a *arena) Run(program kernel.Code, frames []kernel.Frame) {
	c := program.(*code)
	for at := 0; at < len(frames); at += pieceFrames {
		part := frames[at:min(at+pieceFrames, len(frames))]
		if !a.repeat(c, part, at) {
			a.launchAll(c, part, at)
		}
	}
}

// launchAll launches the kernels of the program for each of the frames, which are some or
// all frames of a run. The parameter at is the index of frames[0] in the run.
func (a *arena) launchAll(c *code, frames []kernel.Frame, at int) {
	for i := range frames {
		for j := range c.steps {
			s := &c.steps[j]
			a.dev.now = point{s.in, j, at + i}
			s.run(a, s, &frames[i])
		}
	}
}
