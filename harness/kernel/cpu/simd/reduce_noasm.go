//go:build !amd64 || purego

package simd

func reduceFor(ISA) reduceTable { return reduceGenericTable }
