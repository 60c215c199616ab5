package wordlm

import (
	"math"

	"pushdown/corpora/text"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
	"pushdown/suites/lm"
)

// A bag predicts the top of a stack from the words that were read. Each word adds its effect
// to the prediction, and before each word the prediction is multiplied by decay. So the
// prediction is an exponentially decaying bag of words.
type bag struct {
	decay  float64
	effect []float64 // of each word
	start  float64   // prediction before the first word
}

// decays are the decays that fitBag tries.
var decays = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98}

// fitBag returns a bag with that of the decays with which it correlates most with the tops
// of a stack. tops has the top after each of the words. The effect of a word is the mean
// change of the decayed top when the word is read. For rare words it is drawn towards the
// mean over all words, as if each word had been read once more with that mean.
func fitBag(words []int32, tops []float64, vocabulary int) (best bag) {
	var highest float64
	for i, decay := range decays {
		sum, count := make([]float64, vocabulary), make([]float64, vocabulary)
		total := 0.0
		for t := 1; t < len(words); t++ {
			change := tops[t] - float64(decay*tops[t-1])
			sum[words[t]] += change
			count[words[t]]++
			total += change
		}
		mean := total / float64(len(words)-1)
		b := bag{decay, sum, mean / (1 - decay)}
		for w := range sum {
			b.effect[w] = (sum[w] + mean) / (count[w] + 1)
		}
		if r := b.correlation(words, tops); i == 0 || r > highest {
			best, highest = b, r
		}
	}
	return best
}

// correlation returns Pearson's correlation of the tops of a stack with the predictions of
// b. It returns 0 if either never varies.
func (b bag) correlation(words []int32, tops []float64) float64 {
	x := make([]float64, len(words))
	last := b.start
	for t, w := range words {
		last = float64(b.decay*last) + b.effect[w]
		x[t] = last
	}
	mx, my := mean(x), mean(tops)
	var xx, yy, xy float64
	for t := range x {
		dx, dy := x[t]-mx, tops[t]-my
		xx += float64(dx * dx)
		yy += float64(dy * dy)
		xy += float64(dx * dy)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / (math.Sqrt(xx) * math.Sqrt(yy))
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// bags returns how much the stacks of a Stack RNN are like decaying bags of words. It fits a
// bag to each stack on the validation text. The results are the median over the stacks of
// the correlations on the test text, and the median of the decays.
func (e Stream) bags(dev kernel.Device, t *text.Text[int32], seed uint64, p *train.Params) (correlation, decay float64, err error) {
	valid, validTops, err := e.tops(dev, t.Len(), t.Valid, seed, p)
	if err != nil {
		return 0, 0, err
	}
	test, testTops, err := e.tops(dev, t.Len(), t.Test, seed, p)
	if err != nil {
		return 0, 0, err
	}
	var correlations, decays []float64
	for i := range e.Memory {
		b := fitBag(valid, validTops[i], t.Len())
		correlations, decays = append(correlations, b.correlation(test, testTops[i])), append(decays, b.decay)
	}
	return verdict.Median(correlations), verdict.Median(decays), nil
}

// tops returns the words that a Stack RNN reads of a part, and for each stack its top after
// each of them.
func (e Stream) tops(dev kernel.Device, vocabulary int, part *text.Part[int32], seed uint64, p *train.Params) (words []int32, tops [][]float64, err error) {
	c := e.stackRNN()
	c.Trace = true
	m, err := models.StackLanguageModel(c, vocabulary)
	if err != nil {
		return nil, nil, err
	}
	tops = make([][]float64, e.Memory)
	_, err = train.Evaluate(m.Build, dev, lm.Columns(part, e.Limit, 1, evalSteps).Set(1), seed, p, func(o *train.BatchOutput) error {
		now, err := o.Output(models.OutputTops, e.Memory)
		for i, x := range now {
			tops[i%e.Memory] = append(tops[i%e.Memory], float64(x))
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return part.Stream()[:len(tops[0])], tops, nil
}
