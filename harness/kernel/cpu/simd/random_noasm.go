//go:build !amd64 || purego

package simd

func randomFor(ISA) randomTable { return randomGeneric }
