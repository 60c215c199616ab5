//go:build !amd64 || purego

package simd

// These routines have assembly for amd64 only.

func actionGradFor(ISA) actionGradTable      { return actionGradTable{} }
func innerFor(ISA) func(sums, a, b *float32) { return nil }
func listFor(ISA) listTable                  { return listGenericTable }
func randomFor(ISA) randomTable              { return randomGeneric }
func vecmatFor(ISA) vecmat                   { return vecmatGeneric }
