//go:build !amd64 || purego

package cpu

func rowFor(ISA) rowTable { return rowGeneric }
