package neon

// Each function emits one instruction. Its first parameter is the destination, as in GNU
// syntax. All vectors have four lanes of 32 bits, and a mask has ones in the selected
// lanes.

// three encodes an instruction with a destination and two sources.
func three(name, lanes string, code uint32, d, n, m V) {
	word(code|uint32(m)<<16|uint32(n)<<5|uint32(d), "%s v%d.%s, v%d.%s, v%d.%s", name, int(d), lanes, int(n), lanes, int(m), lanes)
}

// two encodes an instruction with a destination and one source.
func two(name string, code uint32, d, n V) {
	word(code|uint32(n)<<5|uint32(d), "%s v%d.4s, v%d.4s", name, int(d), int(n))
}

// FAdd emits d = n + m.
func FAdd(d, n, m V) { three("fadd", "4s", 0x4e20d400, d, n, m) }

// FSub emits d = n - m.
func FSub(d, n, m V) { three("fsub", "4s", 0x4ea0d400, d, n, m) }

// FMul emits d = n * m.
func FMul(d, n, m V) { three("fmul", "4s", 0x6e20dc00, d, n, m) }

// FDiv emits d = n / m.
func FDiv(d, n, m V) { three("fdiv", "4s", 0x6e20fc00, d, n, m) }

// FMax emits d = max(n, m), or NaN if one of them is NaN.
func FMax(d, n, m V) { three("fmax", "4s", 0x4e20f400, d, n, m) }

// FMla emits d = FMA(n, m, d).
func FMla(d, n, m V) { three("fmla", "4s", 0x4e20cc00, d, n, m) }

// FMls emits d = FMA(-n, m, d).
func FMls(d, n, m V) { three("fmls", "4s", 0x4ea0cc00, d, n, m) }

// FCmGt emits d = mask of n > m.
func FCmGt(d, n, m V) { three("fcmgt", "4s", 0x6ea0e400, d, n, m) }

// FCmGe emits d = mask of n >= m.
func FCmGe(d, n, m V) { three("fcmge", "4s", 0x6e20e400, d, n, m) }

// FCmEq emits d = mask of n == m.
func FCmEq(d, n, m V) { three("fcmeq", "4s", 0x4e20e400, d, n, m) }

// FNeg emits d = -n.
func FNeg(d, n V) { two("fneg", 0x6ea0f800, d, n) }

// FAbs emits d = |n|.
func FAbs(d, n V) { two("fabs", 0x4ea0f800, d, n) }

// FSqrt emits d = the square root of n.
func FSqrt(d, n V) { two("fsqrt", 0x6ea1f800, d, n) }

// SCvtF emits d = float32 of the integer n.
func SCvtF(d, n V) { two("scvtf", 0x4e21d800, d, n) }

// Add emits integers: d = n + m.
func Add(d, n, m V) { three("add", "4s", 0x4ea08400, d, n, m) }

// Sub emits integers: d = n - m.
func Sub(d, n, m V) { three("sub", "4s", 0x6ea08400, d, n, m) }

// And emits d = n & m.
func And(d, n, m V) { three("and", "16b", 0x4e201c00, d, n, m) }

// Bic emits d = n &^ m.
func Bic(d, n, m V) { three("bic", "16b", 0x4e601c00, d, n, m) }

// Orr emits d = n | m.
func Orr(d, n, m V) { three("orr", "16b", 0x4ea01c00, d, n, m) }

// Eor emits d = n ^ m.
func Eor(d, n, m V) { three("eor", "16b", 0x6e201c00, d, n, m) }

// Bsl emits d = n where d has ones, else m.
func Bsl(d, n, m V) { three("bsl", "16b", 0x6e601c00, d, n, m) }

// Bit emits d = n where m has ones, else d.
func Bit(d, n, m V) { three("bit", "16b", 0x6ea01c00, d, n, m) }

// Bif emits d = n where m has zeros, else d.
func Bif(d, n, m V) { three("bif", "16b", 0x6ee01c00, d, n, m) }

// Zip1 emits d = n[0], m[0], n[1], m[1].
func Zip1(d, n, m V) { three("zip1", "4s", 0x4e803800, d, n, m) }

// Zip2 emits d = n[2], m[2], n[3], m[3].
func Zip2(d, n, m V) { three("zip2", "4s", 0x4e807800, d, n, m) }

// Copy emits d = n.
func Copy(d, n V) {
	word(0x4ea01c00|uint32(n)<<16|uint32(n)<<5|uint32(d), "mov v%d.16b, v%d.16b", int(d), int(n))
}

// FMlaLane emits d = FMA(n, m[i], d).
func FMlaLane(d, n, m V, i int) {
	code := 0x4f801000 | uint32(m)<<16 | uint32(i&1)<<21 | uint32(i>>1)<<11 | uint32(n)<<5 | uint32(d)
	word(code, "fmla v%d.4s, v%d.4s, v%d.s[%d]", int(d), int(n), int(m), i)
}

// Dup emits d = n[i] in all lanes.
func Dup(d, n V, i int) {
	word(0x4e000400|uint32(i<<3|4)<<16|uint32(n)<<5|uint32(d), "dup v%d.4s, v%d.s[%d]", int(d), int(n), i)
}

// Shl emits d = n << by, for integers.
func Shl(d, n V, by int) {
	word(0x4f005400|uint32(32+by)<<16|uint32(n)<<5|uint32(d), "shl v%d.4s, v%d.4s, #%d", int(d), int(n), by)
}

// SShr emits d = n >> by, for signed integers.
func SShr(d, n V, by int) {
	word(0x4f000400|uint32(64-by)<<16|uint32(n)<<5|uint32(d), "sshr v%d.4s, v%d.4s, #%d", int(d), int(n), by)
}

// LoadAt emits a load of a whole register from base + offset.
func LoadAt(to V, base, offset R) {
	word(0x3ce06800|uint32(offset)<<16|uint32(base)<<5|uint32(to), "ldr q%d, [x%d, x%d]", int(to), int(base), int(offset))
}

// StoreAt emits a store of a whole register to base + offset.
func StoreAt(from V, base, offset R) {
	word(0x3ca06800|uint32(offset)<<16|uint32(base)<<5|uint32(from), "str q%d, [x%d, x%d]", int(from), int(base), int(offset))
}
