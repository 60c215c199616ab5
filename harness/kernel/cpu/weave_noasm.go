//go:build !amd64 || purego

package cpu

func smallFor(ISA) smallTable { return smallTable{} }
