//go:build (!amd64 && !arm64) || purego

package simd

// Supported reports whether this machine and build can run an instruction set.
func Supported(i ISA) bool { return i == Generic }

// Without assembly, every instruction set has the routines in pure Go. A table without a routine
// means that the caller does without it.

func gemmFor(ISA) gemmTable     { return gemmTable{} }
func optimFor(ISA) optimTable   { return optimGenericTable }
func peakFor(ISA) peakTable     { return peakGenericTable }
func reduceFor(ISA) reduceTable { return reduceGenericTable }
func rowFor(ISA) rowTable       { return rowGeneric }
func stackFor(ISA) stackTable   { return stackGenericTable }
func vecFor(ISA) vecTable       { return vecGeneric }
