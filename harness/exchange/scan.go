package exchange

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A scanner reads a line of JSON: an object of strings, numbers and lists of them. It accepts no
// deeper values, no key twice, and no NaN.
type scanner struct {
	text []byte
	at   int
}

// have describes what comes next.
func (s *scanner) have() string {
	if s.at == len(s.text) {
		return "the end of the line"
	}
	return fmt.Sprintf("%.20q", s.text[s.at:])
}

// blanks skips blanks.
func (s *scanner) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\r') {
		s.at++
	}
}

// next skips blanks and reports whether the byte c comes next. If so, it skips it, too.
func (s *scanner) next(c byte) bool {
	s.blanks()
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

// want skips blanks and the byte c.
func (s *scanner) want(c byte) error {
	if !s.next(c) {
		return fmt.Errorf("column %d: have %s, want %q", s.at+1, s.have(), c)
	}
	return nil
}

// object reads an object that fills the line. It calls visit for each key, to read the value.
func (s *scanner) object(visit func(key string) error) error {
	if err := s.want('{'); err != nil {
		return err
	}
	var seen []string
	for !s.next('}') {
		if len(seen) > 0 {
			if err := s.want(','); err != nil {
				return err
			}
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if slices.Contains(seen, key) {
			return fmt.Errorf("%.40q: have the field twice, want it once", key)
		}
		seen = append(seen, key)
		if err := s.want(':'); err != nil {
			return err
		}
		if err := visit(key); err != nil {
			return err
		}
	}
	if s.blanks(); s.at != len(s.text) {
		return fmt.Errorf("column %d: have %s, want the end of the line", s.at+1, s.have())
	}
	return nil
}

// list reads a list. It calls visit for each value, to read it.
func (s *scanner) list(visit func(i int) error) error {
	if err := s.want('['); err != nil {
		return err
	}
	for i := 0; !s.next(']'); i++ {
		if i > 0 {
			if err := s.want(','); err != nil {
				return err
			}
		}
		if err := visit(i); err != nil {
			return err
		}
	}
	return nil
}

// str reads a string.
func (s *scanner) str() (text string, err error) {
	if err := s.want('"'); err != nil {
		return "", err
	}
	start := s.at - 1
	for s.at < len(s.text) && s.text[s.at] != '"' {
		if s.text[s.at] == '\\' {
			s.at++
		}
		s.at++
	}
	if s.at >= len(s.text) {
		s.at = len(s.text)
		return "", fmt.Errorf("column %d: have a string without an end, want one", start+1)
	}
	s.at++
	if err := json.Unmarshal(s.text[start:s.at], &text); err != nil {
		return "", fmt.Errorf("column %d: %w", start+1, err)
	}
	return text, nil
}

// number reads a number from low to high. The parameter want describes such numbers.
func (s *scanner) number(low, high float64, want Values) (float64, error) {
	s.blanks()
	word := s.word()
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil || !json.Valid(word) || !(x >= low && x <= high) {
		if len(word) == 0 {
			return 0, fmt.Errorf("have %s, want %s", s.have(), want)
		}
		return 0, fmt.Errorf("have %.40q, want %s", word, want)
	}
	return x, nil
}

// skip skips a list of strings and of words, which it does not look at.
func (s *scanner) skip() error {
	return s.list(func(i int) error {
		if s.blanks(); s.at < len(s.text) && s.text[s.at] == '"' {
			_, err := s.str()
			return err
		}
		if len(s.word()) == 0 {
			return fmt.Errorf("value %d: have %s, want a value", i, s.have())
		}
		return nil
	})
}

// word reads what lies before the next blank, comma or bracket.
func (s *scanner) word() []byte {
	start := s.at
	for s.at < len(s.text) && strings.IndexByte(" \t\r,[]{}", s.text[s.at]) < 0 {
		s.at++
	}
	return s.text[start:s.at]
}
