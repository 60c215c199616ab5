// Package ptxemu runs PTX, the assembly language of NVIDIA's devices, on the
// processor, so that tests can run the very kernels that ship where there is no
// such device. It is support for tests: nothing that ships imports it.
//
//	module, err := ptxemu.Parse(text)
//	m := ptxemu.NewMachine()
//	addr := m.Alloc(n) // words
//	err = m.Launch(module.Kernel("name"), grid, block, params)
//
// It knows the part of PTX that the kernels of this repository are made of, and
// refuses everything else when it parses: an opcode that is not in its tables,
// a register of another type than its instruction, other address spaces, and
// whatever could give other bits than the processor gives: arithmetic on
// floating point without a rounding mode (a compiler may fuse it), .ftz, .approx,
// minima and maxima of floating point, atomics, loads that bypass coherence.
//
// While a kernel runs, these are faults, which end the launch with an error that
// names kernel, block, thread and line:
//
//   - a load or store outside what was reserved, or not aligned to its size;
//   - a read of a register, of shared memory or of global memory that nothing
//     wrote;
//   - a race: two threads of a block touch a word of shared or global memory
//     between the same barriers, or two blocks a word of global memory in one
//     launch, and one of them writes;
//   - a barrier that not every thread of the block reaches;
//   - a whole-number division by zero, and a launch of more instructions than
//     the machine's limit.
//
// Variables in shared memory have words between them that belong to none, so that
// an index too large does not go unseen.
//
// # How it runs
//
// A launch runs block after block, a block warp after warp, each to its next
// barrier. The 32 threads of a warp run an instruction together: a register is a
// row of 32 values, so that decoding costs once for all of them. Where threads
// part, those at the lowest place of the program go first, and they join again
// where they meet. What races is found by comparing accesses, not by their order,
// so the order hides nothing.
//
// All NaN results are the one NaN that the hardware makes. Timing is not
// modelled, nor is any guarantee beyond those of barriers: threads of one warp
// race like any others.
package ptxemu
