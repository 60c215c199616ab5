//go:build amd64 && !purego

package cpu

func gemmFor(ISA) gemmTable { return gemmTable{} }
