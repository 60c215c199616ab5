// Package attention analyzes second-order LSTMs (R. Lin, N. Bendit-Shtull, S. Spinner,
// Modeling Long-Distance Dependencies with Second-Order LSTMs), which combine several LSTM
// cells by attention weights that depend on the current symbol. It computes, for each
// symbol, the cell with the largest weight and that weight. It also computes the
// principal angles between the hidden-to-hidden matrices of two cells, or between
// two random matrices.
//
// The parameters are those of models.LanguageModel with models.AttentionLSTM: the
// embeddings E of shape V x e, V_att of shape e x cells, and W_h of shape
// h x (4 gates, cells, h). Sums are in float64, in the order of indices.
package attention

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/metric"
	"pushdown/harness/numeric"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// tensor returns a tensor of the parameters and its number of columns.
func tensor(p *train.Params, name string) ([]float32, int, error) {
	i := slices.Index(p.Names, name)
	if i < 0 {
		return nil, 0, fmt.Errorf("attention: parameters: have %v, want %s among them", p.Names, name)
	}
	return p.Data[i], p.Shapes[i][1], nil
}

// scores returns, for each symbol, the scores of the cells: the embedding of the symbol
// times V_att.
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

// first returns the index of the largest score. If several scores are largest, it
// returns the index of the first of them.
func first(row []float64) int { return slices.Index(row, slices.Max(row)) }

// Choices returns, for each symbol, the cell with the largest score.
func Choices(p *train.Params) ([]int, error) {
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

// A CellWeight holds, for one symbol, the cell with the largest attention weight and
// that weight. It is one entry of a heat map.
type CellWeight struct {
	Cell   int     // the cell with the largest weight, counted from 0
	Weight float64 // the attention weight of that cell
}

// TopCells returns, for each symbol of the vocabulary, the cell with the largest
// attention weight at a temperature, and that weight. The weights depend only on the
// symbol.
func TopCells(p *train.Params, temperature float64) ([]CellWeight, error) {
	all, err := scores(p)
	if err != nil {
		return nil, err
	}
	var list []CellWeight
	for _, row := range all {
		best := first(row)
		sum := 0.0
		for _, x := range row {
			sum += float64(numeric.Exp64((x - row[best]) / temperature))
		}
		list = append(list, CellWeight{best, 1 / sum})
	}
	return list, nil
}

// recurrent returns the columns of the hidden-to-hidden matrix of the cell with the given
// index. As in the paper, the matrix has shape 4h x h: the matrices of the four gates are
// stacked.
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

// PrincipalCosines returns, for each pair of cells, the cosines of the principal angles
// between their hidden-to-hidden matrices.
func PrincipalCosines(p *train.Params, cells int) ([][]float64, error) {
	var all [][]float64
	var bases []metric.Basis
	for i := range cells {
		columns, err := recurrent(p, i, cells)
		if err != nil {
			return nil, err
		}
		bases = append(bases, metric.NewBasis(columns))
		for _, other := range bases[:i] {
			all = append(all, metric.PrincipalCosines(other, bases[i]))
		}
	}
	return all, nil
}

// RandomCosines returns the cosines of the principal angles between two matrices of
// normal random numbers that have the shape of a cell's matrix, 4 hidden x hidden.
func RandomCosines(hidden int) []float64 {
	stream := rng.New(uint64(hidden), "angles")
	var random [2][][]float64
	for i := range random {
		for j := range hidden {
			c := make([]float64, 4*hidden)
			for k := range c {
				c[k] = float64(stream.Normal(rng.At{Unit: uint32(k), Row: uint32(j), T: uint32(i)}))
			}
			random[i] = append(random[i], c)
		}
	}
	return metric.PrincipalCosines(metric.NewBasis(random[0]), metric.NewBasis(random[1]))
}

// Degrees returns the angle with the given cosine, in degrees.
func Degrees(cosine float64) float64 { return math.Acos(cosine) * 180 / math.Pi }
