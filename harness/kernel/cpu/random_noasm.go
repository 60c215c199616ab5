//go:build !amd64 || purego

package cpu

func randomFor(ISA) randomTable { return randomGeneric }
