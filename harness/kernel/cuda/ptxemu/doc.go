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
// registers whose type does not fit the instruction, and address spaces other than
// global memory, shared memory and parameters. It also rejects every instruction whose
// result could differ from the CPU's in any bit: floating-point arithmetic without a
// rounding mode, which a compiler may fuse; .ftz; .approx; floating-point minimum and
// maximum; atomics; and loads that bypass cache coherence.
//
// The following faults end a launch with an error that names the kernel, block, thread
// and line:
//
//   - a load or store outside reserved memory, or one not aligned to its size;
//   - a read of a register, or of a word of memory, that nothing has written;
//   - a race: two accesses to the same word, at least one of them a store, by two
//     threads of a block between the same barriers, or by two blocks in the same
//     launch;
//   - a barrier that not every thread of the block reaches;
//   - an integer division by zero;
//   - more instructions than the machine's limit.
//
// Unused words separate the variables in shared memory, so that an access just outside a
// variable is a fault.
//
// # Execution
//
// Blocks run one after the other. Within a block, the warps run in turn, each to its
// next barrier. The 32 threads of a warp execute an instruction together: a register
// is a row of 32 values, so an instruction is decoded once for all of them. After a
// divergent branch, the threads with the lowest program counter run first; threads
// with equal program counters run together again. The machine finds races by comparing
// the accesses to each word, so the order of execution cannot hide a race.
//
// Every NaN that arithmetic produces is the canonical NaN of the hardware. The machine
// does not model timing. Only a barrier orders the accesses of different threads, so even
// the threads of one warp can race with each other.
package ptxemu
