package golden

import (
	"fmt"
	"strconv"
	"strings"
)

// A Field is key=value, or a word without a key, on a line that is not part of the
// benchmark format. A value is quoted as a Go string if it is empty or has a blank, a
// quote, a backslash or a character outside printable ASCII.
type Field struct{ Key, Value string }

// String returns the field in the form of golden files.
func (f Field) String() string {
	if f.Key == "" {
		return f.Value
	}
	if plain(f.Value) {
		return f.Key + "=" + f.Value
	}
	return f.Key + "=" + strconv.Quote(f.Value)
}

// plain reports whether s can be written without quotes.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return s != ""
}

// JoinFields formats fields as a line. It is the inverse of SplitFields.
func JoinFields(fields []Field) string {
	text := make([]string, len(fields))
	for i, f := range fields {
		text[i] = f.String()
	}
	return strings.Join(text, " ")
}

// SplitFields splits a line into fields at single blanks. Quoted values may contain
// blanks.
func SplitFields(line string) ([]Field, error) {
	var fields []Field
	for rest := line; rest != ""; {
		end := strings.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		key, value, ok := strings.Cut(rest[:end], "=")
		switch {
		case !ok:
			key, value = "", rest[:end]
		case strings.HasPrefix(value, `"`):
			quoted, err := strconv.QuotedPrefix(rest[len(key)+1:])
			if err != nil {
				return nil, fmt.Errorf("field %s: have %s, want a quoted value", abbreviate(key), abbreviate(rest[len(key)+1:]))
			}
			end = len(key) + 1 + len(quoted)
			value, _ = strconv.Unquote(quoted)
		}
		fields = append(fields, Field{key, value})
		if ok && key == "" || !ok && !plain(value) || rest[end:] == " " || end < len(rest) && rest[end] != ' ' {
			return nil, fmt.Errorf("field %d: have %q, want words or key=value with single blanks between", len(fields), abbreviate(rest))
		}
		rest = strings.TrimPrefix(rest[end:], " ")
	}
	return fields, nil
}

// A form parses the fields of one line from left to right.
type form struct {
	fields []Field
	err    error // the first error
}

// fail records an error, unless there is one already.
func (f *form) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// word consumes the next field, which must be a word.
func (f *form) word(what string) string {
	if len(f.fields) == 0 || f.fields[0].Key != "" {
		f.fail("%s: have none, want one", what)
		return ""
	}
	w := f.fields[0].Value
	f.fields = f.fields[1:]
	return w
}

// name consumes the next field and returns its whole text, since names contain =.
func (f *form) name() Name {
	if len(f.fields) == 0 {
		f.fail("name: have none, want one")
		return ""
	}
	n := Name(f.fields[0].String())
	f.fields = f.fields[1:]
	return n
}

// optional consumes the next field if it has the given key.
func (f *form) optional(key string) (value string, ok bool) {
	if len(f.fields) == 0 || f.fields[0].Key != key {
		return "", false
	}
	value = f.fields[0].Value
	f.fields = f.fields[1:]
	return value, true
}

// flag reports whether the next field has the given key, and consumes it. Its value must be the
// given one.
func (f *form) flag(key, value string) bool {
	have, ok := f.optional(key)
	if ok && have != value {
		f.fail("%s: have %q, want %s", key, abbreviate(have), value)
	}
	return ok
}

// required consumes the next field, which must have the given key.
func (f *form) required(key string) string {
	value, ok := f.optional(key)
	if !ok {
		have := "the end of the line"
		if len(f.fields) > 0 {
			have = strconv.Quote(abbreviate(f.fields[0].String()))
		}
		f.fail("have %s, want %s=", have, key)
	}
	return value
}

// number parses a float.
func (f *form) number(what, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.fail("%s: have %q, want a number", what, abbreviate(text))
	}
	return v
}

// whole parses a whole number.
func (f *form) whole(what, text string) int {
	v, err := strconv.Atoi(text)
	if err != nil {
		f.fail("%s: have %q, want a whole number", what, abbreviate(text))
	}
	return v
}

// end returns the first error that was recorded. It is an error if fields are left.
func (f *form) end() error {
	if len(f.fields) > 0 {
		f.fail("have %q, want the end of the line", abbreviate(f.fields[0].String()))
	}
	return f.err
}
