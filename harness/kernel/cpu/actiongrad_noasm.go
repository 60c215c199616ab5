//go:build !amd64 || purego

package cpu

func actionGradFor(ISA) actionGradTable { return actionGradTable{} }
