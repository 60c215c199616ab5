// Package cuda runs the numeric contract of harness/kernel on NVIDIA GPUs.
//
// It has not run on hardware yet. The tests run the PTX that ships on the
// interpreter in ptxemu and compare its results bit for bit. NVIDIA's assembler
// (ptxas 11.8 and 12.4) accepts every kernel for sm_80 and sm_90. The sizes of tiles
// and blocks, and the rule for which launches become graphs, are estimates; graphs
// are off unless PUSHDOWN_DEVICE is cuda-graphs. ci/gpu runs all checks on a machine
// with a GPU.
//
// # Kernels
//
// A kernel is PTX, which the driver compiles for the machine's GPU. The same text serves
// every GPU of compute capability 8.0 or later, that is, since 2020. There are two kinds
// of kernels.
//
//   - The kernels in ptx are written in CUDA C++, compiled by clang without a CUDA
//     toolkit (ptx/build.sh), committed and embedded. A test recompiles them where
//     clang is installed.
//   - Elementwise instructions and groups of them are compiled to PTX by this
//     package (emit.go) when a program is compiled. A group becomes one kernel, which
//     holds its local values in registers.
//
// Every kernel computes each sum in the contract's order, which fixes the bits and
// limits the parallelism: 64 threads compute a sum along a row, because it has 64
// partial sums, and one thread computes a sum over rows. A product holds the sum of
// the current chunk in registers and the sum of earlier chunks in shared memory. It
// stages tiles of the operands through shared memory. The last tile along k is
// shorter and not padded with zeros. Each thread of a large product computes eight by
// eight results, so that four of five instructions of its inner loop are FMAs, as the
// assembler's listing shows; that ratio bounds its share of the peak. Instructions
// round to nearest, are never contracted and keep subnormal numbers. There are no
// atomics. Scattered rows are added in rising order by the threads of the first row
// of each index. The host draws no random numbers and adds nothing.
//
// # Device
//
// A [Device] works through a [Driver], which is a GPU (package libcuda) or the
// interpreter (package emulated). An arena is one allocation of device memory.
// Compile checks programs and loads their kernels. Run launches a few kernels for
// each instruction in each frame and makes no allocations. Only Write and Read copy
// words between host and device.
//
// A time step of a recurrent network is about ten launches of a few microseconds
// each, and the host takes about as long to make a launch. [Device.EnableGraphs]
// reduces the host's share: the device divides the frames of a run into pieces, records
// a piece that comes for the second time as a CUDA graph, and launches the graph by one
// call from then on. Frames of different batches are often equal, so batches of
// different lengths share most pieces.
//
// If the device fails after Compile, because the driver reports an error or the
// interpreter finds a fault, no result can be used. The method of the arena then
// panics with a [kernel.Failure] that names the instruction and the frame, and a
// training run returns it as an error.
//
// Compile returns an error for an operation that has no kernel yet; see
// [Device.Lacks]. At present every operation has one.
//
// # Optimizations left out
//
// Gates are not fused into the product before them. Among the networks here only the
// LSTM's loop computes its gates right after a large product. Fusing them would save
// one launch of three in the forward pass and none in the backward pass: by estimate
// 4 per cent of an update with a thousand units and 8 per cent with a hundred, which
// only a GPU can confirm. In stack and list networks the gates are three of about 25
// small launches. Graphs make all of these launches cheaper.
//
// The kernels also compute the rows that [kernel.NonzeroRange] allows a device to
// skip.
package cuda
