package papers

import (
	"fmt"
	"strconv"
	"strings"
)

// A decimal is a printed number: its text without the suffix, and the place of its
// last digit as a power of ten.
type decimal struct {
	text string
	last int
}

// parseDecimal parses a plain decimal: digits, with an optional minus sign and an
// optional fraction. It rejects everything else, such as exponents, words and the
// empty string.
func parseDecimal(s string) (decimal, error) {
	bad := fmt.Errorf("number: have %q, want a plain decimal such as 12.50", abbreviate(s))
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if !digits(whole) || point && !digits(fraction) || len(s) > 40 {
		return decimal{}, bad
	}
	return decimal{s, -len(fraction)}, nil
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || '9' < s[i] {
			return false
		}
	}
	return s != ""
}

// float returns the number times 10^shift, rounded once. For example, 0.994 with a shift of
// 2 gives the float64 nearest to 99.4.
func (d decimal) float(shift int) float64 {
	v, err := strconv.ParseFloat(d.text+"e"+strconv.Itoa(shift), 64)
	if err != nil { // cannot happen: parseDecimal limits the length
		panic("papers: decimal " + d.text + ": " + err.Error())
	}
	return v
}

// half returns half a unit of the last printed digit, times 10^shift. If padded is set, the
// trailing zeros of a whole number do not count as digits.
func (d decimal) half(shift int, padded bool) float64 {
	last := d.last
	if padded && last == 0 {
		significant := strings.TrimRight(d.text, "0")
		if significant != "" && significant != "-" {
			last = len(d.text) - len(significant)
		}
	}
	return decimal{text: "5"}.float(last - 1 + shift)
}
