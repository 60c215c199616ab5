//go:build (!amd64 && !arm64) || purego

package simd

func rowFor(ISA) rowTable { return rowGeneric }
