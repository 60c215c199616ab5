package simd

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// ISA is an instruction set for which this package has routines. All of them compute
// the same bits and differ only in speed.
type ISA int

// The instruction sets. Those of one architecture are in order of speed, slowest first.
const (
	Generic ISA = iota // pure Go, on every machine
	AVX2               // AVX2 and FMA
	AVX512             // AVX-512 F, DQ, BW and VL
	NEON               // Advanced SIMD, on every arm64 processor
)

var isaNames = [...]string{"generic", "avx2", "avx512", "neon"}

// All lists the instruction sets that this package knows.
func All() []ISA { return []ISA{Generic, AVX2, AVX512, NEON} }

// String returns the name that PUSHDOWN_ISA accepts.
func (i ISA) String() string { return isaNames[i] }

// Available returns the instruction sets that this machine and build can run, slowest
// first. Generic is always among them.
func Available() []ISA {
	var list []ISA
	for _, i := range All() {
		if Supported(i) {
			list = append(list, i)
		}
	}
	return list
}

// Best returns the fastest available instruction set.
func Best() ISA {
	list := Available()
	return list[len(list)-1]
}

// ISAFromEnv returns the instruction set named by PUSHDOWN_ISA, or the best one that
// the machine has if the variable is empty. It returns an error that lists the
// available names if the name is unknown or this processor or build lacks the set.
func ISAFromEnv() (ISA, error) {
	name := os.Getenv("PUSHDOWN_ISA")
	if name == "" {
		return Best(), nil
	}
	list := Available()
	for _, isa := range list {
		if isa.String() == name {
			return isa, nil
		}
	}
	if slices.Contains(isaNames[:], name) {
		return 0, fmt.Errorf("PUSHDOWN_ISA: have %s, which this processor or build lacks; want one of %s", name, Names(list))
	}
	return 0, fmt.Errorf("PUSHDOWN_ISA: have %q, which is no instruction set; want one of %s, which this processor and build have", name, Names(list))
}

// Names returns the names of instruction sets, separated by commas.
func Names(list []ISA) string {
	s := make([]string, len(list))
	for i, isa := range list {
		s[i] = isa.String()
	}
	return strings.Join(s, ", ")
}

// Kernels holds every routine of one instruction set, in groups. The comment of each
// group names the file that declares it.
type Kernels struct {
	Vec        vecTable        // elementwise: vec.go
	Row        rowTable        // softmax and cross-entropy by rows: row.go
	gemm       gemmTable       // matrix products: gemm.go
	Stack      stackTable      // stacks held stack-major: stack.go
	List       listTable       // tapes held stack-major: list.go
	Reduce     reduceTable     // sums, norms, gather and scatter: reduce.go
	Optim      optimTable      // SGD and Adam: optim.go
	Random     randomTable     // dropout and noise: random.go
	Vecmat     vecmat          // a row times a matrix: vecmat.go
	ActionGrad actionGradTable // fused parts of the backward step of stacks: actiongrad.go
}

// KernelsFor returns the routines of an instruction set. If the instruction set lacks a
// routine, the table has the one in pure Go. The routines that replace several others (fused
// gradients of actions, some steps of stacks) are nil instead.
func KernelsFor(isa ISA) *Kernels {
	return &Kernels{
		Vec:        vecFor(isa),
		Row:        rowFor(isa),
		gemm:       gemmFor(isa),
		Stack:      stackFor(isa),
		List:       listFor(isa),
		Reduce:     reduceFor(isa),
		Optim:      optimFor(isa),
		Random:     randomFor(isa),
		Vecmat:     vecmatFor(isa),
		ActionGrad: actionGradFor(isa),
	}
}
