// Package ptxemu interprets PTX, the assembly language of NVIDIA GPUs, on the CPU, so
// that tests can run the kernels of this repository without a GPU. Only tests use it.
//
//	module, err := ptxemu.Parse(text)
//	m := ptxemu.NewMachine()
//	addr := m.Alloc(n) // words
//	err = m.Launch(module.Kernel("name"), grid, block, params)
//
// The interpreter supports the subset of PTX that the kernels of this repository use.
// [Parse] returns an error for everything else: opcodes that are not in its tables,
// registers whose type does not fit the instruction, and other address spaces. It also
// rejects every instruction whose bits could differ from the CPU's: floating-point
// arithmetic without a rounding mode, which a compiler may fuse; .ftz; .approx;
// floating-point minimum and maximum; atomics; and loads that bypass cache coherence.
//
// The following faults end a launch with an error that names the kernel, block, thread
// and line:
//
//   - a load or store outside reserved memory, or one not aligned to its size;
//   - a read of a register or of a word of memory that nothing wrote;
//   - a race: two threads of a block access a word of shared or global memory
//     between the same barriers, or two blocks access a word of global memory in the
//     same launch, and at least one of the accesses is a store;
//   - a barrier that not every thread of the block reaches;
//   - an integer division by zero;
//   - more instructions than the machine's limit.
//
// Unused words separate the variables in shared memory, so that an index out of range
// is a fault.
//
// # Execution
//
// Blocks run one after the other. Within a block, the warps run in turn, each to its
// next barrier. The 32 threads of a warp execute an instruction together: a register
// is a row of 32 values, so an instruction is decoded once for all of them. After a
// divergent branch, the threads with the lowest program counter run first; threads
// with equal program counters run together again. The machine finds races by comparing
// the accesses to each word, so the order of execution cannot hide one.
//
// Every NaN result is the canonical NaN of the hardware. The machine does not model
// timing. It assumes no order of threads other than by barriers: the threads of a warp
// can race with each other.
package ptxemu
