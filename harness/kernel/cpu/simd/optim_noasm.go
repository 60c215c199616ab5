//go:build (!amd64 && !arm64) || purego

package simd

func optimFor(ISA) optimTable { return optimGenericTable }
