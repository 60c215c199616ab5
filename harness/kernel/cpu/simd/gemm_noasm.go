//go:build !amd64 || purego

package simd

func gemmFor(ISA) gemmTable { return gemmTable{} }
