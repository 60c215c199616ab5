//go:build !amd64 || purego

package cpu

func peakFor(ISA) peakTable { return peakGenericTable }
