package papers

import (
	"fmt"
	"strings"
)

// A Key names one printed number.
type Key struct {
	Paper  string // short name of the paper, such as resurgence
	Table  string // number of the table in the paper
	Row    string // row of the table, such as dyck-m4
	Metric string // what is printed, such as wcpa_percent
	Stat   string // which figure of the metric: a split, a column, mean or best
}

// String returns the key in the form used in claims: [paper:table:row:metric:stat].
func (k Key) String() string {
	return "[" + k.Paper + ":" + k.Table + ":" + k.Row + ":" + k.Metric + ":" + k.Stat + "]"
}

// ParseKey is the inverse of String. It does not check whether the number exists.
func ParseKey(s string) (Key, error) {
	inner, open := strings.CutPrefix(s, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	part := strings.Split(inner, ":")
	if !open || !closed || len(part) != 5 {
		return Key{}, fmt.Errorf("cell key: have %q, want [paper:table:row:metric:stat]", abbreviate(s))
	}
	k := Key{part[0], part[1], part[2], part[3], part[4]}
	return k, k.check()
}

// check returns an error if a part of k is empty or has a character that is not
// allowed in keys, benchmark names and file names.
func (k Key) check() error {
	for _, part := range []struct{ what, text string }{
		{"paper", k.Paper}, {"table", k.Table}, {"row", k.Row}, {"metric", k.Metric}, {"stat", k.Stat},
	} {
		if !word(part.text) {
			return fmt.Errorf("cell key: %s: have %q, want letters, digits, '_', '-' or '.'", part.what, abbreviate(part.text))
		}
	}
	return nil
}

// word reports whether s is not empty and has only characters that are allowed in a
// part of a key.
func word(s string) bool {
	for i := range len(s) {
		if !wordByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

// abbreviate shortens a text for an error message, so that even a very long input leaves
// the message readable. It keeps the beginning, which is enough to find the text in the
// input.
func abbreviate(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
