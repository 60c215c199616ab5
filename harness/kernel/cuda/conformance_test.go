package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/kerneltest"
)

// guard is the value that package kerneltest gives to words outside all operands. The
// device returned by guarded() reports a fault if a kernel reads such a word.
const guard = 0x7fc0dead

// guarded returns an emulated device on which reading a guard word is a fault.
func guarded() *cuda.Device {
	drv := emulated.NewDriver()
	drv.Guard = guard
	return cuda.New(drv)
}

// genericCPU returns the CPU device without assembly. It is the reference of these tests.
func genericCPU(t testing.TB) kernel.Device {
	t.Helper()
	d, err := cpu.New(cpu.Options{ISA: cpu.Generic})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// skipUnderRace skips a test under the race detector. The interpreter runs in one
// goroutine, so there is nothing to detect, and the detector makes it slow.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("one goroutine runs everything, so the race detector sees nothing; to run it: without -race")
	}
}

// TestKernelsKeepTheContract compares every kernel bit for bit with the CPU device
// without assembly. It also checks that every operation in kernel.Ops launched a
// kernel.
func TestKernelsKeepTheContract(t *testing.T) {
	skipUnderRace(t)
	drv := &counting{Driver: emulated.NewDriver()}
	drv.Guard = guard
	dev := &watched{Device: cuda.New(drv), drv: drv, ran: new([kernel.NumOps]bool)}
	defer dev.Close()
	kerneltest.Run(t, dev, genericCPU(t))
	for i := range kernel.Ops {
		if op := kernel.Ops[i].Op; !dev.ran[op] {
			t.Errorf("no program with %v launched a kernel on the interpreter", op)
		}
	}
}

// counting is a driver that counts launches.
type counting struct {
	*emulated.Driver
	launches int
}

func (d *counting) Launch(fn cuda.Function, grid, block [3]uint32, params []byte) error {
	d.launches++
	return d.Driver.Launch(fn, grid, block, params)
}

// watched is a device that records which operations launch kernels.
type watched struct {
	*cuda.Device
	drv *counting
	ran *[kernel.NumOps]bool
}

func (d *watched) NewArena(words int) (kernel.Arena, error) {
	a, err := d.Device.NewArena(words)
	return &watchedArena{a, d, nil}, err
}

type watchedArena struct {
	kernel.Arena
	dev *watched
	ops []kernel.Op // operations of the program compiled last
}

func (a *watchedArena) Compile(program []kernel.Instr) (kernel.Code, error) {
	a.ops = nil
	for i := range program {
		a.ops = append(a.ops, program[i].Op)
	}
	return a.Arena.Compile(program)
}

func (a *watchedArena) Run(code kernel.Code, frames []kernel.Frame) {
	before := a.dev.drv.launches
	a.Arena.Run(code, frames)
	if a.dev.drv.launches > before && len(a.ops) == 1 { // kerneltest runs each operation in a program of its own
		a.dev.ran[a.ops[0]] = true
	}
}

// TestTheLargeTileKeepsTheContract runs the products of kerneltest on the large tile.
// Without AlwaysLarge, such small products would use the small tile.
func TestTheLargeTileKeepsTheContract(t *testing.T) {
	skipUnderRace(t)
	dev := guarded()
	dev.AlwaysLarge()
	defer dev.Close()
	if err := kerneltest.Check(dev.Whole(), genericCPU(t), kernel.MatMul); err != nil {
		t.Error(err)
	}
}

// productCase is a product, its frames and the initial contents of its arena.
type productCase struct {
	in     kernel.Instr
	frames []kernel.Frame
	mem    []float32
}

// newProduct draws the operands of an m x n x k product. Bit 0 of form says whether the
// first operand is transposed, and bit 1 whether the second is. The value of how is 0
// for a product that sets its result, 1 for one that adds to it, 2 for one that is
// summed in two frames, and 3 for one with a bias. Some rows of the first operand hold
// special values such as infinity. Others hold numbers whose products with the second
// operand underflow to -0.
func newProduct(r *rand.Rand, m, n, k, form, how int) *productCase {
	p := &productCase{in: kernel.Instr{Op: kernel.MatMul, M: m, W: n, K: k, I: [3]int{form & 1, form >> 1}}, frames: make([]kernel.Frame, 1)}
	lda, ldb, ldc := k+3, n+1, n+2
	rowsA, rowsB := m, k
	if form&1 == 1 {
		lda, rowsA = m+3, k
	}
	if form&2 == 2 {
		ldb, rowsB = k+1, n
	}
	at := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	c, a := 5, 5+m*ldc+7
	b := a + rowsA*lda + 3
	bias := b + rowsB*ldb + 9
	p.in.Args = []kernel.Arg{at(c, ldc), at(a, lda), at(b, ldb)}
	p.mem = make([]float32, bias+n+4)
	for i := range p.mem {
		p.mem[i] = float32(r.NormFloat64()) * float32(math.Ldexp(1, r.IntN(40)-20))
	}
	tiny := []float32{-math.SmallestNonzeroFloat32, 0, float32(math.Copysign(0, -1))}
	edges := []float32{float32(math.Inf(1)), math.MaxFloat32, -math.MaxFloat32, 0x1p-126, 1, -1, 0}
	for i := range m {
		for j := range k {
			at := a + i*lda + j
			if form&1 == 1 {
				at = a + j*lda + i
			}
			switch i % 4 {
			case 1:
				p.mem[at] = tiny[r.IntN(3)]
			case 2:
				p.mem[at] = edges[r.IntN(len(edges))]
			}
		}
	}
	for i := range rowsB * ldb {
		if i%3 == 0 {
			p.mem[b+i] = 0x1p-3
		}
	}
	for i := range k { // every fourth column, so that the sums of whole chunks are -0
		for j := 0; j < n; j += 4 {
			if form&2 == 2 {
				p.mem[b+j*ldb+i] = 0x1p-3
			} else {
				p.mem[b+i*ldb+j] = 0x1p-3
			}
		}
	}
	switch how {
	case 1:
		p.in.I[2] = 1
	case 2:
		p.in.K, p.in.Reduce = 0, true
		first := min(k, kernel.Chunk)
		p.frames = []kernel.Frame{{N: first}, {N: k - first, Continues: true}}
		for i, transposed := range []bool{form&1 == 1, form&2 == 0} {
			arg := &p.in.Args[i+1]
			arg.Slot, arg.Row = kernel.Current, 1
			if transposed {
				arg.Row = arg.LD
			}
		}
		p.frames[1].Start[kernel.Current] = first
	case 3:
		p.in.Op, p.in.Args = kernel.Affine, append(p.in.Args, at(bias, n))
	}
	return p
}

