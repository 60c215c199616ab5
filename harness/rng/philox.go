package rng

// Constants of Philox4x32: the two multipliers and the two Weyl increments of the key
// (the golden ratio and the square root of 3, both minus one, as fractions of 2^32).
const (
	mul0  = 0xD2511F53
	mul1  = 0xCD9E8D57
	weyl0 = 0x9E3779B9
	weyl1 = 0xBB67AE85
)

// philox is Philox4x32-10. Each of its ten rounds computes the 64-bit products of c0
// and c2 with the multipliers. The high and low halves of the product of c2 become c0
// and c1, and those of the product of c0 become c2 and c3. The two high halves are
// XORed with the old c1 and c3 and with the words of the key. Between rounds the Weyl
// increments are added to the key. The loop is as fast as an unrolled one.
func philox(c0, c1, c2, c3, k0, k1 uint32) (uint32, uint32, uint32, uint32) {
	for range 10 {
		p0 := uint64(mul0) * uint64(c0)
		p1 := uint64(mul1) * uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0, k1 = k0+weyl0, k1+weyl1
	}
	return c0, c1, c2, c3
}
