//go:build !amd64 || purego

package cpu

func chanceFor(ISA) chanceTable { return chanceGenericTable }
