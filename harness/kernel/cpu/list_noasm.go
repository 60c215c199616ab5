//go:build !amd64 || purego

package cpu

func listFor(ISA) listTable { return listGenericTable }
