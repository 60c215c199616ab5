//go:build !amd64 || purego

package simd

func lookupFor(ISA) lookupTable { return lookupTable{} }
