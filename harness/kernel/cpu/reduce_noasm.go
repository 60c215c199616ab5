//go:build !amd64 || purego

package cpu

func reduceFor(ISA) reduceTable { return reduceGenericTable }
