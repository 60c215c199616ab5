//go:build !amd64 || purego

package simd

func listFor(ISA) listTable { return listGenericTable }
