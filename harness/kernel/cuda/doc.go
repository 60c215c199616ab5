// Package cuda runs the numeric contract of harness/kernel on NVIDIA's GPUs.
//
// Nothing here has run on hardware yet. What the tests say of bits they say of the
// interpreter in ptxemu, which runs the very text that ships; NVIDIA's assembler
// (ptxas 11.8 and 12.4) takes every kernel for sm_80 and sm_90. Sizes of tiles and blocks
// are chosen on paper, and so is when to keep launches in graphs, which is off
// unless PUSHDOWN_DEVICE is cuda-graphs. ci/gpu runs the whole check list on a
// machine with a GPU.
//
// # Kernels
//
// A kernel is PTX, which the driver translates for the GPU it finds: one text
// serves every GPU from the year 2020 on. There are two kinds.
//
//   - Those in ptx are written in CUDA's C++, compiled by clang without a CUDA
//     toolkit (ptx/build.sh), committed, and embedded. A test compiles them anew
//     where clang is installed.
//   - Elementwise instructions, alone and in groups, are written as text by this
//     package (emit.go) when a program is compiled, one kernel for all of a group,
//     so that its local values stay in registers.
//
// The bits are those of the contract because every kernel computes each sum in the
// contract's order, by as many threads as that order leaves apart: 64 for a sum
// along a row, which has 64 partial sums, one for a sum over rows. Products keep
// the sum of a chunk in registers, and that of the chunks before in shared memory,
// through which tiles of the operands pass; the tile at the edge of k is cut short
// and not filled with zeros. In the loop of a large product four of five
// instructions are FMA by the assembler's listing, which bounds its share of the
// peak; eight by eight results of a thread take that. Only
// instructions that round to nearest are used, none is contracted, none flushes
// subnormal numbers, and there are no atomics. Scattered rows are added in rising
// order by the threads of the first row of each index. The host draws nothing and
// sums nothing.
//
// # Device
//
// A [Device] works through a [Driver]: that of a GPU, or the interpreter of package
// emulated. An arena is one reservation of the driver's memory; programs are
// checked and their kernels loaded by Compile; Run launches a kernel or two for
// each instruction and frame, and allocates nothing. Words pass between host and
// device in Write and Read alone.
//
// A step of a recurrent network is some ten launches of a few microseconds each,
// and to make one takes the host about as long. With [Device.Graphs] successive
// frames of a program are a piece; one that comes for the second time is recorded
// as a graph of the driver and made by one call from then on. Frames do not depend
// on the batch, so strings of other lengths have most pieces in common.
//
// A device that fails after Compile (the driver reports it, or a kernel of the
// interpreter does something wrong) leaves no result to go on with: the method of
// the arena panics with a [kernel.Failure] that names the instruction and the
// frame, and a training run makes its error of it.
//
// An operation whose kernel is still to be written is refused by Compile with an
// error that says so, see [Device.Lacks]. There is none at present.
//
// # What was left out
//
// Gates are not computed at the end of the product before them. Of the loops of the
// networks here an LSTM's alone has its gates right behind a large product, where
// that would save one launch of three on the way forward and none on the way back:
// on paper 4 per cent of an update with a thousand units, 8 with a hundred, where
// it takes a GPU to tell; those of the stack and list networks are three of some 25
// small launches. Graphs make each of these launches cheaper first.
//
// The rows that [kernel.NonzeroRange] says nothing can change in are computed all the same.
package cuda
