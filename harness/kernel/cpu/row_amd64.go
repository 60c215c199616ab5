//go:build amd64 && !purego

package cpu

func rowFor(isa ISA) rowTable {
	return rowGeneric
}
