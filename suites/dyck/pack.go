package dyck

import "encoding/binary"

// fetch reads a token of every cache line, so that they are near when they are
// copied. Reads alone wait for memory side by side, but not between writes. The
// result has no other meaning than that all were read.
func fetch(text [][]uint8) (all uint8) {
	const line = 64
	for _, x := range text {
		for i := 0; i < len(x); i += line {
			all ^= x[i]
		}
	}
	return all
}

// wordTokens is the number of tokens in a word.
const wordTokens = 8

// pack copies texts to packed rows: token t of text i to offset[t]+i. The
// longest text stands first. Eight steps are copied at a time, so that the rows
// of each are written from the first to the last; what is left of a text that
// ends within the eight goes token by token.
func pack(token []int32, text [][]uint8, offset []int) {
	for t := 0; ; t += wordTokens {
		for len(text) > 0 && len(text[len(text)-1]) < t+wordTokens {
			i := len(text) - 1
			if rest := text[i]; t < len(rest) {
				for k, x := range rest[t:] {
					token[offset[t+k]+i] = int32(x)
				}
			}
			text = text[:i]
		}
		if len(text) == 0 {
			return
		}
		packWords(token, text, t, offset[t:])
	}
}

// packWords copies the tokens of steps t to t+7; offset is that of the steps
// from t on. A word holds eight tokens of a text. Put together, shifted and
// masked, two words give the tokens of two texts in one step after the other.
func packWords(token []int32, text [][]uint8, t int, offset []int) {
	const mask = 0xff_0000_00ff
	n := len(text)
	row := func(k int) []int32 { return token[offset[k]:][:n] }
	s0, s1, s2, s3, s4, s5, s6, s7 := row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)
	for j := 1; j < n; j += 2 {
		x, y := binary.LittleEndian.Uint64(text[j-1][t:]), binary.LittleEndian.Uint64(text[j][t:])
		early, late := x&(1<<32-1)|y<<32, x>>32|y&^(1<<32-1)
		v := early & mask
		s0[j-1], s0[j] = int32(v), int32(v>>32)
		v = early >> 8 & mask
		s1[j-1], s1[j] = int32(v), int32(v>>32)
		v = early >> 16 & mask
		s2[j-1], s2[j] = int32(v), int32(v>>32)
		v = early >> 24 & mask
		s3[j-1], s3[j] = int32(v), int32(v>>32)
		v = late & mask
		s4[j-1], s4[j] = int32(v), int32(v>>32)
		v = late >> 8 & mask
		s5[j-1], s5[j] = int32(v), int32(v>>32)
		v = late >> 16 & mask
		s6[j-1], s6[j] = int32(v), int32(v>>32)
		v = late >> 24 & mask
		s7[j-1], s7[j] = int32(v), int32(v>>32)
	}
	if n%2 == 1 {
		for k, x := range text[n-1][t : t+wordTokens] {
			row(k)[n-1] = int32(x)
		}
	}
}

// grow returns n elements in the memory of x, or in new memory.
func grow(x []int32, n int) []int32 {
	if cap(x) < n {
		return make([]int32, n)
	}
	return x[:n]
}

// going appends for each step the number of texts that are not at their end. The
// longest text stands first.
func going(dst []int, text [][]uint8) []int {
	n := len(text)
	for t := range text[0] {
		for len(text[n-1]) <= t {
			n--
		}
		dst = append(dst, n)
	}
	return dst
}

// place appends the first row of each step to dst and returns it with the
// number of rows.
func place(dst []int, active []int) (offset []int, rows int) {
	for _, n := range active {
		dst, rows = append(dst, rows), rows+n
	}
	return dst, rows
}
