package papers

import (
	"fmt"
	"strconv"
	"strings"
)

// A decimal is a printed number: its text without suffix, and the power of ten
// of its last digit.
type decimal struct {
	text string
	last int
}

// parseDecimal takes plain decimals only: a sign, digits, a point. What prints
// otherwise (an exponent, a word, nothing) is not a number here.
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

// float returns the number times ten to the shift, rounded once: 0.994 shifted
// by two is the float64 nearest to 99.4.
func (d decimal) float(shift int) float64 {
	v, err := strconv.ParseFloat(d.text+"e"+strconv.Itoa(shift), 64)
	if err != nil { // parseDecimal admits nothing that is out of range
		panic("papers: decimal " + d.text + ": " + err.Error())
	}
	return v
}

// half returns half of the last printed digit times ten to the shift. With
// padded set, trailing zeros of a whole number are not digits.
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
