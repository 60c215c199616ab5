//go:build (!amd64 && !arm64) || purego

package simd

func stackFor(ISA) stackTable { return stackGenericTable }
