package cpu

import "pushdown/harness/kernel/cpu/simd"

// ISA is an instruction set for which package simd has routines.
type ISA = simd.ISA

// The instruction sets, slowest first.
const (
	Generic = simd.Generic
	AVX2    = simd.AVX2
	AVX512  = simd.AVX512
)

// Available lists the instruction sets that this machine and build can run,
// slowest first. Generic is always there.
func Available() []ISA { return simd.Available() }

// Best returns the fastest available instruction set.
func Best() ISA { return simd.Best() }

// ISAFromEnv reads PUSHDOWN_ISA: the name of an instruction set, or empty for the
// best that the machine has.
func ISAFromEnv() (ISA, error) { return simd.ISAFromEnv() }

// Peak returns the most floating-point operations a second that one core does, see
// package simd.
func Peak() float64 { return simd.Peak() }
