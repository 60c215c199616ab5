//go:build (!amd64 && !arm64) || purego

package simd

func peakFor(ISA) peakTable { return peakGenericTable }
