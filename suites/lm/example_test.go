package lm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/metric"
	"pushdown/harness/optim"
	"pushdown/harness/train"
	"pushdown/models"
)

// must panics if err is not nil.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// This example trains an LSTM on a text of your own, by word: three files with a sentence in
// each line, for training, validation and test.
func Example_ownText() {
	const seed = 1
	folder := must(os.MkdirTemp("", "own"))
	defer os.RemoveAll(folder)
	var paths []string
	for _, name := range []string{"train.txt", "valid.txt", "test.txt"} {
		lines := strings.Repeat("the cat sleeps\nthe dog runs and runs\n", 50)
		paths = append(paths, filepath.Join(folder, name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(lines), 0o666); err != nil {
			panic(err)
		}
	}
	own := must(text.Files(paths[0], paths[1], paths[2]).Words())
	sentences := func(p *text.Part[int32]) batch.Dataset[int32] {
		return batch.Dataset[int32]{Text: p.String, List: batch.Whole(p.Len(), p.Input), Fill: batch.PredictNext[int32]}
	}

	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	model := must(models.LanguageModel(models.LSTM{Hidden: 16}, own.Len(), 8))
	source := must(sentences(own.Train).Shuffled(10, seed)) // ten sentences in an update
	result := must(train.Run(&train.Experiment{
		Name: "my text", Build: model.Build, Train: source, Valid: sentences(own.Valid).Set(100), Seed: seed,
		Rule: optim.Rule{Method: optim.Adam, LR: 0.01, ClipNorm: 1}, MaxUpdates: 10 * source.PerEpoch(), Best: true,
	}, train.Options{Device: device}))
	test := must(train.Evaluate(model.Build, device, sentences(own.Test).Set(100), seed, result.Params, nil))
	fmt.Printf("%d words, perplexity %.2f\n", own.Len(), metric.Perplexity(test))
	// Output:
	// 7 words, perplexity 1.16
}
