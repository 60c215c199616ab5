//go:build amd64 && !purego

package cpu

func vecFor(isa ISA) vecTable {
	return vecGeneric
}
