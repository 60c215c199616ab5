package dyck

import (
	"cmp"
	"math"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/train"
	"pushdown/models"
)

// failing is the distance near which second-order-lstm finds the accuracy of its
// baseline for m = 8 to be zero, and nearby how far from it still is near: claim
// S05. The paper says no more than "near"; a tenth is our reading.
const failing, nearby = 300, 30

// fromFailing is how far from there the nearest of the distances lies whose
// accuracy is the lowest of all. Several may be: zero of one case is as low as zero
// of ten.
func fromFailing(counts []metric.Count) int {
	byShare := func(a, b metric.Count) int { // a/b against c/d as a d against c b
		return cmp.Compare(a.Correct*b.Cases, b.Correct*a.Cases)
	}
	lowest := slices.MinFunc(counts, byShare)
	nearest := math.MaxInt
	for _, c := range counts {
		if byShare(c, lowest) == 0 {
			nearest = min(nearest, max(c.Distance-failing, failing-c.Distance))
		}
	}
	return nearest
}

// bySymbol tells whether the cell of an attention model that chooses sharply depends
// on the symbol read alone, as claim S11 has it. Then the assignment model that gives
// each symbol the cell of its largest score, with the same weights, says of every
// test string what it says, to the bit.
func (e LanguageModel) bySymbol(dev kernel.Device, p *train.Params, seed uint64, sharp *Scores) (bool, error) {
	of, err := choices(p)
	if err != nil {
		return false, err
	}
	model, err := models.LanguageModel(models.AssignmentLSTM{Hidden: e.Hidden, Cells: e.Cells, Of: of}, len(of), e.Embedding)
	if err != nil {
		return false, err
	}
	given := &train.Params{}
	for i, name := range p.Names {
		if name != "V_att" {
			given.Names, given.Shapes, given.Data = append(given.Names, name), append(given.Shapes, p.Shapes[i]), append(given.Data, p.Data[i])
		}
	}
	r, err := e.readBy(dev, model, given, seed, formal.Test, func(*train.Evaluator) error { return nil })
	if err != nil {
		return false, err
	}
	return r.Loss == sharp.Loss && slices.Equal(r.Paper.Counts(), sharp.Paper.Counts()) && slices.Equal(r.Code.Counts(), sharp.Code.Counts()), nil
}
