//go:build !amd64 || purego

package cpu

func supported(i ISA) bool { return i == Generic }
