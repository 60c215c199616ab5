//go:build !amd64 || purego

package cpu

func vecFor(ISA) vecTable { return vecGeneric }
