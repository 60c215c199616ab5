package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Predictions holds what a model predicts for the strings of the scored splits of a set, and of optional ones.
type Predictions struct {
	set    *Set
	first  map[string]int // by name of a scored or optional split, the number of its first string among all
	seen   []bool         // by string, whether its record has been read
	begun  bool           // whether a record has been read
	fields []column
}

// A column holds the values of a field for all strings, one after the other.
type column struct {
	Field
	start   []int     // the values of string i are those from start[i] to start[i+1]
	numbers []float64 // unless the values are tokens
	tokens  []int16   // numbers of tokens, or -1 for none
	given   bool      // whether records have the field; an optional one is in all or in none
}

// has reports whether there are predictions for a split, which has them for all of its strings or for none.
func (p *Predictions) has(split string) bool {
	return slices.ContainsFunc(p.set.Splits, func(s Split) bool {
		first, ok := p.first[s.Name]
		return ok && s.Name == split && slices.Contains(p.seen[first:first+s.Strings], true)
	})
}

// lacks reports whether there are no predictions in a field.
func (p *Predictions) lacks(field string) bool {
	return slices.ContainsFunc(p.fields, func(c column) bool { return c.Name == field && !c.given })
}

// Numbers returns the values of a field for string i of a split.
func (p *Predictions) Numbers(field, split string, i int) []float64 {
	c, from, to := p.find(field, split, i)
	return c.numbers[from:to]
}

// Tokens returns the values of a field of tokens for string i of a split: their numbers in the
// alphabet, or -1 for none.
func (p *Predictions) Tokens(field, split string, i int) []int16 {
	c, from, to := p.find(field, split, i)
	return c.tokens[from:to]
}

func (p *Predictions) find(field, split string, i int) (c *column, from, to int) {
	at := slices.IndexFunc(p.fields, func(c column) bool { return c.Name == field })
	c, i = &p.fields[at], p.first[split]+i
	return c, c.start[i], c.start[i+1]
}

// newPredictions returns predictions without records. They have room for all values, also those of optional splits, so that the memory
// does not depend on what is read.
func newPredictions(s *Set) *Predictions {
	p := &Predictions{set: s, first: map[string]int{}}
	for _, f := range s.Fields {
		p.fields = append(p.fields, column{Field: f, start: []int{0}})
	}
	for i := range s.Splits {
		split := &s.Splits[i]
		if !split.Scored && !split.Optional {
			continue
		}
		p.first[split.Name] = len(p.seen)
		p.seen = append(p.seen, make([]bool, split.Strings)...)
		for j := range p.fields {
			c := &p.fields[j]
			for n := range split.Strings {
				c.start = append(c.start, c.start[len(c.start)-1]+c.Count(split, n))
			}
		}
	}
	for i := range p.fields {
		c := &p.fields[i]
		if n := c.start[len(c.start)-1]; c.Values.tokens() {
			c.tokens = make([]int16, n)
		} else {
			c.numbers = make([]float64, n)
		}
	}
	return p
}

// mostLine bounds the size of a line. The longest records of the papers' strings have 20 kB.
const mostLine = 1 << 20

// Read reads the predictions for a set, whose digest is data. Errors have the name of the file and the
// line. The result is complete: it has a record for each string of a scored split, and of an optional one for each or none.
func Read(from io.Reader, name string, set *Set, data string) (*Predictions, error) {
	p := newPredictions(set)
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, mostLine)
	n := 0
	for lines.Scan() {
		n++
		err := error(nil)
		if what, ok := notJSON(lines.Bytes()); ok {
			err = fmt.Errorf("have %s, want a JSON object", what)
		} else if n == 1 {
			err = header(lines.Bytes(), data)
		} else {
			err = p.record(lines.Bytes())
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: have a line of more than %d bytes, want a record", name, n+1, mostLine-1)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n == 0 {
		return nil, fmt.Errorf(`%s: have no line, want {"data":"%s"} first`, name, data)
	}
	for _, s := range set.Splits {
		if !s.Scored && !s.Optional {
			continue
		}
		seen, have := p.seen[p.first[s.Name]:][:s.Strings], 0
		for _, x := range seen {
			if x {
				have++
			}
		}
		if have == s.Strings || have == 0 && s.Optional {
			continue
		}
		none := ""
		if s.Optional {
			none = " or none"
		}
		return nil, fmt.Errorf("%s: have records of %d strings of %s, want %d%s; the first that is missing is string %d", name, have, s.Name, s.Strings, none, slices.Index(seen, false))
	}
	return p, nil
}

