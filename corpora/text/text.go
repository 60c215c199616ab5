package text

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"sync"
	"unicode/utf8"
)

// Token is a word or a byte of a text: an int32 for words, a uint8 for bytes.
type Token interface{ uint8 | int32 }

// A Text is a corpus as tokens. Callers share the Text of a published corpus and must
// not change it.
type Text[T Token] struct {
	*Vocabulary
	Train, Valid, Test *Part[T]

	unit unit
}

// A Part is the training, the validation or the test text: a list of sentences. The
// slices that its methods return share its memory.
type Part[T Token] struct {
	tokens []T
	ends   []int // sentence i is tokens[ends[i]:ends[i+1]+1], from End to End
}

// Len returns the number of sentences.
func (p *Part[T]) Len() int { return len(p.ends) - 1 }

// Tokens returns the number of tokens to predict: words and an End for each sentence.
func (p *Part[T]) Tokens() int { return len(p.tokens) - 1 }

// Stream returns all sentences, each followed by End, after one End at the beginning.
func (p *Part[T]) Stream() []T { return p.tokens }

// String returns sentence i with an End in front and an End behind.
func (p *Part[T]) String(i int) []T {
	end := p.ends[i+1] + 1
	return p.tokens[p.ends[i]:end:end]
}

// Body returns sentence i without End.
func (p *Part[T]) Body(i int) []T { s := p.String(i); return s[1 : len(s)-1 : len(s)-1] }

// Input returns the tokens of sentence i that a language model reads: End, then the words or
// bytes.
func (p *Part[T]) Input(i int) []T { s := p.String(i); return s[: len(s)-1 : len(s)-1] }

// Target returns the tokens of sentence i that a language model predicts: the words or
// bytes, then End.
func (p *Part[T]) Target(i int) []T { return p.String(i)[1:] }

// Cut returns sentence i as String does if it has at most n words. Otherwise it returns
// End and the first n words, without an End after them: a model should not learn that a
// sentence ends where it is cut.
func (p *Part[T]) Cut(i, n int) []T {
	s := p.String(i)
	if len(s)-2 <= n {
		return s
	}
	return s[: n+1 : n+1]
}

// Words reads the corpus as a sequence of words. Further calls for a published corpus return
// the same Text.
func (c Corpus) Words() (*Text[int32], error) { return read[int32](c, words) }

// Characters reads the corpus as a sequence of bytes. Further calls for a published corpus
// return the same Text.
func (c Corpus) Characters() (*Text[uint8], error) {
	c.MinCount = 0
	return read[uint8](c, characters)
}

// cache holds the published corpora that the process has read. It maps values of type key to
// values of type *Text.
var cache sync.Map

type key struct{ folder, unit, corpus string }

func read[T Token](c Corpus, u unit) (*Text[T], error) {
	if len(c.Files) != 3 {
		return nil, fmt.Errorf("corpus %s: have %d files, want a training, a validation and a test text", c.Name, len(c.Files))
	}
	if c.Files[0].SHA256 == "" {
		return load[T](c, u, "")
	}
	folder, err := Folder()
	if err != nil {
		return nil, err
	}
	k := key{folder, u.name, fmt.Sprint(c.Name, c.Trim, c.MinCount, c.Files)}
	if t, ok := cache.Load(k); ok {
		return t.(*Text[T]), nil
	}
	t, err := load[T](c, u, folder)
	if err != nil {
		return nil, err
	}
	shared, _ := cache.LoadOrStore(k, t)
	return shared.(*Text[T]), nil
}

// load reads the files of a corpus.
func load[T Token](c Corpus, u unit, folder string) (*Text[T], error) {
	t := &Text[T]{unit: u}
	for i, part := range []**Part[T]{&t.Train, &t.Valid, &t.Test} {
		name := c.Files[i].Path(folder)
		data, err := c.Files[i].read(c.disk, folder)
		if err != nil {
			return nil, err
		}
		if err := validate(name, data); err != nil {
			return nil, err
		}
		all := lines(data, c.Trim)
		if i == 0 {
			t.Vocabulary = vocabularyOf(all, u, c.MinCount)
		}
		p := &Part[T]{tokens: []T{End}, ends: []int{0}}
		for line := range all {
			if p.tokens, err = t.encode(p.tokens, line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, len(p.ends), err)
			}
			p.ends = append(p.ends, len(p.tokens))
			p.tokens = append(p.tokens, End)
		}
		*part = p
	}
	return t, nil
}

// validate returns an error unless data is UTF-8 text with line feeds at the ends of
// lines.
func validate(name string, data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("%s: have an empty file, want a text", name)
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return fmt.Errorf("%s:1: have a byte order mark at the beginning, want UTF-8 text without one: sed -i '1s/^\\xef\\xbb\\xbf//' removes it", name)
	}
	if i := bytes.IndexByte(data, '\r'); i >= 0 {
		remedy := "tr -d '\\r' removes carriage returns"
		if !bytes.Contains(data, []byte("\r\n")) {
			remedy = "tr '\\r' '\\n' turns carriage returns into line feeds"
		}
		return fmt.Errorf("%s:%d: have a carriage return, want a line feed alone at the end of a line: %s", name, lineAt(data, i), remedy)
	}
	for i := 0; i < len(data) && !utf8.Valid(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("%s:%d: have the byte 0x%02x, which is not UTF-8 here, want UTF-8", name, lineAt(data, i), data[i])
		}
		i += n
	}
	return nil
}

// lineAt returns the number of the line of data[at].
func lineAt(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte("\n")) }

// lines returns the lines of data without line feeds. If trim is set, it removes the
// spaces at both ends of each line.
func lines(data []byte, trim bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(data) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if trim {
				line = bytes.Trim(line, " ")
			}
			if !yield(line) {
				return
			}
		}
	}
}

// Encode returns the tokens of a line, without End. A word outside the vocabulary
// becomes <unk> if <unk> is in the vocabulary, and is an error otherwise.
func (t *Text[T]) Encode(line string) ([]T, error) { return t.encode(nil, []byte(line)) }

func (t *Text[T]) encode(tokens []T, line []byte) ([]T, error) {
	for word := range t.unit.split(line) {
		id, ok := t.ids[string(word)]
		if !ok {
			id, ok = t.ids[unknown]
		}
		if !ok {
			return tokens, fmt.Errorf("have the %s %q, want one of the training text%s", t.unit.name, word, t.unit.hint)
		}
		if id == End {
			return tokens, fmt.Errorf("have the %s %q, want it only as the end of a line", t.unit.name, word)
		}
		tokens = append(tokens, T(id))
	}
	return tokens, nil
}

// Decode returns the text of tokens, with a line feed for End and a space between words.
func (t *Text[T]) Decode(tokens []T) string {
	var b strings.Builder
	for i, token := range tokens {
		switch {
		case token == End:
			b.WriteByte('\n')
			continue
		case i > 0 && tokens[i-1] != End:
			b.WriteString(t.unit.space)
		}
		b.WriteString(t.types[token])
	}
	return b.String()
}
