package formal

// Split names a part of a corpus. Each part has its own random stream.
type Split string

// The parts of a corpus.
const (
	Train Split = "train"
	Dev   Split = "dev"
	Test  Split = "test"
)

// Corpus is a list of strings, whose tokens lie one after the other in one slice. Each
// string begins with START and ends with END. A Corpus does not change after it is
// drawn, so it is safe for concurrent use. The slices that its methods return share its
// memory and must not be changed.
type Corpus struct {
	tokens   []uint8
	offsets  []int // string i is tokens[offsets[i]:offsets[i+1]]
	attempts int
}

// Len returns the number of strings.
func (c *Corpus) Len() int { return len(c.offsets) - 1 }

// Tokens returns the number of tokens to predict: brackets and END, without START.
func (c *Corpus) Tokens() int { return len(c.tokens) - c.Len() }

// Attempts returns the number of strings drawn, including discarded ones.
func (c *Corpus) Attempts() int { return c.attempts }

// String returns string i from START to END.
func (c *Corpus) String(i int) []uint8 {
	return c.tokens[c.offsets[i]:c.offsets[i+1]:c.offsets[i+1]]
}

// Body returns string i without START and END.
func (c *Corpus) Body(i int) []uint8 { s := c.String(i); return s[1 : len(s)-1 : len(s)-1] }

// Input returns what a language model reads for string i: START and the brackets.
func (c *Corpus) Input(i int) []uint8 { s := c.String(i); return s[: len(s)-1 : len(s)-1] }

// Target returns what a language model predicts for string i: the brackets and END.
func (c *Corpus) Target(i int) []uint8 { return c.String(i)[1:] }
