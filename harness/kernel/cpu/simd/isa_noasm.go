//go:build (!amd64 && !arm64) || purego

package simd

// Supported reports whether this machine and build can run an instruction set.
func Supported(i ISA) bool { return i == Generic }
