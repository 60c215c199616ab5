package formal

// Kind is the kind of a string in a corpus for recognition.
type Kind uint8

// The kinds of strings.
const (
	Positive  Kind = iota // in the language
	Ordinary              // random, not in the language
	Difficult             // not in the language, but close to a string that is
)

// Labelled is a part of a corpus for recognition: a list of strings, each followed by
// End. In a part that [Recognition.Draw] returns, strings in the language alternate
// with strings outside of it. A Labelled does not change after it is made, so it is
// safe for concurrent use. The slices that its methods return share its memory and must
// not be changed.
type Labelled struct {
	Part     Part
	symbols  []uint8
	offsets  []int // string i is symbols[offsets[i]:offsets[i+1]]
	kinds    []Kind
	attempts int
}

// Len returns the number of strings.
func (c *Labelled) Len() int { return len(c.kinds) }

// Symbols returns the number of symbols of all strings, including End.
func (c *Labelled) Symbols() int { return len(c.symbols) }

// Attempts returns the number of strings of the language that were drawn, including
// those that were discarded because they were too short or were in the corpus already.
func (c *Labelled) Attempts() int { return c.attempts }

// String returns string i with End.
func (c *Labelled) String(i int) []uint8 {
	return c.symbols[c.offsets[i]:c.offsets[i+1]:c.offsets[i+1]]
}

// Body returns string i without End.
func (c *Labelled) Body(i int) []uint8 { s := c.String(i); return s[: len(s)-1 : len(s)-1] }

// Kind returns the kind of string i.
func (c *Labelled) Kind(i int) Kind { return c.kinds[i] }

// Valid reports whether string i is in the language.
func (c *Labelled) Valid(i int) bool { return c.kinds[i] == Positive }

// Count returns the number of strings of a kind.
func (c *Labelled) Count(kind Kind) int {
	n := 0
	for _, k := range c.kinds {
		if k == kind {
			n++
		}
	}
	return n
}

func (c *Labelled) add(body []uint8, end uint8, kind Kind) {
	c.symbols = append(append(c.symbols, body...), end)
	c.offsets = append(c.offsets, len(c.symbols))
	c.kinds = append(c.kinds, kind)
}