func (p *productCase) run(t *testing.T, dev kernel.Device) []uint32 {
	t.Helper()
	a, err := dev.NewArena(len(p.mem))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Write(0, p.mem)
	code, err := a.Compile([]kernel.Instr{p.in})
	if err != nil {
		t.Fatal(err)
	}
	a.Run(code, p.frames)
	x := make([]int32, len(p.mem))
	a.ReadInts(0, x)
	words := make([]uint32, len(x))
	for i, v := range x {
		if words[i] = uint32(v); v&0x7f800000 == 0x7f800000 && v&0x7fffff != 0 {
			words[i] = guard // all NaNs count as equal
		}
	}
	return words
}

// TestProductsAtTheEdgesOfTiles compares products on emulated devices with those of the
// generic CPU code, bit by bit. Many of the inner extents are close to the size of a tile
// or to a multiple of a chunk, and some products have about the size of a large tile. Each
// operand is transposed or not. Each product sets its result, adds to it, is summed in two
// frames, or adds a bias. With -short, only a third of the products run.
func TestProductsAtTheEdgesOfTiles(t *testing.T) {
	skipUnderRace(t)
	reference := genericCPU(t)
	var small, large [2]*cuda.Device // [0] computes chunks in parallel, [1] in sequence
	for i := range 2 {
		small[i], large[i] = emulated.New(), emulated.New()
		defer small[i].Close()
		defer large[i].Close()
		large[i].AlwaysLarge()
	}
	small[1].Whole()
	large[1].Whole()
	results, minusZeros, whole := 0, 0, 0
	for i, k := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 255, 256, 257, 272, 511, 512, 513, 769} {
		for form := range 4 {
			for how := range 4 {
				if testing.Short() && (i+form+how)%3 != 0 {
					continue
				}
				r := rand.New(rand.NewPCG(uint64(k), uint64(form*4+how)))
				dev, m, n := small[(form+how)%2], 1+r.IntN(33), 1+r.IntN(35)
				if (i+form+how)%4 == 0 && k < 600 { // close to a whole large tile
					dev, m, n = large[(i+form)%2], 127+r.IntN(4), []int{1 + r.IntN(62), 63, 64, 65, 66 + r.IntN(64)}[r.IntN(5)]
					if m >= 128 && n >= 64 && k > 8 {
						whole++
					}
				}
				p := newProduct(r, m, n, k, form, how)
				want, got := p.run(t, reference), p.run(t, dev)
				for j := range want {
					if got[j] != want[j] {
						t.Fatalf("%d x %d x %d, transposed %v, how %d: word %d is %#08x, want %#08x", m, n, k, p.in.I, how, j, got[j], want[j])
					}
					if results++; want[j] == 1<<31 {
						minusZeros++
					}
				}
			}
		}
	}
	if whole < 20 && !testing.Short() {
		t.Errorf("%d products have a whole large tile, want 20", whole)
	}
	if minusZeros < 100 {
		t.Errorf("%d results of %d are -0, want many", minusZeros, results)
	}
}

// TestAnOperationWithoutKernelsIsRefused checks the errors for an operation that runs on
// the CPU only.
func TestAnOperationWithoutKernelsIsRefused(t *testing.T) {
	cuda.Without(kernel.SGD, func() {
		dev := emulated.New()
		defer dev.Close()
		if !dev.Lacks(kernel.SGD) || dev.Lacks(kernel.Adam) || dev.Lacks(kernel.Group) || dev.Lacks(kernel.Copy) || dev.Lacks(kernel.ZeroTail) {
			t.Error("the device does not lack SGD alone")
		}
		a, err := dev.NewArena(10)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		arg := kernel.Arg{Slot: kernel.FixedSlot, LD: 1}
		_, err = a.Compile([]kernel.Instr{{Op: kernel.SGD, M: 1, W: 1, Args: []kernel.Arg{arg, arg, arg}}})
		if want := "cuda: instruction 0 (sgd): no kernel for op sgd yet: it runs with PUSHDOWN_DEVICE=cpu"; fmt.Sprint(err) != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if err := kerneltest.Check(dev, genericCPU(t), kernel.SGD); err == nil {
			t.Error("a device without SGD passes its test")
		}
	})
	if kernels := guarded(); kernels.Lacks(kernel.SGD) {
		t.Error("SGD has no kernel after Without")
	}
}
