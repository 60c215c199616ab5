package dyck

import (
	"fmt"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/numeric"
	"pushdown/harness/train"
)

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

// A shade is one symbol of a heat map.
type shade struct {
	cell int     // the one with the largest weight
	by   float64 // that weight
}

// shades gives for each symbol of the vocabulary of an attention model the cell
// that it goes to at a temperature, and by how much: the weight depends on the
// symbol alone.
func shades(p *train.Params, temperature float64) ([]shade, error) {
	all, err := scores(p)
	if err != nil {
		return nil, err
	}
	var list []shade
	for _, row := range all {
		best := first(row)
		sum := 0.0
		for _, x := range row {
			sum += float64(numeric.Exp64((x - row[best]) / temperature))
		}
		list = append(list, shade{best, 1 / sum})
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
