package dyck

import (
	"fmt"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/attention"
	"pushdown/harness/train"
)

// apart tells whether all opening brackets of k types go to one cell and all
// closing ones to another.
func apart(cell []int, k int) bool {
	for i := range k {
		if cell[i] != cell[0] || cell[k+i] != cell[k] {
			return false
		}
	}
	return cell[0] != cell[k]
}

// differentiation says by how much the cells of an attention model differ: 1 if
// opening and closing brackets go to different cells, else 0, and the cosine of
// the smallest angle between the matrices of two cells.
func (e LanguageModel) differentiation(p *train.Params) (split, cosine float64, err error) {
	cell, err := attention.Choices(p)
	if err != nil {
		return 0, 0, err
	}
	if apart(cell, e.K) {
		split = 1
	}
	all, err := attention.Angles(p, e.Cells)
	if err != nil {
		return 0, 0, err
	}
	for _, list := range all {
		cosine = max(cosine, list[0])
	}
	return split, cosine, nil
}

// sample is the string of m = 4 whose heat map figure 6 of second-order-lstm
// shows, without START and END.
const sample = `(b (b b) b) (b (b b) b) (a (a (a a) (b (a a) b) a) a) (a (b b) (a
(b (b b) b) a) a) (a a) (a a) (b b) (a (a (b b) a) (a (a (b b) (b b) (b b)
(b b) a) (b (a a) b) (b (a a) b) a) (a (a (b b) a) (a a) a) (b b) (b (b b)
b) a) (b b) (b (a (a (a a) a) (a (a a) (b b) (a a) a) a) (a a) b) (a (a a)
a) (b b) (b b)`

// parse reads brackets as [formal.BoundedDyck.Format] writes them.
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

// sampleText is the published string with START and END, in the language of the
// experiment.
func (e LanguageModel) sampleText() (formal.BoundedDyck, []uint8, error) {
	lang, err := e.Language()
	if err != nil {
		return lang, nil, err
	}
	text, err := parse(lang, sample)
	return lang, append(append([]uint8{lang.Start()}, text...), lang.End()), err
}
