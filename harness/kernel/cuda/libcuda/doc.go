// Package libcuda implements [cuda.Driver] on NVIDIA's driver library, libcuda, which
// every machine with an NVIDIA GPU has. It loads the library at run time, without cgo,
// so a program that imports this package builds and runs on machines without a GPU.
// There, [Open] returns an error that says what is missing. Loading libraries requires
// that the program is linked dynamically with glibc. On systems with another C library,
// build with the tag purego, which leaves out support for GPUs.
//
// The package has been tested only with a stand-in for the library, written in C. No
// part of it, including pinned memory and graphs, has run on hardware yet.
//
// Open looks for the library by its name, then in the folders where containers and
// distributions install it. The library in turn loads NVIDIA's PTX compiler by name. Open
// loads the compiler beforehand, from the same folders, so that the library finds it.
// The driver must have version 11.0 or later, because older drivers cannot read the PTX
// of this repository. The GPU must have compute capability 8.0 or later. Open uses the
// first GPU; CUDA_VISIBLE_DEVICES selects another one.
//
// # Calls
//
// CUDA binds a context to an operating system thread, whereas goroutines move between
// threads. Every call therefore locks its goroutine to the current thread and makes the
// context current there, which is cheap compared to a launch. All work goes to the
// context's default stream and runs in order. Downloads wait for the stream; launches do
// not. An upload is copied to pinned memory, and the GPU reads it from there later. The
// upload waits for the stream only if the pinned memory is full or too small.
//
// The driver must never see an address that Go may move. Parameters and results of
// calls are in memory from mmap, which the garbage collector does not manage. PTX texts,
// and data too large to pin, are on Go's heap and never on a goroutine's stack, which
// moves when it grows.
//
// A graph is built launch by launch. Each launch becomes a node that depends on the node
// before it. A graph contains nothing but launches.
//
// A call that fails returns an error with the driver's name and description of the
// result. A fault of a kernel is reported by a later call or by Sync. The fault destroys
// the context: every later call of the process fails.
package libcuda
