//go:build !amd64 || purego

package simd

func optimFor(ISA) optimTable { return optimGenericTable }
