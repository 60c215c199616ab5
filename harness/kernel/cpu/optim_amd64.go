//go:build amd64 && !purego

package cpu

func optimFor(ISA) optimTable { return optimGenericTable }
