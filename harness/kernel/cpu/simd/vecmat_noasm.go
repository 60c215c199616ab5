//go:build !amd64 || purego

package simd

func vecmatFor(ISA) vecmat { return vecmatGeneric }
