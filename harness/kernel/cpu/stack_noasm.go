//go:build !amd64 || purego

package cpu

func stackFor(ISA) stackTable { return stackGenericTable }
