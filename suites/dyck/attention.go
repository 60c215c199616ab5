package dyck

import (
	"fmt"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/attention"
	"pushdown/harness/train"
)

// apart reports whether one cell reads the opening brackets of all k types and another cell
// reads all closing brackets. The parameter cell lists the number of the cell that reads
// each symbol.
func apart(cell []int, k int) bool {
	for i := range k {
		if cell[i] != cell[0] || cell[k+i] != cell[k] {
			return false
		}
	}
	return cell[0] != cell[k]
}

// differentiation returns two measures of how much the cells of an attention model differ.
// The first, split, is 1 if one cell reads all opening brackets and another cell all closing
// brackets, and 0 otherwise. The second is the cosine of the smallest principal angle between
// the hidden-to-hidden matrices of any two cells.
func (e LanguageModel) differentiation(p *train.Params) (split, cosine float64, err error) {
	cell, err := attention.Choices(p)
	if err != nil {
		return 0, 0, err
	}
	if apart(cell, e.K) {
		split = 1
	}
	all, err := attention.PrincipalCosines(p, e.Cells)
	if err != nil {
		return 0, 0, err
	}
	for _, list := range all {
		cosine = max(cosine, list[0])
	}
	return split, cosine, nil
}

// sample is the string for m = 4 in the heat map of figure 6 of the paper
// second-order-lstm, without START and END.
const sample = `(b (b b) b) (b (b b) b) (a (a (a a) (b (a a) b) a) a) (a (b b) (a
(b (b b) b) a) a) (a a) (a a) (b b) (a (a (b b) a) (a (a (b b) (b b) (b b)
(b b) a) (b (a a) b) (b (a a) b) a) (a (a (b b) a) (a a) a) (b b) (b (b b)
b) a) (b b) (b (a (a (a a) a) (a (a a) (b b) (a a) a) a) (a a) b) (a (a a)
a) (b b) (b b)`

// parse parses brackets in the format of [formal.BoundedDyck.Format].
func parse(lang formal.BoundedDyck, text string) ([]uint8, error) {
	var list []uint8
	for i, word := range strings.Fields(text) {
		token := uint8(0)
		for int(token) < 2*lang.K && lang.Token(token) != word {
			token++
		}
		if int(token) == 2*lang.K {
			return nil, fmt.Errorf("dyck: word %d is %q, want a bracket of %v", i+1, word, lang)
		}
		list = append(list, token)
	}
	return list, nil
}

// sampleText returns the language of the experiment, and the tokens of the constant sample
// between START and END.
func (e LanguageModel) sampleText() (formal.BoundedDyck, []uint8, error) {
	lang, err := e.Language()
	if err != nil {
		return lang, nil, err
	}
	text, err := parse(lang, sample)
	return lang, append(append([]uint8{lang.Start()}, text...), lang.End()), err
}
