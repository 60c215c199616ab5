package mgu

import (
	"fmt"
	"testing"

	"pushdown/harness/batch"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
	"pushdown/models"
	"pushdown/models/celltest"
)

// TestCell checks the cell as package models checks its own cells.
func TestCell(t *testing.T) {
	celltest.Check(t, Cell{Hidden: 3})
}

// must panics if err is not nil.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// counted returns the strings ab., aabb. and so on, with 1 to 8 times each letter, as tokens
// 0 to 2. Each symbol after the first is predicted.
func counted() batch.Dataset[uint8] {
	var list [][]uint8
	for n := 1; n <= 8; n++ {
		s := make([]uint8, 2*n+1)
		for i := range s {
			s[i] = uint8(i / n)
		}
		list = append(list, s)
	}
	return batch.Dataset[uint8]{
		Text: func(i int) []uint8 { return list[i] },
		List: batch.Whole(len(list), func(i int) []uint8 { return list[i][:len(list[i])-1] }), // no symbol follows the last one
		Fill: batch.PredictNext[uint8],
	}
}

// This example trains a language model with the cell.
func ExampleCell() {
	const symbols, embedding, seed = 3, 4, 1
	model := must(models.LanguageModel(Cell{Hidden: 8}, symbols, embedding))
	graph := must(model.Build(stepgraph.Config{}))
	fmt.Println(model.Name, "trains", graph.CountParams(), "numbers")

	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	result := must(train.Run(&train.Experiment{
		Name: "my cell", Build: model.Build, Seed: seed,
		Train: must(counted().Shuffled(4, seed)), Valid: counted().Set(8),
		Rule: optim.Rule{Method: optim.Adam, LR: 0.03}, CheckEvery: 100, MaxUpdates: 300,
	}, train.Options{Device: device}))
	for _, c := range result.Checks {
		fmt.Printf("%d updates: loss %.3f\n", c.Update, c.Loss)
	}
	// Output:
	// language-model mgu h=8 V=3 e=4 trains 247 numbers
	// 100 updates: loss 0.294
	// 200 updates: loss 0.259
	// 300 updates: loss 0.241
}
