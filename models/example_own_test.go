package models_test

import (
	"fmt"
	"strings"

	"pushdown/harness/batch"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/metric"
	"pushdown/harness/optim"
	"pushdown/harness/train"
	"pushdown/models"
)

// dataset returns the given strings with a prediction of the next symbol after each
// symbol. Symbol i of the alphabet is token i.
func dataset(alphabet string, list ...string) batch.Dataset[uint8] {
	text := make([][]uint8, len(list))
	for i, s := range list {
		for j := range len(s) {
			text[i] = append(text[i], uint8(strings.IndexByte(alphabet, s[j])))
		}
	}
	return batch.Dataset[uint8]{
		Text: func(i int) []uint8 { return text[i] },
		List: batch.Whole(len(text), func(i int) []uint8 { return text[i][:len(text[i])-1] }), // no symbol follows the last one
		Fill: batch.PredictNext[uint8],
	}
}

// counted returns a string of n times a, n times b and a period for each n in the given
// range, which includes both ends.
func counted(from, to int) (list []string) {
	for n := from; n <= to; n++ {
		list = append(list, strings.Repeat("a", n)+strings.Repeat("b", n)+".")
	}
	return list
}

// must panics if err is not nil.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// This example trains a Stack RNN on strings that the program supplies, and
// predicts a longer string. How many a's there are cannot be predicted, but
// everything after the first b can.
func Example_ownStrings() {
	const alphabet, seed = "ab.", 1
	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	model := must(models.StackLanguageModel(models.StackRNN{Hidden: 10, Stacks: 1, Capacity: 40, Read: 1, Noop: true}, len(alphabet)))

	// counted(1, 8) is ab., aabb., aaabbb. and so on.
	experiment := &train.Experiment{
		Name:       "my strings",
		Build:      model.Build,
		Train:      must(dataset(alphabet, counted(1, 8)...).Shuffled(1, seed)), // an update for each string, in random order
		Valid:      dataset(alphabet, counted(9, 10)...).Set(2),
		Seed:       seed,
		Rule:       optim.Rule{Method: optim.Adam, LR: 0.03, ClipNorm: 1},
		CheckEvery: 250, // updates
		MaxUpdates: 1000,
		Best:       true, // the result has the parameters with the lowest validation loss
	}
	result := must(train.Run(experiment, train.Options{Device: device}))
	for _, c := range result.Checks {
		fmt.Printf("%d updates: validation loss %.3f\n", c.Update, c.Loss)
	}

	long := counted(15, 15)
	predicted := []byte("?") // nothing predicts the first symbol
	must(train.Evaluate(model.Build, device, dataset(alphabet, long...).Set(1), seed, result.Params, func(o *train.BatchOutput) error {
		prob, err := o.Output(models.OutputProb, len(alphabet))
		for ; len(prob) > 0; prob = prob[len(alphabet):] { // a row for each symbol read
			predicted = append(predicted, alphabet[metric.Argmax(prob[:len(alphabet)])])
		}
		return err
	}))
	fmt.Println("string   ", long[0])
	fmt.Println("predicted", string(predicted))
	// Output:
	// 250 updates: validation loss 0.512
	// 500 updates: validation loss 0.230
	// 750 updates: validation loss 0.274
	// 1000 updates: validation loss 0.265
	// string    aaaaaaaaaaaaaaabbbbbbbbbbbbbbb.
	// predicted ?aaaaaaaaaaaaaaabbbbbbbbbbbbbb.
}
