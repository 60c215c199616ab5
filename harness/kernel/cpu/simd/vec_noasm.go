//go:build (!amd64 && !arm64) || purego

package simd

func vecFor(ISA) vecTable { return vecGeneric }