// notJSON recognises what lines of other files begin with, or a line that is blank.
func notJSON(line []byte) (what string, ok bool) {
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return "a blank line", true
	case bytes.HasPrefix(line, []byte("\ufeff")):
		return "a byte order mark", true
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return "a file compressed by gzip", true
	}
	return "", false
}

// header reads the first line.
func header(line []byte, data string) error {
	s := scanner{text: line}
	have := ""
	err := s.object(func(key string) (err error) {
		if key != "data" {
			return fmt.Errorf(`have the field %.40q, want "data" alone in the first line`, key)
		}
		have, err = s.str()
		return err
	})
	if err == nil && have != data {
		err = fmt.Errorf("data: have %.80q, want %q, the data set", have, data)
	}
	return err
}

// record reads the record of a string.
func (p *Predictions) record(line []byte) error {
	s := scanner{text: line}
	split, i := "", -1.0
	have := make([]int, len(p.fields)) // where the values of each field begin in the line, or 0
	err := s.object(func(key string) (err error) {
		at := slices.IndexFunc(p.fields, func(c column) bool { return c.Name == key })
		switch {
		case key == "split":
			split, err = s.str()
		case key == "string":
			i, err = s.number(0, math.MaxInt32, "the number of a string")
			if err == nil && i != math.Trunc(i) {
				err = fmt.Errorf("have %v, want the number of a string", i)
			}
		case at < 0:
			return fmt.Errorf("have the field %.40q, want split, string%s", key, p.names())
		default: // the values are read when the string is known
			have[at] = s.at
			err = s.skip()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	first, ok := p.first[split]
	if !ok {
		return fmt.Errorf("split: have %.40q, want %s", split, p.splits())
	}
	of := &p.set.Splits[slices.IndexFunc(p.set.Splits, func(s Split) bool { return s.Name == split })]
	if i < 0 || int(i) >= of.Strings {
		return fmt.Errorf("string: have %v, want a number from 0 to %d", i, of.Strings-1)
	}
	at := first + int(i)
	if p.seen[at] {
		return fmt.Errorf("string: have %v of %s a second time, want it once", i, split)
	}
	p.seen[at] = true
	if !slices.ContainsFunc(have, func(at int) bool { return at != 0 }) && len(have) > 0 {
		return fmt.Errorf("have no field of predictions, want one of %s", strings.TrimPrefix(p.names(), ", "))
	}
	for f := range p.fields {
		c := &p.fields[f]
		given := have[f] != 0
		if !p.begun {
			c.given = given || !c.Optional
		}
		switch {
		case c.given && !given:
			return fmt.Errorf("%s: have no such field, want %d values", c.Name, c.start[at+1]-c.start[at])
		case given && !c.given:
			return fmt.Errorf("%s: have this field, want none, as in the records before", c.Name)
		case !given:
			continue
		}
		s.at = have[f]
		if err := p.values(&s, c, c.start[at], c.start[at+1]); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	p.begun = true
	return nil
}

// values reads the list of values of a string, which are those from one index to another of a column.
func (p *Predictions) values(s *scanner, c *column, from, to int) error {
	n := 0
	err := s.list(func(i int) (err error) {
		n = i + 1
		if from+i >= to {
			return fmt.Errorf("have more than %d values, want %d: %s", to-from, to-from, c.Definition)
		}
		switch c.Values {
		case Probabilities:
			c.numbers[from+i], err = s.number(0, 1, c.Values)
		case Nats:
			c.numbers[from+i], err = s.number(0, math.MaxFloat32, c.Values)
		case ClosingTokens:
			c.tokens[from+i], err = p.token(s, p.set.Closing)
		case AnyTokens:
			c.tokens[from+i], err = p.token(s, p.set.Alphabet)
		}
		if err != nil {
			err = fmt.Errorf("value %d: %w", i, err)
		}
		return err
	})
	if err == nil && n < to-from {
		err = fmt.Errorf("have %d values, want %d: %s", n, to-from, c.Definition)
	}
	return err
}

// token reads one of some tokens or an empty string.
func (p *Predictions) token(s *scanner, of []string) (int16, error) {
	text, err := s.str()
	switch {
	case err != nil:
		return 0, err
	case text == "":
		return -1, nil
	case !slices.Contains(of, text):
		return 0, fmt.Errorf("have %.40q, want one of %q, or an empty string", text, of)
	}
	return int16(slices.Index(p.set.Alphabet, text)), nil
}

// names returns the names of the fields, each after a comma.
func (p *Predictions) names() (text string) {
	for _, c := range p.fields {
		text += ", " + c.Name
	}
	return text
}

// splits returns the names of the splits that may have records.
func (p *Predictions) splits() string {
	var names []string
	for _, s := range p.set.Splits {
		if s.Scored || s.Optional {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, " or ")
}
