package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// ISA is an instruction set for which this package has kernels. All of them
// compute the same bits; they differ in speed alone.
type ISA int

// The instruction sets, slowest first.
const (
	Generic ISA = iota // pure Go, on every machine
	AVX2               // AVX2 and FMA
	AVX512             // AVX-512 F, DQ, BW and VL
)

var isaNames = [...]string{"generic", "avx2", "avx512"}

// String returns the name that PUSHDOWN_ISA takes.
func (i ISA) String() string { return isaNames[i] }

// Available lists the instruction sets that this machine and build can run,
// slowest first. Generic is always there.
func Available() []ISA {
	var list []ISA
	for i := Generic; i <= AVX512; i++ {
		if supported(i) {
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

// ISAFromEnv reads PUSHDOWN_ISA: the name of an instruction set, or empty for the
// best that the machine has. An unknown name, and one that this processor or build
// lacks, are errors that name those it has.
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
		return 0, fmt.Errorf("PUSHDOWN_ISA: have %s, which this processor or build lacks; want one of %s", name, names(list))
	}
	return 0, fmt.Errorf("PUSHDOWN_ISA: have %q, which is no instruction set; want one of %s, which this processor and build have", name, names(list))
}

func names(list []ISA) string {
	s := make([]string, len(list))
	for i, isa := range list {
		s[i] = isa.String()
	}
	return strings.Join(s, ", ")
}

// kernels is every routine of one instruction set, grouped by the file that
// declares the group.
type kernels struct {
	vec        vecTable        // elementwise: vec.go
	row        rowTable        // softmax and cross-entropy by rows: row.go
	gemm       gemmTable       // matrix products: gemm.go
	stack      stackTable      // stacks held stack-major: stack.go
	list       listTable       // tapes held so: list.go
	reduce     reduceTable     // sums, norms, gather and scatter: reduce.go
	optim      optimTable      // SGD and Adam: optim.go
	random     randomTable     // dropout: random.go
	lookup     lookupTable     // small tables: lookup.go
	vecmat     vecmat          // a row times a matrix: vecmat.go
	actionGrad actionGradTable // steps between the gradients of stacks: actiongrad.go
}

func kernelsFor(isa ISA) *kernels {
	return &kernels{
		vec:        vecFor(isa),
		row:        rowFor(isa),
		gemm:       gemmFor(isa),
		stack:      stackFor(isa),
		list:       listFor(isa),
		reduce:     reduceFor(isa),
		optim:      optimFor(isa),
		random:     randomFor(isa),
		lookup:     lookupFor(isa),
		vecmat:     vecmatFor(isa),
		actionGrad: actionGradFor(isa),
	}
}
