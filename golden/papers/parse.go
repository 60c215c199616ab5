package papers

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keyText matches a key in a relation.
var keyText = regexp.MustCompile("\\[[^`\\]]*\\]")

// ParseRelation parses one or more comparisons with & between them. A comparison has <, >, <=, >= or == between two terms. A term is an
// operand, max or min of operands, or absdiff of two. An operand is a key such as [paper:table:row:metric:stat], or a plain decimal.
// There must be spaces around & and the signs of comparisons, because pages divide the text there.
func ParseRelation(s string) (*Relation, error) {
	r := &Relation{text: s}
	for text := range strings.SplitSeq(s, " & ") {
		// To Go, a key is a string, and a slash begins a comment.
		e, err := parser.ParseExpr(keyText.ReplaceAllString(text, "`$0`"))
		if err != nil || strings.ContainsAny(text, "/\n") {
			e = nil
		}
		c, err := r.comparison(e)
		if err == nil && !strings.Contains(text, " "+c.op+" ") {
			err = fmt.Errorf("have no spaces around %s, want them", c.op)
		}
		if err != nil && strings.Contains(text, "&") {
			err = errors.New("have & without spaces around it, want them")
		}
		if err != nil {
			return nil, fmt.Errorf("relation: %q: %w", abbreviate(text), err)
		}
		r.comparisons = append(r.comparisons, c.parts()...)
	}
	return r, nil
}

// comparison returns the comparison of an expression.
func (r *Relation) comparison(e ast.Expr) (c comparison, err error) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || !slices.Contains([]token.Token{token.LSS, token.GTR, token.LEQ, token.GEQ, token.EQL}, b.Op) {
		return c, errors.New("have no comparison, want two terms with one of < > <= >= == between them")
	}
	c.op = b.Op.String()
	if c.left, err = r.term(b.X); err == nil {
		c.right, err = r.term(b.Y)
	}
	return c, err
}

// term returns the term of an expression.
func (r *Relation) term(e ast.Expr) (t term, err error) {
	args := []ast.Expr{e}
	if call, ok := e.(*ast.CallExpr); ok {
		name, ok := call.Fun.(*ast.Ident)
		if !ok || !slices.Contains([]string{"max", "min", "absdiff"}, name.Name) || call.Ellipsis.IsValid() {
			return t, errors.New("have another function, want max, min or absdiff of operands")
		}
		t.fold, args = name.Name, call.Args
		if len(args) == 0 || t.fold == "absdiff" && len(args) != 2 {
			return t, fmt.Errorf("have %d operands of %s, want 2 of absdiff and at least 1 of others", len(args), t.fold)
		}
	}
	for _, arg := range args {
		o, err := r.operand(arg)
		if err != nil {
			return t, err
		}
		t.args = append(t.args, o)
	}
	return t, nil
}

// operand returns the operand of an expression. It adds its key to those of the relation, if it has one.
func (r *Relation) operand(e ast.Expr) (operand, error) {
	sign := ""
	if minus, ok := e.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		sign, e = "-", minus.X
	}
	x, ok := e.(*ast.BasicLit)
	if !ok {
		return operand{}, errors.New("have an operand of another kind, want a number or [paper:table:row:metric:stat]")
	}
	if text, err := strconv.Unquote(x.Value); err == nil && sign == "" {
		k, err := ParseKey(text)
		at := slices.Index(r.keys, k)
		if at < 0 {
			at, r.keys = len(r.keys), append(r.keys, k)
		}
		return operand{cell: at}, err
	}
	d, err := parseDecimal(sign + x.Value)
	if err != nil {
		return operand{}, err
	}
	return operand{cell: -1, number: d.float(0)}, nil
}
