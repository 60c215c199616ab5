package ptxemu

import (
	"fmt"
	"strconv"
	"strings"
)

// operand is a parsed operand.
type operand struct {
	kind operandKind
	name string   // register, symbol, or base of an address
	list []string // registers of a vector
	bits uint64   // value of a number
	real byte     // 'f' or 'd' for a floating-point number, else 0
	off  int64    // offset of an address
}

type operandKind uint8

const (
	isName operandKind = iota
	isNumber
	isVector
	isAddress
)

func (o operand) String() string {
	switch o.kind {
	case isNumber:
		if o.real != 0 {
			return fmt.Sprintf("0%c%X", o.real, o.bits)
		}
		return strconv.FormatInt(int64(o.bits), 10)
	case isVector:
		return "{" + strings.Join(o.list, ", ") + "}"
	case isAddress:
		if o.off != 0 {
			return fmt.Sprintf("[%s+%d]", o.name, o.off)
		}
		return "[" + o.name + "]"
	}
	return o.name
}

func (p *parser) operand() (operand, error) {
	switch p.tok.kind {
	case tokenWord:
		o := operand{name: p.tok.text}
		return o, p.advance()
	case tokenNumber, '-':
		return p.number()
	case '{':
		o := operand{kind: isVector}
		for p.tok.kind != '}' {
			if err := p.advance(); err != nil { // past { or ,
				return o, err
			}
			name, err := p.take(tokenWord, "a register")
			if err != nil {
				return o, err
			}
			o.list = append(o.list, name)
			if p.tok.kind != ',' && p.tok.kind != '}' {
				return o, p.unexpected("}")
			}
		}
		return o, p.advance()
	case '[':
		o := operand{kind: isAddress}
		if err := p.advance(); err != nil {
			return o, err
		}
		var err error
		if o.name, err = p.take(tokenWord, "the base of an address"); err != nil {
			return o, err
		}
		if p.tok.kind == '+' {
			if err := p.advance(); err != nil {
				return o, err
			}
			n, err := p.number()
			if err != nil {
				return o, err
			}
			if o.off = int64(n.bits); n.real != 0 || o.off < -1<<31 || o.off > 1<<31 {
				return o, fmt.Errorf("line %d: offset %v, want a small whole number", p.tok.line, n)
			}
		}
		return o, p.all("]")
	}
	return operand{}, p.unexpected("an operand")
}

// number consumes a number, such as 12, -12, 0x1F, 0f3F800000 or 0d3FF0000000000000.
func (p *parser) number() (operand, error) {
	o := operand{kind: isNumber}
	negative := p.tok.kind == '-'
	if negative {
		if err := p.advance(); err != nil {
			return o, err
		}
	}
	line := p.tok.line
	text, err := p.take(tokenNumber, "a number")
	if err != nil {
		return o, err
	}
	bad := fmt.Errorf("line %d: number %s, want a whole one, or 0f or 0d and all digits", line, text)
	lower := strings.ToLower(text)
	for _, r := range []struct {
		prefix string
		digits int
	}{{"0f", 8}, {"0d", 16}} {
		if digits, ok := strings.CutPrefix(lower, r.prefix); ok {
			if o.real = r.prefix[1]; len(digits) != r.digits || negative {
				return o, bad
			}
			if o.bits, err = strconv.ParseUint(digits, 16, 64); err != nil {
				return o, bad
			}
			return o, nil
		}
	}
	base := 10
	if strings.HasPrefix(lower, "0x") {
		lower, base = lower[2:], 16
	} else if len(lower) > 1 && lower[0] == '0' {
		return o, bad // an octal number in PTX, most likely a mistake
	}
	if o.bits, err = strconv.ParseUint(lower, base, 64); err != nil {
		return o, bad
	}
	if negative {
		if o.bits > 1<<63 {
			return o, bad
		}
		o.bits = -o.bits
	}
	return o, nil
}
