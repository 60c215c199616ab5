package dyck

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/numeric"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// tensor returns a tensor of the parameters with its number of columns.
func tensor(p *train.Params, name string) ([]float32, int, error) {
	i := slices.Index(p.Names, name)
	if i < 0 {
		return nil, 0, fmt.Errorf("dyck: the parameters are %v, need %s among them", p.Names, name)
	}
	return p.Data[i], p.Shapes[i][1], nil
}

// scores gives V_att x of an attention model for each symbol.
func scores(p *train.Params) ([][]float64, error) {
	table, e, err := tensor(p, "E")
	if err != nil {
		return nil, err
	}
	attention, cells, err := tensor(p, "V_att")
	if err != nil {
		return nil, err
	}
	var all [][]float64
	for at := 0; at < len(table); at += e {
		row := make([]float64, cells)
		for i, x := range table[at : at+e] {
			for s := range row {
				row[s] += float64(float64(x) * float64(attention[i*cells+s]))
			}
		}
		all = append(all, row)
	}
	return all, nil
}

// first is the place of the largest score, the first of equals.
func first(row []float64) int { return slices.Index(row, slices.Max(row)) }

// choices gives the cell that an attention model takes for each symbol.
func choices(p *train.Params) ([]int, error) {
	all, err := scores(p)
	if err != nil {
		return nil, err
	}
	var list []int
	for _, row := range all {
		list = append(list, first(row))
	}
	return list, nil
}

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

// recurrent is the hidden-to-hidden matrix of a cell out of several, 4h x h as
// the paper has it: the rows of the four maps under each other.
func recurrent(p *train.Params, cell, cells int) ([][]float64, error) {
	w, width, err := tensor(p, "W_h")
	if err != nil {
		return nil, err
	}
	h := width / (4 * cells)
	var list [][]float64
	for at := 0; at < len(w); at += width {
		var c []float64
		for gate := range 4 {
			for _, x := range w[at+(gate*cells+cell)*h:][:h] {
				c = append(c, float64(x))
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// angles gives the cosines of the principal angles between the hidden-to-hidden
// matrices of each two cells.
func angles(p *train.Params, cells int) ([][]float64, error) {
	var all [][]float64
	for i := range cells {
		for j := range i {
			a, err := recurrent(p, j, cells)
			if err != nil {
				return nil, err
			}
			b, err := recurrent(p, i, cells)
			if err != nil {
				return nil, err
			}
			all = append(all, metric.PrincipalCosines(a, b))
		}
	}
	return all, nil
}

// differentiation says by how much the cells of an attention model differ: 1 if
// opening and closing brackets go to different cells, else 0, and the cosine of
// the smallest angle between the matrices of two cells.
func (e LanguageModel) differentiation(p *train.Params) (split, cosine float64, err error) {
	cell, err := choices(p)
	if err != nil {
		return 0, 0, err
	}
	if apart(cell, e.K) {
		split = 1
	}
	all, err := angles(p, e.Cells)
	if err != nil {
		return 0, 0, err
	}
	for _, list := range all {
		cosine = max(cosine, list[0])
	}
	return split, cosine, nil
}

// randomCosines are those of two matrices with normal numbers in the shape of a
// cell's.
func (e LanguageModel) randomCosines() []float64 {
	stream := rng.New(uint64(e.Hidden), "angles")
	var random [2][][]float64
	for i := range random {
		for j := range e.Hidden {
			c := make([]float64, 4*e.Hidden)
			for k := range c {
				c[k] = float64(stream.Normal(rng.At{Unit: uint32(k), Row: uint32(j), T: uint32(i)}))
			}
			random[i] = append(random[i], c)
		}
	}
	return metric.PrincipalCosines(random[0], random[1])
}

// degrees is the angle of a cosine.
func degrees(cosine float64) float64 { return math.Acos(cosine) * 180 / math.Pi }

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
