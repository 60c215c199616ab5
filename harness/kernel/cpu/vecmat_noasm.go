//go:build !amd64 || purego

package cpu

func vecmatFor(ISA) vecmat { return vecmatGeneric }
