package models_test

import (
	"fmt"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/metric"
	"pushdown/harness/train"
	"pushdown/models"
)

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
	must(train.Evaluate(model.Build, device, dataset(alphabet, text).Set(1), 1, params, func(o *train.BatchOutput) error {
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
