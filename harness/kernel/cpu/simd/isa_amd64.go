//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

// Supported reports whether this machine and build can run an instruction set.
func Supported(i ISA) bool {
	switch i {
	case AVX2:
		return cpu.X86.HasAVX2 && cpu.X86.HasFMA
	case AVX512:
		return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasAVX512F &&
			cpu.X86.HasBMI2 && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL
	}
	return i == Generic
}
