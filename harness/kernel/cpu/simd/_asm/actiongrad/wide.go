package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// table declares a vector of lane numbers in memory: lane l holds at(l).
func table(name string, at func(l int) int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	lane.Words(func(l int) uint32 { return uint32(at(l)) })
	return m
}

// wide generates the AVX-512 kernel for n actions. A vector holds as many whole stacks
// as fit.
func wide(s lane.Set, n int) {
	per := s.N / n
	digit := string(rune('0' + n))
	var merges []Mem // permutations: merges[i-1] puts part i into lane i of each stack and keeps earlier parts
	for i := 1; i < n; i++ {
		merges = append(merges, table("actionGradMerge"+digit+string(rune('0'+i)), func(l int) int {
			switch {
			case l%n == i:
				return 16 + l/n%16
			case i == 1:
				return l / n % 16
			}
			return l
		}))
	}
	var spread []Mem // permutations: spread[i] copies lane i of each stack to all lanes of the stack
	for i := range 3 {
		if n == 3 {
			spread = append(spread, table("actionGradSpread"+string(rune('0'+i)), func(l int) int { return min(l/n*n+i, 15) }))
		}
	}
	TEXT("actionGrad"+digit+s.Name, NOSPLIT, "func(a *byte)")
	a := Load(Param("a"), GP64())
	parts := make([]reg.Register, n)
	for i := range parts {
		parts[i] = load(a, argPart+8*i)
	}
	sum, held, y, dx, out := load(a, argSum), load(a, argHeld), load(a, argY), load(a, argDx), load(a, argOut)
	left := load(a, argS)
	all := func(disp int) reg.VecVirtual {
		v := ZMM()
		VBROADCASTSS(Mem{Base: a, Disp: disp}, v)
		return v
	}
	zero := s.Zeros(1)[0]
	lo, hi, outLo, outHi := all(argHeldL), all(argHeldH), all(argOutL), all(argOutH)
	plus := make([]reg.VecVirtual, n)
	for i := range plus {
		plus[i] = all(argPlus + 4*i)
	}
	index := func(m Mem) reg.VecVirtual {
		v := ZMM()
		VMOVUPS(m, v)
		return v
	}
	var merge, lanes []reg.VecVirtual
	for _, m := range merges {
		merge = append(merge, index(m))
	}
	for _, m := range spread {
		lanes = append(lanes, index(m))
	}
	hold := func(x, lo, hi reg.VecVirtual) reg.VecVirtual {
		v := ZMM()
		VMAXPS(x, lo, v)
		VMINPS(v, hi, v)
		return v
	}
	Label("next")
	stacks, numbers := GP64(), GP64()
	MOVQ(U32(per), stacks)
	CMPQ(left, stacks)
	CMOVQLT(left, stacks)
	few := s.First(stacks)
	IMUL3Q(U8(n), stacks, numbers)
	m := s.First(numbers)
	var g reg.VecVirtual
	for i := range n {
		x := ZMM()
		s.Load(Mem{Base: parts[i]}, x, few)
		VADDPS(plus[i], x, x)
		if i == 0 {
			g = x
		} else {
			VPERMT2PS(x, merge[i-1], g)
		}
	}
	s.Store(g, Mem{Base: sum}, m)
	h := hold(g, lo, hi)
	s.Store(h, Mem{Base: held}, m)
	w, p, total := ZMM(), ZMM(), ZMM()
	s.Load(Mem{Base: y}, w, m)
	VMULPS(h, w, p)
	VADDPS(zero, p, p)
	switch n { // in the order in which 64 partial sums are folded
	case 2:
		VPERMILPS(U8(0xb1), p, total)
		VADDPS(total, p, total)
	case 3:
		second, third := ZMM(), ZMM()
		VPERMPS(p, lanes[0], total)
		VPERMPS(p, lanes[2], third)
		VPERMPS(p, lanes[1], second)
		VADDPS(third, total, total)
		VADDPS(second, total, total)
	case 4:
		half := ZMM()
		VPERMILPS(U8(0x4e), p, half)
		VADDPS(half, p, half)
		VPERMILPS(U8(0xb1), half, total)
		VADDPS(total, half, total)
	}
	VSUBPS(total, h, total)
	VMULPS(total, w, total)
	s.Store(total, Mem{Base: dx}, m)
	s.Store(hold(total, outLo, outHi), Mem{Base: out}, m)
	for _, r := range parts {
		ADDQ(U8(4*per), r)
	}
	for _, r := range []reg.Register{sum, held, y, dx, out} {
		ADDQ(U8(4*n*per), r)
	}
	SUBQ(stacks, left)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}
