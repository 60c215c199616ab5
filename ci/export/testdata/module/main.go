// Command mycell trains a language model with a cell of its own on the strings of a row on brackets, which command export of
// pushdown has written to a folder. It writes what the model predicts for the validation and the test strings.
//
//	go run . folder predictions.jsonl
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/mycell/mgu"
	"pushdown/harness/batch"
	"pushdown/harness/exchange"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/train"
	"pushdown/models"
)

const hidden, embedding, seed = 12, 8, 1

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run . folder predictions.jsonl")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// dataset returns strings, each of START, brackets and END, with a prediction of each symbol after START.
func dataset(list [][]uint8) batch.Dataset[uint8] {
	return batch.Dataset[uint8]{
		Text: func(i int) []uint8 { return list[i] },
		List: batch.Whole(len(list), func(i int) []uint8 { return list[i][:len(list[i])-1] }),
		Fill: batch.PredictNext[uint8],
	}
}

// read returns the strings of a split. The token after those of the alphabet is START, the one after that END.
func read(folder, split string, alphabet []string) (list [][]uint8, err error) {
	text, err := os.ReadFile(filepath.Join(folder, split, "main.tok"))
	for line := range strings.Lines(string(text)) {
		tokens := []uint8{uint8(len(alphabet))}
		for _, token := range strings.Fields(line) {
			tokens = append(tokens, uint8(slices.Index(alphabet, token)))
		}
		list = append(list, append(tokens, uint8(len(alphabet)+1)))
	}
	return list, err
}

func run(folder, predictions string) error {
	m, err := exchange.ReadManifest(folder)
	if err != nil {
		return err
	}
	var splits [3][][]uint8
	for i, name := range []string{"train", "dev", "test"} {
		if splits[i], err = read(folder, name, m.Alphabet); err != nil {
			return err
		}
	}
	symbols := len(m.Alphabet) + 2
	model, err := models.LanguageModel(mgu.Cell{Hidden: hidden}, symbols, embedding)
	if err != nil {
		return err
	}
	source, err := dataset(splits[0]).Shuffled(10, seed) // 10 strings for each update
	if err != nil {
		return err
	}
	device, err := cpu.New(cpu.Options{ISA: cpu.Best()})
	if err != nil {
		return err
	}
	defer device.Close()
	result, err := train.Run(&train.Experiment{
		Name: "my cell", Build: model.Build, Seed: seed, Train: source, Valid: dataset(splits[1]).Set(100),
		Rule: optim.Rule{Method: optim.Adam, LR: 0.01}, CheckEvery: 50, MaxUpdates: 200, Best: true,
	}, train.Options{Device: device})
	if err != nil {
		return err
	}
	file, err := os.Create(predictions)
	if err != nil {
		return err
	}
	defer file.Close()
	to := json.NewEncoder(file)
	if err := to.Encode(map[string]string{"data": m.Data}); err != nil {
		return err
	}
	for split, list := range map[string][][]uint8{"dev": splits[1], "test": splits[2]} {
		_, err := train.Evaluate(model.Build, device, dataset(list).Set(1), seed, result.Params, func(o *train.BatchOutput) error {
			prob, err := o.Output(models.OutputProb, symbols)
			if err != nil {
				return err
			}
			closers := []float32{}
			for t, token := range list[o.Index][1:] {
				if int(token) < len(m.Alphabet) && slices.Contains(m.Closing, m.Alphabet[token]) {
					row, sum := prob[t*symbols:(t+1)*symbols], float32(0)
					for _, name := range m.Closing {
						sum += row[slices.Index(m.Alphabet, name)]
					}
					closers = append(closers, min(1, row[token]/sum)) // the sum of 32-bit numbers may be less by a bit
				}
			}
			return to.Encode(map[string]any{"split": split, "string": o.Index, "closers": closers, "nats": o.Loss})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
