package papers

import (
	"fmt"
	"strings"
)

// A SyntaxError is an error in the text of a relation.
type SyntaxError struct {
	Column int    // from 1, in bytes
	Have   string // what the text has there
	Need   string // what the grammar allows there
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("relation: column %d: have %s, want %s", e.Column, e.Have, e.Need)
}

// maxRelation bounds the text of one relation; the longest relation of a claim has
// 9 kB.
const maxRelation = 1 << 16

// ParseRelation parses
//
//	relation   = comparison { " & " comparison }
//	comparison = term " " op " " term
//	op         = "<" | ">" | "<=" | ">=" | "=="
//	term       = operand
//	           | "max(" operand { "," operand } ")"
//	           | "min(" operand { "," operand } ")"
//	           | "absdiff(" operand "," operand ")"
//	operand    = number | "[paper:table:row:metric:stat]"
//
// Numbers are plain decimals. More spaces are allowed between tokens. Errors are of
// type *SyntaxError.
func ParseRelation(s string) (*Relation, error) {
	p := &parser{text: s, slot: make(map[Key]int)}
	if len(s) > maxRelation {
		return nil, p.fail(maxRelation, fmt.Sprintf("%d bytes", len(s)), fmt.Sprintf("at most %d", maxRelation))
	}
	r := &Relation{text: s}
	for {
		c, err := p.comparison(r)
		if err != nil {
			return nil, err
		}
		r.comparisons = append(r.comparisons, c.parts()...)
		if p.spaces(); p.pos == len(s) {
			return r, nil
		}
		if err := p.spaced("&", "& between comparisons or the end"); err != nil {
			return nil, err
		}
	}
}

type parser struct {
	text string
	pos  int
	slot map[Key]int // index of each key in Relation.keys
}

func (p *parser) comparison(r *Relation) (c comparison, err error) {
	if c.left, err = p.term(r); err != nil {
		return c, err
	}
	p.spaces()
	for _, op := range []string{"<=", ">=", "==", "<", ">"} { // the longer ones first
		if strings.HasPrefix(p.text[p.pos:], op) {
			c.op = op
			break
		}
	}
	need := "one of < > <= >= == between spaces"
	if c.op == "" {
		return c, p.unexpected(need)
	}
	if err = p.spaced(c.op, need); err != nil {
		return c, err
	}
	c.right, err = p.term(r)
	return c, err
}

func (p *parser) term(r *Relation) (t term, err error) {
	p.spaces()
	for _, fold := range []string{"max", "min", "absdiff"} {
		if strings.HasPrefix(p.text[p.pos:], fold+"(") {
			t.fold = fold
			p.pos += len(fold) + 1
			break
		}
	}
	open := p.pos
	for {
		o, err := p.operand(r)
		if err != nil {
			return t, err
		}
		t.args = append(t.args, o)
		if t.fold == "" {
			return t, nil
		}
		switch p.spaces(); {
		case p.next(","):
		case p.next(")"):
			if t.fold == "absdiff" && len(t.args) != 2 {
				return t, p.fail(open, fmt.Sprintf("%d operands of absdiff", len(t.args)), "2")
			}
			return t, nil
		default:
			return t, p.unexpected(", or )")
		}
	}
}

func (p *parser) operand(r *Relation) (operand, error) {
	p.spaces()
	start := p.pos
	if p.next("[") {
		length := strings.IndexByte(p.text[start:], ']')
		if length < 0 {
			return operand{}, p.fail(start, "[ without ]", "[paper:table:row:metric:stat]")
		}
		text := p.text[start : start+length+1]
		k, err := ParseKey(text)
		if err != nil {
			return operand{}, p.fail(start, fmt.Sprintf("%q", abbreviate(text)), "[paper:table:row:metric:stat]")
		}
		p.pos = start + len(text)
		cell, seen := p.slot[k]
		if !seen {
			cell = len(r.keys)
			r.keys = append(r.keys, k)
			p.slot[k] = cell
		}
		return operand{cell: cell}, nil
	}
	for p.pos < len(p.text) && strings.IndexByte("-.0123456789", p.text[p.pos]) >= 0 {
		p.pos++
	}
	text := p.text[start:p.pos]
	d, err := parseDecimal(text)
	if err != nil {
		p.pos = start
		return operand{}, p.unexpected("a number, a cell key, max(, min( or absdiff(")
	}
	return operand{cell: -1, number: d.float(0)}, nil
}

// spaced consumes the given token, which must have a space before and after it.
func (p *parser) spaced(token, need string) error {
	at := p.pos
	before := at > 0 && p.text[at-1] == ' '
	if !before || !p.next(token) || !p.next(" ") {
		p.pos = at
		return p.unexpected(need)
	}
	return nil
}

// next consumes the given token if the rest of the text begins with it, and reports whether
// it did.
func (p *parser) next(token string) bool {
	if !strings.HasPrefix(p.text[p.pos:], token) {
		return false
	}
	p.pos += len(token)
	return true
}

// spaces skips spaces.
func (p *parser) spaces() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

func (p *parser) unexpected(need string) error {
	have := "the end"
	if p.pos < len(p.text) {
		rest := p.text[p.pos:]
		have = fmt.Sprintf("%q", rest[:min(len(rest), 20)])
	}
	return p.fail(p.pos, have, need)
}

func (p *parser) fail(pos int, have, need string) error {
	return &SyntaxError{Column: pos + 1, Have: have, Need: need}
}
