package ptxemu

import (
	"fmt"
	"math"
)

// Kernel is one entry of a module.
type Kernel struct {
	// Name is the name of the entry.
	Name string
	// ParamBytes is the size of its parameters, each aligned to its own size.
	ParamBytes int
	// MaxThreads is the number of threads that a block may have at most, 0 if
	// the text does not say.
	MaxThreads int

	params      []symbol
	shared      []symbol
	sharedBytes int
	code        []instr
	registers   int
	specials    []bool // used
	constants   []constant
}

// Machine is a device: memory, and what runs kernels in it. It is used by one
// goroutine at a time.
type Machine struct {
	// Limit is the number of instructions of threads after which a launch is
	// taken for one that never ends. Zero is 1e10.
	Limit int64
	// Steps counts the instructions that threads ran.
	Steps int64

	global memory
	shared []uint32
	shadow []word32
	owned  []bool // words of shared memory that belong to a variable

	// Times, see word32.
	now, blockBegan, launchBegan uint32
	launch                       uint32

	k      *Kernel
	warps  []*warp             // of a block of k
	kept   map[*Kernel][]*warp // of kernels that ran before
	params []byte
	ntid   [3]uint32
	nctaid [3]uint32
	ctaid  [3]uint32
	begin  int64 // of Steps, at the start of the launch
	end    int64
}

// NewMachine returns a machine without anything in its memory.
func NewMachine() *Machine {
	return &Machine{global: memory{next: firstAddress}, kept: map[*Kernel][]*warp{}}
}

// Fault is what a kernel did wrong.
type Fault struct {
	Kernel        string
	Block, Thread [3]uint32
	Line          int    // of the text
	Instruction   string // at that line
	What          string
}

// Error says what, where.
func (f *Fault) Error() string {
	return fmt.Sprintf("ptxemu: %s, block %v, thread %v, line %d, %s: %s", f.Kernel, f.Block, f.Thread, f.Line, f.Instruction, f.What)
}

// Launch runs a kernel: grid blocks of block threads. The parameters lie in
// params as the kernel declares them, each aligned to its size. The error of a
// kernel that does something wrong is a [*Fault]; memory is then as the kernel
// left it.
func (m *Machine) Launch(k *Kernel, grid, block [3]uint32, params []byte) (err error) {
	threads := uint64(1)
	for i := range 3 {
		if grid[i] < 1 || block[i] < 1 || grid[i] > 1<<31-1 || i > 0 && grid[i] > 1<<16-1 || block[i] > mostThreads || i == 2 && block[i] > 64 {
			return fmt.Errorf("ptxemu: %s: a grid of %v blocks of %v threads, want what a device has", k.Name, grid, block)
		}
		threads *= uint64(block[i])
	}
	if most := mostThreads; threads > uint64(most) || k.MaxThreads > 0 && threads > uint64(k.MaxThreads) {
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

func (m *Machine) recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Fault:
		*err = r
	default:
		panic(r)
	}
}

// restart lets time begin anew.
func (m *Machine) restart() {
	m.now, m.launch = 0, 0
	for _, r := range m.global.regions {
		forget(r.shadow)
	}
	forget(m.shadow)
}

func forget(shadow []word32) {
	for i := range shadow {
		shadow[i] = word32{written: shadow[i].written}
	}
}

// prepare sets up the warps and shared memory of a block.
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
	all := m.kept[k]
	if len(all) < n {
		for len(all) < n {
			all = append(all, newWarp(k, len(all)))
		}
		m.kept[k] = all
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

// block runs one block: every warp to its barrier, again and again.
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

// meet checks that all threads of a block wait at one barrier, and lets them go
// on.
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
