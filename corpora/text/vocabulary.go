package text

import (
	"bytes"
	"iter"
)

// End is the token of the end of a line in every vocabulary.
const End = 0

// unknown is the word that stands for words outside the vocabulary.
const unknown = "<unk>"

// A unit is what a token stands for: a word or a character.
type unit struct {
	name  string // of the unit, in messages
	end   string // the word or byte of End, which cannot occur within a line
	space string // separator between two units
	split func(line []byte) iter.Seq[[]byte]
	hint  string // added to the error for a word outside the vocabulary
}

var (
	words      = unit{"word", "<eos>", " ", bytes.FieldsSeq, ", or <unk> in it, as MinCount 2 gives"}
	characters = unit{"character", "\n", "", eachByte, ""}
)

func eachByte(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range line {
			if !yield(line[i : i+1]) {
				return
			}
		}
	}
}

// A Vocabulary numbers the words or the bytes of a training text.
type Vocabulary struct {
	types []string
	ids   map[string]int
}

// newVocabulary returns a vocabulary that has only End.
func newVocabulary(u unit) *Vocabulary {
	return &Vocabulary{types: []string{u.end}, ids: map[string]int{u.end: End}}
}

// vocabularyOf returns the vocabulary of a training text. The parameter least is the
// MinCount of the corpus: words that occur less often become <unk>.
func vocabularyOf(lines iter.Seq[[]byte], u unit, least int) *Vocabulary {
	all, count := newVocabulary(u), []int{0}
	for line := range lines {
		for word := range u.split(line) {
			id := all.add(word)
			if id == len(count) {
				count = append(count, 0)
			}
			count[id]++
		}
	}
	if least <= 1 {
		return all
	}
	v := newVocabulary(u)
	for id, word := range all.types[1:] {
		if count[id+1] < least {
			word = unknown
		}
		v.add([]byte(word))
	}
	return v
}

// add adds a word to the vocabulary unless it is already there. It returns the token of
// the word.
func (v *Vocabulary) add(word []byte) int {
	id, ok := v.ids[string(word)]
	if !ok {
		id = len(v.types)
		v.types = append(v.types, string(word))
		v.ids[v.types[id]] = id
	}
	return id
}

// Len returns the number of tokens, End included.
func (v *Vocabulary) Len() int { return len(v.types) }

// Word returns the word or the byte that a token stands for, and <eos> or a line feed
// for End.
func (v *Vocabulary) Word(token int) string { return v.types[token] }

// Token returns the token of a word or a byte, and whether the vocabulary has it.
func (v *Vocabulary) Token(word string) (token int, ok bool) {
	token, ok = v.ids[word]
	return token, ok
}
