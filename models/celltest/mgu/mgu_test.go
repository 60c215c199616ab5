package mgu

import (
	"testing"

	"pushdown/harness/batch"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/train"
	"pushdown/models"
	"pushdown/models/celltest"
)

// TestCell checks the cell as package models checks its own cells.
func TestCell(t *testing.T) {
	celltest.Check(t, Cell{Hidden: 3})
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

// TestCellLearns trains a language model with the cell. How many times a comes cannot be
// predicted, but the rest of a string can.
func TestCellLearns(t *testing.T) {
	const symbols, embedding, seed = 3, 4, 1
	model, err := models.LanguageModel(Cell{Hidden: 8}, symbols, embedding)
	if err != nil {
		t.Fatal(err)
	}
	source, err := counted().Shuffled(4, seed) // 4 strings for each update
	if err != nil {
		t.Fatal(err)
	}
	device, err := cpu.New(cpu.Options{ISA: cpu.Best()})
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	result, err := train.Run(&train.Experiment{
		Name: "my cell", Build: model.Build, Seed: seed, Train: source, Valid: counted().Set(8),
		Rule: optim.Rule{Method: optim.Adam, LR: 0.03}, CheckEvery: 100, MaxUpdates: 300,
	}, train.Options{Device: device})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Checks {
		t.Logf("%s: %d updates: loss %.3f", model.Name, c.Update, c.Loss)
	}
	if last := result.Checks[len(result.Checks)-1].Loss; !(last < 0.3) {
		t.Errorf("loss %.3f after training, want less than 0.3; a guess among three symbols has 1.099", last)
	}
}
