//go:build !amd64 || purego

package simd

func actionGradFor(ISA) actionGradTable { return actionGradTable{} }
