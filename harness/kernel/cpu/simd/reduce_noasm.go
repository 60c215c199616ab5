//go:build (!amd64 && !arm64) || purego

package simd

func reduceFor(ISA) reduceTable { return reduceGenericTable }
