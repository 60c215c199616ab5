package ptxemu

import (
	"fmt"
	"math"
)

// Kernel is an entry point of a module.
type Kernel struct {
	// Name is the name of the entry point.
	Name string
	// ParamBytes is the size of all parameters in bytes. Each parameter is aligned to
	// its own size.
	ParamBytes int
	// MaxThreads is the largest number of threads in a block, or 0 if the PTX text
	// does not limit it.
	MaxThreads int

	params      []symbol
	shared      []symbol
	sharedBytes int
	code        []instr
	registers   int
	specials    []bool // by special register: whether the kernel reads it
	constants   []constant
}

// Machine is an emulated GPU: memory, and an interpreter that runs kernels in it. Only
// one goroutine at a time may use it.
type Machine struct {
	// Limit is the number of instructions, summed over threads, after which a launch
	// faults, because its kernel may never end. Zero means 1e10.
	Limit int64
	// Steps is the number of instructions run so far, summed over threads.
	Steps int64

	global memory
	shared []uint32
	shadow []word32 // last accesses to the words of shared
	owned  []bool   // by word of shared: whether it belongs to a variable

	// Times; see word32.
	now, blockBegan, launchBegan uint32
	launch                       uint32 // number of the current launch

	k      *Kernel
	warps  []*warp             // of a block of k
	cached map[*Kernel][]*warp // warps of kernels that ran before
	params []byte
	ntid   [3]uint32
	nctaid [3]uint32
	ctaid  [3]uint32
	begin  int64 // Steps at the start of the launch
	end    int64 // Steps at which the launch faults
}

// NewMachine returns a machine without reserved memory.
func NewMachine() *Machine {
	return &Machine{global: memory{next: firstAddress}, cached: map[*Kernel][]*warp{}}
}

// Fault is an error of a kernel. The package comment lists the causes.
type Fault struct {
	Kernel        string
	Block, Thread [3]uint32
	Line          int    // line of the PTX text
	Instruction   string // instruction on that line
	What          string // what the thread did wrong
}

// Error says where the fault occurred and what caused it.
func (f *Fault) Error() string {
	return fmt.Sprintf("ptxemu: %s, block %v, thread %v, line %d, %s: %s", f.Kernel, f.Block, f.Thread, f.Line, f.Instruction, f.What)
}

// Launch runs a kernel. The parameter grid holds the number of blocks along each axis,
// and the parameter block holds the number of threads of one block along each axis.
// params holds the parameters in the order of their declaration, each aligned to its
// size. If the kernel faults, the error is a [*Fault], and memory stays as the kernel
// left it.
func (m *Machine) Launch(k *Kernel, grid, block [3]uint32, params []byte) (err error) {
	threads := uint64(1)
	for i := range 3 {
		if grid[i] < 1 || block[i] < 1 || grid[i] > 1<<31-1 || i > 0 && grid[i] > 1<<16-1 || block[i] > maxThreads || i == 2 && block[i] > 64 {
			return fmt.Errorf("ptxemu: %s: a grid of %v blocks of %v threads, want at least 1 along each axis and at most the extents of a GPU", k.Name, grid, block)
		}
		threads *= uint64(block[i])
	}
	if most := maxThreads; threads > uint64(most) || k.MaxThreads > 0 && threads > uint64(k.MaxThreads) {
		if k.MaxThreads > 0 {
			most = k.MaxThreads
		}
		return fmt.Errorf("ptxemu: %s: blocks of %d threads, want at most %d", k.Name, threads, most)
	}
	if len(params) != k.ParamBytes {
		return fmt.Errorf("ptxemu: %s: %d bytes of parameters, want %d", k.Name, len(params), k.ParamBytes)
	}
	m.k, m.params, m.ntid, m.nctaid = k, params, block, grid
	m.begin, m.end = m.Steps, m.Steps+m.Limit
	if m.Limit == 0 {
		m.end += 1e10
	}
	if m.launch == math.MaxUint32 || m.now > math.MaxUint32/2 {
		m.restart()
	}
	m.launch++
	m.now++
	m.launchBegan = m.now
	m.prepare(int(threads))
	defer m.recover(&err)
	for z := range grid[2] {
		for y := range grid[1] {
			for x := range grid[0] {
				m.ctaid = [3]uint32{x, y, z}
				m.block()
			}
		}
	}
	return nil
}

// recover turns a panic of a Fault into an error.
func (m *Machine) recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Fault:
		*err = r
	default:
		panic(r)
	}
}

// restart sets the times, which number the intervals between barriers, back to 0 before
// they overflow.
func (m *Machine) restart() {
	m.now, m.launch = 0, 0
	for _, r := range m.global.regions {
		forget(r.shadow)
	}
	forget(m.shadow)
}

// forget clears the times in the records of accesses. It does not change which words
// count as written.
func forget(shadow []word32) {
	for i := range shadow {
		shadow[i] = word32{written: shadow[i].written}
	}
}

// prepare sets up the shared memory and the warps of a block with the given number of
// threads.
func (m *Machine) prepare(threads int) {
	k := m.k
	words := k.sharedBytes / 4
	if len(m.shared) < words {
		m.shared, m.shadow, m.owned = make([]uint32, words), make([]word32, words), make([]bool, words)
	}
	clear(m.owned)
	for _, s := range k.shared {
		for i := s.at / 4; i < (s.at+s.len)/4; i++ {
			m.owned[i] = true
		}
	}
	n := (threads + warpSize - 1) / warpSize
	all := m.cached[k]
	if len(all) < n {
		for len(all) < n {
			all = append(all, newWarp(k, len(all)))
		}
		m.cached[k] = all
	}
	m.warps = all[:n]
	for i, w := range m.warps {
		w.all = uint32(math.MaxUint32)
		if rest := threads - i*warpSize; rest < warpSize {
			w.all = 1<<rest - 1
		}
		w.setThreads(m)
	}
}

// block runs one block. It runs every warp to its next barrier, and repeats this until
// no warp waits at a barrier.
func (m *Machine) block() {
	m.now++
	m.blockBegan = m.now
	clear(m.shadow[:m.k.sharedBytes/4])
	for _, w := range m.warps {
		w.begin(m)
	}
	for {
		waiting := 0
		for _, w := range m.warps {
			w.run(m)
			if w.waits() {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
		m.meet()
		m.now++
	}
}

// meet checks that all threads of the block wait at the same barrier and releases them.
func (m *Machine) meet() {
	at := -1
	for _, w := range m.warps {
		if w.waits() {
			at = w.parked[0].pc
			break
		}
	}
	in := &m.k.code[at]
	for _, w := range m.warps {
		arrived := uint32(0)
		for _, p := range w.parked {
			if p.pc == at {
				arrived |= p.mask
			}
		}
		if lost := w.all &^ arrived; lost != 0 {
			where := "has left the kernel"
			for _, p := range w.parked {
				if p.mask&lost != 0 {
					lost &= p.mask
					where = fmt.Sprintf("waits at line %d", m.k.code[p.pc].line)
					break
				}
			}
			w.fault(m, in, lost, "not every thread of the block comes to this barrier: this one "+where)
		}
	}
	for _, w := range m.warps {
		w.parts = append(w.parts[:0], part{at + 1, w.all})
		w.parked = w.parked[:0]
	}
}
