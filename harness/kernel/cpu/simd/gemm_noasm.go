//go:build (!amd64 && !arm64) || purego

package simd

func gemmFor(ISA) gemmTable { return gemmTable{} }
