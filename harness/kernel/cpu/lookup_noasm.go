//go:build !amd64 || purego

package cpu

func lookupFor(ISA) lookupTable { return lookupTable{} }
