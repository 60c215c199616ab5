package formal

// Kind tells why a string is in a corpus for recognition.
type Kind uint8

// The kinds of strings.
const (
	Positive  Kind = iota // in the language
	Ordinary              // random, and not in it
	Difficult             // close to one that is, and not in it
)

// Labelled is a part of a corpus for recognition: strings in one pool of symbols,
// each closed by End, a string of the language and one that is not in turn. It
// is read-only after it is drawn and safe for concurrent readers; the slices
// its methods return share its memory.
type Labelled struct {
	Part     Part
	symbols  []uint8
	offsets  []int // string i is symbols[offsets[i]:offsets[i+1]]
	kinds    []Kind
	attempts int
}

// Len is the number of strings.
func (c *Labelled) Len() int { return len(c.kinds) }

// Symbols is the number of symbols of all strings, End counted.
func (c *Labelled) Symbols() int { return len(c.symbols) }

// Attempts is the number of strings of the language that were drawn, those that
// were too short or a repetition included.
func (c *Labelled) Attempts() int { return c.attempts }

// String returns string i with End.
func (c *Labelled) String(i int) []uint8 {
	return c.symbols[c.offsets[i]:c.offsets[i+1]:c.offsets[i+1]]
}

// Body returns string i without End.
func (c *Labelled) Body(i int) []uint8 { s := c.String(i); return s[: len(s)-1 : len(s)-1] }

// Kind tells what string i is.
func (c *Labelled) Kind(i int) Kind { return c.kinds[i] }

// Valid tells whether string i is in the language.
func (c *Labelled) Valid(i int) bool { return c.kinds[i] == Positive }

// Count is the number of strings of a kind.
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
