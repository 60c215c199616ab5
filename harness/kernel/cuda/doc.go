// Package cuda runs the numeric contract of harness/kernel on NVIDIA GPUs.
//
// The package has not run on hardware yet. The tests run the PTX for GPUs on the
// interpreter of package ptxemu and compare the results with the CPU's, bit for bit.
// NVIDIA's assembler (ptxas 11.8 and 12.4) accepts every kernel for sm_80 and sm_90.
// The sizes of tiles and blocks are estimates, and so is the rule for which launches
// become graphs. Graphs are off unless PUSHDOWN_DEVICE is cuda-graphs. ci/gpu runs all
// checks on a machine with a GPU.
//
// # Kernels
//
// A kernel is PTX, which the driver compiles for the machine's GPU. The same text runs
// on every GPU of compute capability 8.0 or later. The first of these GPUs appeared in
// 2020. There are two kinds of kernels.
//
//   - The kernels in folder ptx are written in CUDA C++. Clang compiles them without a
//     CUDA toolkit (ptx/build.sh). The resulting PTX is committed and embedded. Where
//     clang is installed, a test checks that the PTX is current.
//   - Elementwise instructions and groups of them are compiled to PTX by this
//     package (emit.go) when a program is compiled. A group becomes one kernel, which
//     holds its local values in registers.
//
// Every kernel computes each sum in the contract's order. This order fixes the bits, but
// it limits the parallelism. At most 64 threads sum a row of up to 4,096 elements,
// because this sum consists of 64 partial sums. One thread computes a sum over rows.
//
// The kernel of a product holds the sum of the current chunk in registers and the sum of
// the earlier chunks in shared memory. It copies tiles of the operands to shared memory
// and reads them from there. The last tile along k can be shorter than the others; it is
// not padded with zeros. In the kernel for large products, each thread computes eight by
// eight results. The assembler's listing shows that four of five instructions of its
// inner loop are FMAs. The kernel can therefore reach at most four fifths of the GPU's
// peak.
//
// Floating-point instructions round to nearest, keep subnormal numbers and are never
// fused. There are no atomics. In a scatter that adds, one thread for each index and
// column adds all rows with that index, in rising order. The host draws no random
// numbers and computes no part of a sum.
//
// # Device
//
// A [Device] works through a [Driver]. Package libcuda implements Driver for a GPU, package
// emulated for the interpreter. An arena is one allocation of device memory. Compile checks
// a program and loads its kernels. Run launches one or a few kernels for each instruction
// in each [kernel.Frame]. It allocates memory only for graphs, and to enlarge the memory
// for the sums of chunks that a product computes in parallel. Only the arena's Write and
// Read methods copy words between host and device.
//
// A time step of a recurrent network takes about ten launches. Each of these kernels runs
// for a few microseconds, and the host takes about as long to launch it.
// [Device.EnableGraphs] reduces the work of the host: the device divides the frames of a
// run into pieces. When a piece occurs for the second time, the device records its
// launches as a CUDA graph. From then on, one call launches the whole graph. Frames of
// different batches are often equal, so batches of different lengths share most pieces.
//
// If the device fails after Compile, because the driver reports an error or the
// interpreter finds a fault, no result can be used. The method of the arena then panics
// with a [kernel.Failure] that says what the device was doing, for example which
// instruction it was launching in which frame. A training run returns the failure as an
// error.
//
// Compile returns an error for an operation that has no kernel yet; see
// [Device.Lacks]. At present every operation has a kernel.
//
// # Optimizations left out
//
// Gates are not fused into the product before them. Among the networks of this
// repository, only the LSTM's loop computes its gates right after a large product.
// Fusing them would save one of three launches in the forward pass and none in the
// backward pass. The estimated gain is 4 per cent of an update with a thousand units and
// 8 per cent with a hundred units; only a run on a GPU can confirm it. In stack and list
// networks the gates are three of about 25 small launches. Graphs make all of these
// launches cheaper.
//
// The kernels also compute the rows that [kernel.NonzeroRange] allows a device to
// skip.
package cuda
