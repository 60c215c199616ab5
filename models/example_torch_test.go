package models_test

import (
	"fmt"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/train"
	"pushdown/models"
)

// This example reads the weights of an LSTM in PyTorch, and gets PyTorch's loss. PyTorch wrote the file and printed 1.503735 with
//
//	torch.manual_seed(1)
//	embedding, lstm, readout = nn.Embedding(5, 3), nn.LSTM(3, 4), nn.Linear(4, 5)
//	text = torch.tensor([3, 0, 1, 1, 2, 0, 4])
//	logits = readout(lstm(embedding(text[:-1]))[0])
//	print("%.6f" % nn.functional.cross_entropy(logits, text[1:]).item())
//	pushdown.write_parameters("torch-lstm.safetensors",
//	    nn.ModuleDict({"embedding": embedding, "lstm": lstm, "readout": readout}).state_dict())
//
// with ci/exchange/pushdown.py. The library safetensors writes such files, too.
func Example_parametersOfPyTorch() {
	imports := train.Torch("lstm.", 0) // transposed matrices; the sum of two biases; gates in the same order as here
	imports["E"] = train.Import{Sum: []string{"embedding.weight"}}
	imports["W_o"] = train.Import{Sum: []string{"readout.weight"}, Transpose: true}
	imports["b_o"] = train.Import{Sum: []string{"readout.bias"}}
	params := must(train.ImportParams("testdata/torch-lstm.safetensors", imports))

	model := must(models.LanguageModel(models.LSTM{Hidden: 4}, 5, 3))
	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	text := dataset("01234", "3011204")
	loss := must(train.Evaluate(model.Build, device, text.Set(1), 1, params, nil))
	fmt.Printf("%.6f\n", loss)
	// Output:
	// 1.503735
}
