//go:build !amd64 || purego

package simd

func rowFor(ISA) rowTable { return rowGeneric }
