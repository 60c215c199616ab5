package throughput

import (
	"errors"
	"sync"

	"pushdown/harness/kernel"
	"pushdown/harness/rng"
)

// Work is something to be done again and again. Sizes of zero are not known or
// mean nothing.
type Work struct {
	Name     string  // of the benchmark, below that of its kind
	Threads  int     // of the device
	FLOPs    float64 // of a run; of an update: of its equations as written
	Traffic  Traffic // of a run
	Elements float64 // results of a run, for ns/element
	Tokens   float64 // steps times strings of a run, for tokens/s

	// Open prepares the work on a device. done frees what it holds; the device
	// stays open.
	Open func(dev kernel.Device) (run, done func() error, err error)
}

// Traffic is the bytes of memory that a run looks at, each of them once.
type Traffic struct {
	Read    float64 // only read
	Written float64 // only written
	Updated float64 // read and written in place
}

// Footprint is the bytes in all.
func (t Traffic) Footprint() float64 { return t.Read + t.Written + t.Updated }

// Moved is the bytes that pass: a line of memory is fetched before any part of
// it is written.
func (t Traffic) Moved() float64 { return t.Read + 2*t.Written + 2*t.Updated }

// times is the traffic of n elements, floats of four bytes.
func (t Traffic) times(n float64) Traffic {
	return Traffic{4 * n * t.Read, 4 * n * t.Written, 4 * n * t.Updated}
}

// memory is the arena of a kernel's program under construction.
type memory struct {
	words int
	fill  []func(kernel.Arena)
}

// reserve returns the place of a matrix of zeros, at the start of a cache line.
func (p *memory) reserve(rows, cols int) kernel.Arg {
	at := kernel.Arg{Slot: kernel.FixedSlot, Off: p.words, LD: cols}
	p.words += (rows*cols + 15) / 16 * 16
	return at
}

// noise is what matrices are filled with: drawing each number of a large one
// would take longer than the benchmark.
var noise = sync.OnceValue(func() []float32 {
	x, s := make([]float32, 1<<14), rng.New(1, "benchmark")
	for i := range x {
		x[i] = s.Uniform(rng.At{Unit: uint32(i)}, -1, 1)
	}
	return x
})

// floats returns a matrix of numbers uniform in [-1, 1), which repeat after
// some thousands.
func (p *memory) floats(rows, cols int) kernel.Arg {
	at := p.reserve(rows, cols)
	p.fill = append(p.fill, func(a kernel.Arena) {
		x := noise()
		for from := 0; from < rows*cols; from += len(x) {
			a.Write(at.Off+from, x[:min(len(x), rows*cols-from)])
		}
	})
	return at
}

// values returns a row of the given numbers.
func (p *memory) values(x ...float32) kernel.Arg {
	at := p.reserve(1, len(x))
	p.fill = append(p.fill, func(a kernel.Arena) { a.Write(at.Off, x) })
	return at
}

// ints returns a matrix of numbers uniform in 0 to below-1.
func (p *memory) ints(rows, cols, below int) kernel.Arg {
	at := p.reserve(rows, cols)
	p.fill = append(p.fill, func(a kernel.Arena) { a.WriteInts(at.Off, integers("integers", rows*cols, below)) })
	return at
}

func integers(name string, n, below int) []int32 {
	x, s := make([]int32, n), rng.New(1, "benchmark/"+name)
	for i := range x {
		x[i] = int32(s.IntN(rng.At{Unit: uint32(i)}, uint32(below)))
	}
	return x
}

// open compiles code for frames of the given number of rows.
func (p *memory) open(dev kernel.Device, rows int, code ...kernel.Instr) (run, done func() error, err error) {
	arena, err := dev.NewArena(p.words)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range p.fill {
		f(arena)
	}
	c, err := arena.Compile(code)
	if err != nil {
		return nil, nil, errors.Join(err, arena.Close())
	}
	frames, last := []kernel.Frame{{N: rows}}, make([]float32, 1)
	run = func() error {
		arena.Run(c, frames)
		arena.Read(p.words-1, last) // waits for the device
		return nil
	}
	return run, arena.Close, nil
}
