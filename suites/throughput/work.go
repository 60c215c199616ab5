package throughput

import (
	"errors"
	"sync"

	"pushdown/harness/kernel"
	"pushdown/harness/rng"
)

// Work is work that a benchmark repeats. If a field with a number is zero, the number is
// unknown or does not apply.
type Work struct {
	Name     string  // of the sub-benchmark
	Threads  int     // of the device
	FLOPs    float64 // of a run; for an update, the FLOPs of its equations as written
	Traffic  Traffic // of a run
	Elements float64 // results of a run, for ns/element
	Tokens   float64 // steps times strings of a run, for tokens/s

	// Open prepares the work on a device. run does the work once. done frees its
	// memory; the device stays open.
	Open func(dev kernel.Device) (run, done func() error, err error)
}

// Traffic is the number of bytes of memory that a run accesses. A byte counts once,
// however often it is accessed.
type Traffic struct {
	Read    float64 // only read
	Written float64 // only written
	Updated float64 // read and written in place
}

// Footprint returns the total number of bytes.
func (t Traffic) Footprint() float64 { return t.Read + t.Written + t.Updated }

// Moved returns the number of bytes transferred. Written bytes count twice, because a
// cache line is fetched before any part of it is written.
func (t Traffic) Moved() float64 { return t.Read + 2*t.Written + 2*t.Updated }

// times returns the traffic of n elements. t has the number of float32 numbers per element.
func (t Traffic) times(n float64) Traffic {
	return Traffic{4 * n * t.Read, 4 * n * t.Written, 4 * n * t.Updated}
}

// memory lays out the arena, which is the memory of a program, for the operands of a
// kernel.
type memory struct {
	words int
	fill  []func(kernel.Arena)
}

// reserve allocates a matrix of zeros at the start of a cache line.
func (p *memory) reserve(rows, cols int) kernel.Arg {
	at := kernel.Arg{Slot: kernel.FixedSlot, Off: p.words, LD: cols}
	p.words += (rows*cols + 15) / 16 * 16
	return at
}

// noise returns the 2^14 random numbers that fill matrices. A larger matrix repeats them,
// because drawing numbers for all its elements would take longer than the benchmark.
var noise = sync.OnceValue(func() []float32 {
	x, s := make([]float32, 1<<14), rng.New(1, "benchmark")
	for i := range x {
		x[i] = s.Uniform(rng.At{Unit: uint32(i)}, -1, 1)
	}
	return x
})

// floats allocates a matrix of numbers uniform in [-1, 1). They repeat after 2^14 numbers.
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

// values allocates a row with the given numbers.
func (p *memory) values(x ...float32) kernel.Arg {
	at := p.reserve(1, len(x))
	p.fill = append(p.fill, func(a kernel.Arena) { a.Write(at.Off, x) })
	return at
}

// ints allocates a matrix of integers uniform in [0, below).
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

// open allocates and fills the program's memory on a device and compiles the given code. The
// function run executes the code over the given number of rows and waits for the device. The
// function done frees the memory.
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
