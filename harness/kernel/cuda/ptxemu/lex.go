package ptxemu

import "fmt"

// token is a lexical token. Its kind is the punctuation character itself or one of the
// constants below.
type token struct {
	kind byte
	text string
	line int
}

const (
	tokenEnd    = 0
	tokenWord   = 'w' // a name, including its dots: add.rn.f32, %r1, .reg
	tokenNumber = '0'
	tokenString = '"'
)

// lexer splits a text into tokens.
type lexer struct {
	text string
	at   int
	line int
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '%' || c == '.'
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	if l.at == len(l.text) {
		return token{kind: tokenEnd, line: l.line}, nil
	}
	from := l.at
	c := l.text[from]
	kind := c
	l.at++
	switch {
	case letter(c) || digit(c):
		kind = tokenWord
		if digit(c) {
			kind = tokenNumber
		}
		for l.at < len(l.text) && (letter(l.text[l.at]) || digit(l.text[l.at])) {
			l.at++
		}
	case c == '"':
		for l.at < len(l.text) && l.text[l.at] != '"' && l.text[l.at] != '\n' {
			l.at++
		}
		if l.at == len(l.text) || l.text[l.at] != '"' {
			return token{}, fmt.Errorf("line %d: unterminated string", l.line)
		}
		l.at++
	}
	switch kind {
	case tokenWord, tokenNumber, tokenString, ',', ';', ':', '{', '}', '[', ']', '(', ')', '+', '-', '<', '>', '@', '!':
		return token{kind, l.text[from:l.at], l.line}, nil
	}
	return token{}, fmt.Errorf("line %d: character %q, want a word, a number or punctuation of PTX", l.line, c)
}

// skip skips white space and comments.
func (l *lexer) skip() error {
	for l.at < len(l.text) {
		switch rest := l.text[l.at:]; {
		case rest[0] == '\n':
			l.line++
			l.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			l.at++
		case len(rest) > 1 && rest[:2] == "//":
			for l.at < len(l.text) && l.text[l.at] != '\n' {
				l.at++
			}
		case len(rest) > 1 && rest[:2] == "/*":
			begin := l.line
			l.at += 2
			for {
				if l.at+1 >= len(l.text) {
					return fmt.Errorf("line %d: unterminated comment", begin)
				}
				if l.text[l.at:l.at+2] == "*/" {
					l.at += 2
					break
				}
				if l.text[l.at] == '\n' {
					l.line++
				}
				l.at++
			}
		default:
			return nil
		}
	}
	return nil
}
