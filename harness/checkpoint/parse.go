package checkpoint

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// parser parses the JSON of a header: objects of known depth with strings and arrays
// of unsigned integers, nothing else. It does not recurse, so no header can exhaust
// the stack.
type parser struct {
	file string
	base int64 // offset of b[0] in the file
	b    []byte
	pos  int
}

func (p *parser) fail(pos int, part, have, need string) error {
	return &FormatError{p.file, p.base + int64(pos), part, have, need}
}

// have describes the byte at the current position for error messages.
func (p *parser) have() string {
	if p.pos >= len(p.b) {
		return "the end of the header"
	}
	return fmt.Sprintf("%q", p.b[p.pos])
}

func (p *parser) space() {
	for p.pos < len(p.b) && (p.b[p.pos] == ' ' || p.b[p.pos] == '\n' || p.b[p.pos] == '\r' || p.b[p.pos] == '\t') {
		p.pos++
	}
}

// peek skips white space and reports whether the next byte is c.
func (p *parser) peek(c byte) bool {
	p.space()
	return p.pos < len(p.b) && p.b[p.pos] == c
}

// expect skips white space and c, which must come next.
func (p *parser) expect(c byte, part string) error {
	if !p.peek(c) {
		return p.fail(p.pos, part, p.have(), fmt.Sprintf("%q", c))
	}
	p.pos++
	return nil
}

// list parses a sequence of items between two brackets, separated by commas.
func (p *parser) list(open, end byte, part string, item func() error) error {
	if err := p.expect(open, part); err != nil {
		return err
	}
	if p.peek(end) {
		p.pos++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if p.peek(end) {
			p.pos++
			return nil
		}
		if !p.peek(',') {
			return p.fail(p.pos, part, p.have(), fmt.Sprintf("%q or %q", ',', end))
		}
		p.pos++
	}
}

// object parses an object with distinct keys. After each key and colon it calls the function
// member with the key and its position.
func (p *parser) object(part string, member func(key string, at int) error) error {
	seen := make(map[string]bool)
	return p.list('{', '}', part, func() error {
		p.space()
		at := p.pos
		key, err := p.str(part)
		if err != nil {
			return err
		}
		if seen[key] {
			return p.fail(at, part, fmt.Sprintf("key %q a second time", key), "distinct keys")
		}
		seen[key] = true
		if err := p.expect(':', part); err != nil {
			return err
		}
		return member(key, at)
	})
}

// number parses an unsigned integer below 2^63 without leading zeros.
func (p *parser) number(part string) (int64, error) {
	const need = "an integer from 0 to 2^63-1"
	p.space()
	start := p.pos
	var n uint64
	for ; p.pos < len(p.b) && p.b[p.pos] >= '0' && p.b[p.pos] <= '9'; p.pos++ {
		n = n*10 + uint64(p.b[p.pos]-'0')
		if p.pos-start >= 19 || n > 1<<63-1 {
			return 0, p.fail(start, part, fmt.Sprintf("%s...", p.b[start:p.pos+1]), need)
		}
	}
	if p.pos == start {
		return 0, p.fail(start, part, p.have(), need)
	}
	if p.b[start] == '0' && p.pos-start > 1 {
		return 0, p.fail(start, part, string(p.b[start:p.pos]), need+" without leading zeros")
	}
	return int64(n), nil
}

// numbers parses an array of at most limit unsigned integers.
func (p *parser) numbers(part string, limit int) ([]int64, error) {
	var list []int64
	err := p.list('[', ']', part, func() error {
		if len(list) == limit {
			return p.fail(p.pos, part, fmt.Sprintf("more than %d numbers", limit), fmt.Sprintf("<= %d", limit))
		}
		n, err := p.number(part)
		list = append(list, n)
		return err
	})
	return list, err
}

// str parses a string of valid UTF-8.
func (p *parser) str(part string) (string, error) {
	if err := p.expect('"', part); err != nil {
		return "", err
	}
	start := p.pos
	var out []byte
	for p.pos < len(p.b) {
		switch c := p.b[p.pos]; {
		case c == '"':
			p.pos++
			if !utf8.Valid(out) {
				return "", p.fail(start, part, "a string with invalid UTF-8", "valid UTF-8")
			}
			return string(out), nil
		case c < ' ':
			return "", p.fail(p.pos, part, fmt.Sprintf("control character %#02x in a string", c), "an escape")
		case c != '\\':
			out = append(out, c)
			p.pos++
		default:
			var err error
			if out, err = p.escape(out, part); err != nil {
				return "", err
			}
		}
	}
	return "", p.fail(p.pos, part, p.have(), "the end of the string")
}

// simpleEscapes maps the letter after a backslash to the byte it denotes.
var simpleEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape parses the escape at the current position and appends the character it
// denotes to out.
func (p *parser) escape(out []byte, part string) ([]byte, error) {
	if p.pos+1 < len(p.b) {
		if c, ok := simpleEscapes[p.b[p.pos+1]]; ok {
			p.pos += 2
			return append(out, c), nil
		}
	}
	start := p.pos
	r, ok := p.hex4()
	if ok && utf16.IsSurrogate(r) {
		var low rune
		low, ok = p.hex4()
		r = utf16.DecodeRune(r, low)
		ok = ok && r != utf8.RuneError
	}
	if !ok {
		return nil, p.fail(start, part, fmt.Sprintf("%q", p.b[start:min(start+6, len(p.b))]), "a JSON escape")
	}
	return utf8.AppendRune(out, r), nil
}

// hex4 parses \uXXXX.
func (p *parser) hex4() (rune, bool) {
	if p.pos+6 > len(p.b) || p.b[p.pos] != '\\' || p.b[p.pos+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range p.b[p.pos+2 : p.pos+6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	p.pos += 6
	return r, true
}
