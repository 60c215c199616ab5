package cpu

import "pushdown/harness/kernel/cpu/simd"

// ISA is an instruction set for which package simd has routines.
type ISA = simd.ISA

// The instruction sets. Those of one architecture are in order of speed, slowest first.
const (
	Generic = simd.Generic
	AVX2    = simd.AVX2
	AVX512  = simd.AVX512
	NEON    = simd.NEON
)

// AllISAs lists the instruction sets that package simd knows, on every machine.
func AllISAs() []ISA { return simd.All() }

// Available returns the instruction sets that this machine and build can run, slowest
// first. Generic is always among them.
func Available() []ISA { return simd.Available() }

// Best returns the fastest available instruction set.
func Best() ISA { return simd.Best() }

// ISAFromEnv returns the instruction set named by PUSHDOWN_ISA, or the best one that
// the machine has if the variable is empty.
func ISAFromEnv() (ISA, error) { return simd.ISAFromEnv() }

// Peak returns the largest number of floating-point operations per second that one core
// can perform, as measured by package simd.
func Peak() float64 { return simd.Peak() }

// RunPeak runs once the loop that Peak measures, with n > 0 FMAs on each of its vectors. It
// returns the number of floating-point operations.
func RunPeak(n int) float64 { return simd.RunPeak(n) }
