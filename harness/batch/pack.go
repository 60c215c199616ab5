package batch

import "encoding/binary"

// fetch reads a token of every cache line of the strings, so that the lines are in the
// cache when the strings are copied. A separate pass is faster, because the cache misses
// of reads overlap only if there are no writes in between. The result has no meaning; it
// keeps the compiler from removing the reads.
func fetch(text [][]uint8) (all uint8) {
	const line = 64
	for _, x := range text {
		for i := 0; i < len(x); i += line {
			all ^= x[i]
		}
	}
	return all
}

// wordTokens is the number of tokens in a machine word of 64 bits, if a token is a byte.
const wordTokens = 8

// pack copies the tokens of all strings in the slice text to the slice token, ordered by
// step: token 0 of all strings comes first, then token 1 of all strings that have one, and
// so on. Token t of text[i] goes to token[first[t]+i]. The strings must be sorted by
// descending length. The result has no meaning; see fetch.
func pack[T Token](token []int32, text [][]T, first []int) (all uint8) {
	if text, ok := any(text).([][]uint8); ok {
		all = fetch(text)
		packBytes(token, text, first)
		return all
	}
	for i, x := range text {
		for t, symbol := range x {
			token[first[t]+i] = int32(symbol)
		}
	}
	return 0
}

// packBytes is pack for bytes. It copies eight steps at a time and writes the rows
// of each step in ascending order. If a string ends within the eight steps, its
// last tokens are copied one by one.
func packBytes(token []int32, text [][]uint8, first []int) {
	for t := 0; ; t += wordTokens {
		for len(text) > 0 && len(text[len(text)-1]) < t+wordTokens {
			i := len(text) - 1
			if rest := text[i]; t < len(rest) {
				for k, x := range rest[t:] {
					token[first[t+k]+i] = int32(x)
				}
			}
			text = text[:i]
		}
		if len(text) == 0 {
			return
		}
		packWords(token, text, t, first[t:])
	}
}

// packWords copies the tokens of the eight steps t to t+7. In the slice token, the tokens
// of step t+k start at index first[k]. packWords loads a word of eight tokens from each of
// two strings, combines the words, and extracts the tokens of both strings, one step at a
// time, by shifting and masking.
func packWords(token []int32, text [][]uint8, t int, first []int) {
	const mask = 0xff_0000_00ff
	n := len(text)
	row := func(k int) []int32 { return token[first[k]:][:n] }
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
