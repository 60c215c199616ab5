package models_test

import (
	"fmt"
	"strings"
	"testing"

	"pushdown/harness/batch"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/metric"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
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
	must(train.Evaluate(model.Build, device, dataset(alphabet, long...).Set(1), seed, result.Params, func(o *train.Outcome) error {
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

// This example reads the parameters of a recorded run: the Stack RNN of table 3 of
// the paper stack-rnn on a^n b^2n. It prints the actions on the stacks for each
// symbol. The network does not know where a string begins and must find out from
// the symbols, so a short string comes before the one with three a's. Reading the
// parameters into a different network is an error.
func Example_keptParameters() {
	params := must(train.ReadParams("../suites/patterns/testdata/trained/stack-rnn-table3-stack-rnn-anb2n.safetensors"))
	fmt.Println("parameters", params.Names, params.Shapes)

	const alphabet, stacks = "ab", 2
	cell := models.StackRNN{Hidden: 20, Stacks: stacks, Capacity: 100, Read: 1, Round: true, Trace: true}
	model := must(models.StackLanguageModel(cell, len(alphabet)))
	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()

	text := "abb" + "aaabbbbbb" + "a"
	must(train.Evaluate(model.Build, device, dataset(alphabet, text).Set(1), 1, params, func(o *train.Outcome) error {
		prob := must(o.Output(models.OutputProb, len(alphabet)))
		actions := must(o.Output(models.OutputActions, 2*stacks)) // PUSH and POP of each stack
		tops := must(o.Output(models.OutputTops, stacks))
		for i, next := range o.Batch.Target {
			fmt.Printf("read %c, next %c: probability %.2f", text[i], text[i+1], prob[i*len(alphabet)+int(next)])
			for j := range stacks {
				action := []string{"PUSH", "POP"}[metric.Argmax(actions[2*(i*stacks+j):][:2])]
				fmt.Printf("   %-4s top %5.2f", action, tops[i*stacks+j])
			}
			fmt.Println()
		}
		return nil
	}))
	// Output:
	// parameters [A D E P W_o] [[20 4] [20 2] [2 20] [2 20] [20 2]]
	// read a, next b: probability 0.99   PUSH top  0.83   POP  top -1.00
	// read b, next b: probability 0.00   PUSH top  1.00   POP  top -1.00
	// read b, next a: probability 1.00   PUSH top  1.00   POP  top -1.00
	// read a, next a: probability 1.00   PUSH top  1.00   PUSH top  0.00
	// read a, next a: probability 0.93   PUSH top  1.00   PUSH top  0.14
	// read a, next b: probability 0.11   PUSH top  1.00   PUSH top  0.23
	// read b, next b: probability 0.99   PUSH top  0.69   POP  top  0.14
	// read b, next b: probability 1.00   PUSH top  0.11   POP  top  0.00
	// read b, next b: probability 1.00   PUSH top  0.00   POP  top -1.00
	// read b, next b: probability 1.00   POP  top  0.11   POP  top -1.00
	// read b, next b: probability 1.00   POP  top  0.69   POP  top -1.00
	// read b, next a: probability 0.99   PUSH top  1.00   POP  top -1.00
}

// gated is a cell that the program defines, the minimal gated unit:
//
//	f_t = sigma(W_f x_t + R_f h_{t-1} + b_f)
//	h_t = (1 - f_t) h_{t-1} + f_t tanh(W x_t + R (f_t h_{t-1}) + b)
type gated struct{ hidden int }

func (c gated) String() string { return fmt.Sprintf("mgu h=%d", c.hidden) }

// Output returns the width of h_t, and Count the number of trained parameters.
func (c gated) Output() int          { return c.hidden }
func (c gated) Count(inputs int) int { return 2 * c.hidden * (inputs + c.hidden + 1) }

// State lists the values that a step passes to the next step.
func (c gated) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.hidden}}
}

// Params lists W_f, R_f and b_f of the gate, then W, R and b.
func (c gated) Params(inputs int) (list []stepgraph.Spec) {
	start := stepgraph.Init{Kind: stepgraph.Normal, B: 0.3}
	for _, of := range []string{"_f", ""} {
		list = append(list, stepgraph.Spec{Name: "W" + of, Rows: inputs, Cols: c.hidden, Init: start},
			stepgraph.Spec{Name: "R" + of, Rows: c.hidden, Cols: c.hidden, Init: start},
			stepgraph.Spec{Name: "b" + of, Rows: 1, Cols: c.hidden})
	}
	return list
}

// Step implements the equations. Values are rows: W x_t is x times W. The nodes of
// state and p are in the order of State and Params.
func (c gated) Step(b *stepgraph.Builder, x *stepgraph.Node, state, p []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	h := state[0]
	f := b.Sigmoid(b.Add(b.Affine(x, p[0], p[2]), b.MatMul(h, p[1])))
	fresh := b.Tanh(b.Add(b.Affine(x, p[3], p[5]), b.MatMul(b.Mul(f, h), p[4])))
	h = b.Add(b.Mul(b.OneMinus(f), h), b.Mul(f, fresh))
	return h, []*stepgraph.Node{h}
}

// This example trains a cell that the program defines. The cell has no code for its
// gradient, which is derived from the equations in Step.
func Example_ownCell() {
	const alphabet, seed = "ab.", 1
	model := must(models.LanguageModel(gated{hidden: 8}, len(alphabet), 4))
	graph := must(model.Build(stepgraph.Config{}))
	fmt.Println(model.Name, "trains", graph.CountParams(), "numbers, by its formula", model.Count())

	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	result := must(train.Run(&train.Experiment{
		Name: "my cell", Build: model.Build, Seed: seed,
		Train: must(dataset(alphabet, counted(1, 8)...).Shuffled(4, seed)), Valid: dataset(alphabet, counted(1, 8)...).Set(8),
		Rule: optim.Rule{Method: optim.Adam, LR: 0.03}, CheckEvery: 100, MaxUpdates: 300,
	}, train.Options{Device: device}))
	for _, c := range result.Checks {
		fmt.Printf("%d updates: loss %.3f\n", c.Update, c.Loss)
	}
	// Output:
	// language-model mgu h=8 V=3 e=4 trains 247 numbers, by its formula 247
	// 100 updates: loss 0.294
	// 200 updates: loss 0.259
	// 300 updates: loss 0.241
}

// TestOwnCellGradient compares the gradient of the cell above with central
// differences, as TestGradient does for every cell of the package.
func TestOwnCellGradient(t *testing.T) {
	model := must(models.LanguageModel(gated{hidden: 3}, 4, 2))
	checkGradient(t, must(model.Build(stepgraph.Config{})), 4, 4, 1)
}
