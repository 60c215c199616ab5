// Command peak writes peak_arm64.s, the loop that measures the peak performance of a core.
//
//	go run ./arm64/peak -out ../peak_arm64.s
package main

import . "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"

func main() {
	const n, x, y = R(0), V(30), V(31)
	sums := Vs(0, 12) // as many as peakSums
	Text("peakNEON", 8)
	I("MOVD n+0(FP), %v", n)
	Zero(sums...)
	Constant(x, 0x3e99999a, 1) // 0.3 and 0.7 make every sum inexact
	Constant(y, 0x3f333333, 1)
	Label("loop")
	for _, s := range sums {
		FMla(s, x, y)
	}
	I("SUBS $1, %v", n)
	I("BNE loop")
	I("RET")
	Finish()
}
