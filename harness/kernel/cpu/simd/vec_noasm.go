//go:build !amd64 || purego

package simd

func vecFor(ISA) vecTable { return vecGeneric }
