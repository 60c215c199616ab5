// Package libcuda is NVIDIA's driver as a [cuda.Driver]: the library libcuda, which
// every machine with such a GPU has, found and called at run time without cgo. A
// program with this package in it builds and runs on machines that have neither;
// [Open] then says what is lacking. It asks for the C library of its kind of
// machine, though, as every program does that loads libraries: where that is not
// glibc, build with the tag purego, which leaves GPUs out.
//
// It has been tested against a stand-in for the library, written in C, and on no
// hardware yet; that holds of pinned memory and of graphs as of all else.
//
// The library is looked for by its name, then in the folders where containers and
// distributions put it. The translator of PTX, which the library loads by name, is
// loaded before it asks, from there too. Of the driver it takes version 11.0, which reads the PTX
// that ships, and of the GPU compute capability 8.0. The first GPU counts;
// CUDA_VISIBLE_DEVICES changes which one that is.
//
// # Calls
//
// A context belongs to a thread of the system, and goroutines change threads. Every
// call locks its goroutine to the thread it is on and makes the context current
// there, which is cheap beside a launch. All work goes to the context's default
// stream, in order. Downloads wait for it, launches and uploads do not: what is
// uploaded waits its turn in memory that is pinned, unless it is large. Parameters
// and results of calls lie in memory that the system gave, which the garbage
// collector does not know; texts, and what is too large to pin, on Go's heap, and
// never on a goroutine's stack, which moves as it grows. A graph is put together launch by launch, each behind
// the one before, so that nothing but launches can get into it.
//
// A result other than success is an error with the driver's name and words for it.
// A fault of a kernel comes up in the call after it, or in Sync, and spoils the
// context: nothing works in this process from then on.
package libcuda
