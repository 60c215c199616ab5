package ptxemu

import (
	"fmt"
	"strconv"
	"strings"
)

// The newest version of PTX and the newest target that a module may name. Every driver
// that the repository supports knows both.
const (
	newestVersion = 70 // 7.0
	newestTarget  = 80 // sm_80
)

// Module is a parsed PTX text.
type Module struct {
	kernels []*Kernel
}

// Kernels returns the names of the kernels, in the order of the text.
func (m *Module) Kernels() []string {
	var names []string
	for _, k := range m.kernels {
		names = append(names, k.Name)
	}
	return names
}

// Kernel returns the kernel with the given name, or nil if there is none.
func (m *Module) Kernel(name string) *Kernel {
	for _, k := range m.kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Parse parses a PTX text and decodes its kernels. The package comment says what it
// rejects.
func Parse(text string) (*Module, error) {
	p := &parser{lex: lexer{text: text, line: 1}}
	m := &Module{}
	err := p.module(m)
	if err != nil {
		return nil, fmt.Errorf("ptxemu: %w", err)
	}
	return m, nil
}

// statement is a parsed instruction.
type statement struct {
	line     int
	guard    string // guard predicate, "" if none
	negated  bool
	opcode   string
	operands []operand
}

func (s *statement) String() string {
	var b strings.Builder
	if s.guard != "" {
		b.WriteByte('@')
		if s.negated {
			b.WriteByte('!')
		}
		b.WriteString(s.guard + " ")
	}
	b.WriteString(s.opcode)
	for i, o := range s.operands {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + o.String())
	}
	return b.String()
}

// parser is a parser with one token of lookahead, tok.
type parser struct {
	lex lexer
	tok token
}

func (p *parser) advance() (err error) {
	p.tok, err = p.lex.next()
	return err
}

// unexpected returns an error that names the token tok and says what the grammar requires
// in its place.
func (p *parser) unexpected(want string) error {
	have := p.tok.text
	if p.tok.kind == tokenEnd {
		have = "the end"
	}
	return fmt.Errorf("line %d: %s, want %s", p.tok.line, have, want)
}

// take consumes a token of the given kind and returns its text.
func (p *parser) take(kind byte, want string) (string, error) {
	if p.tok.kind != kind {
		return "", p.unexpected(want)
	}
	text := p.tok.text
	return text, p.advance()
}

// word consumes the given word.
func (p *parser) word(text string) error {
	if p.tok.kind != tokenWord || p.tok.text != text {
		return p.unexpected(text)
	}
	return p.advance()
}

// all consumes one token of each of the given kinds, in order.
func (p *parser) all(kinds string) error {
	for i := range len(kinds) {
		if _, err := p.take(kinds[i], fmt.Sprintf("%q", kinds[i])); err != nil {
			return err
		}
	}
	return nil
}

// integer consumes a decimal integer from min to max.
func (p *parser) integer(what string, min, max int64) (int64, error) {
	text := p.tok.text
	line := p.tok.line
	if _, err := p.take(tokenNumber, what); err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < min || n > max {
		return 0, fmt.Errorf("line %d: %s %s, want %d to %d", line, what, text, min, max)
	}
	return n, nil
}

func (p *parser) module(m *Module) error {
	if err := p.advance(); err != nil {
		return err
	}
	if err := p.word(".version"); err != nil {
		return err
	}
	version, line := p.tok.text, p.tok.line
	if _, err := p.take(tokenNumber, "a version"); err != nil {
		return err
	}
	major, minor, _ := strings.Cut(version, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if err1 != nil || err2 != nil || a < 1 || b < 0 || b > 9 || 10*a+b > newestVersion {
		return fmt.Errorf("line %d: version %s, want at most %d.%d", line, version, newestVersion/10, newestVersion%10)
	}
	if err := p.word(".target"); err != nil {
		return err
	}
	line = p.tok.line
	target, err := p.take(tokenWord, "a target")
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(target, "sm_")); err != nil || !strings.HasPrefix(target, "sm_") || n > newestTarget {
		return fmt.Errorf("line %d: target %s, want at most sm_%d", line, target, newestTarget)
	}
	if err := p.word(".address_size"); err != nil {
		return err
	}
	if _, err := p.integer("address size", 64, 64); err != nil {
		return err
	}
	for p.tok.kind != tokenEnd {
		k, err := p.kernel()
		if err != nil {
			return err
		}
		if m.Kernel(k.Name) != nil {
			return fmt.Errorf("kernel %s is defined twice", k.Name)
		}
		m.kernels = append(m.kernels, k)
	}
	return nil
}
