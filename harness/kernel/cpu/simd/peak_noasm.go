//go:build !amd64 || purego

package simd

func peakFor(ISA) peakTable { return peakGenericTable }
