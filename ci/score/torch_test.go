package main

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/suites"
)

// needTorch skips the test unless python3 has PyTorch.
func needTorch(t *testing.T) {
	t.Helper()
	if err := exec.Command("python3", "-c", "import torch").Run(); err != nil {
		suite.Skip(t, "torch", fmt.Sprintf("no python3 with PyTorch (%v)", err), "install them, on Debian the package python3-torch")
	}
}

// TestTorchTrains trains both LSTMs of torch_lstm.py for an epoch on few strings. Their predictions can
// be scored.
func TestTorchTrains(t *testing.T) {
	needTorch(t)
	for _, c := range []struct{ suite, row string }{{"dyck", "m4-baseline"}, {"recognition", "table=1/row=lstm"}} {
		folder := written(t, c.suite, c.row)
		file := filepath.Join(t.TempDir(), "predictions.jsonl")
		python(t, "torch_lstm.py", folder, file, "-epochs", "1")
		if status, stdout, stderr := scoreOf(folder, file); status != 0 {
			t.Errorf("%s: status %d: %s%s", c.row, status, stdout, stderr)
		}
	}
}

// TestTorchAgrees compares torch.nn.LSTM with our LSTM in both directions: PyTorch predicts with parameters that we keep, and we
// predict with those of PyTorch. The perplexities are the same to a relative error of 1e-6, and the other values
// are the same.
func TestTorchAgrees(t *testing.T) {
	needTorch(t)
	const name, unit = "m4-baseline/task=reduced", "test-ppl"
	of, row, err := exchange.Find(suites.All, "dyck", suite.CI, name)
	if err != nil {
		t.Fatal(err)
	}
	set := suitetest.Must(row.Exchange())(t)
	folder, to := writtenAt(t, suite.CI, "dyck", name), t.TempDir()
	predict := func(args ...string) map[string]float64 {
		t.Helper()
		file := filepath.Join(to, "predictions.jsonl")
		python(t, append([]string{"torch_lstm.py", folder, file}, args...)...)
		return suitetest.Must(scoreFile(set, suitetest.Must(set.Digest())(t), file))(t).Values
	}
	compare := func(have map[string]float64, want func(unit string) (float64, bool)) {
		t.Helper()
		for u, x := range have {
			y, ok := want(u)
			if !ok || x != y && (u != unit || !(math.Abs(x/y-1) < 1e-6)) {
				t.Errorf("%s: PyTorch has %v, we have %v (%t)", u, x, y, ok)
			}
		}
	}
	trained := suite.Row(row.(suite.Row))
	kept := suitetest.Must(filepath.Abs(filepath.Join("..", "..", "suites", "dyck", suite.TrainedFile(trained))))(t)
	golden := suitetest.Must(of.Golden(suite.CI))(t).Seeds(row.ID().Group())[0]
	compare(predict("-epochs", "0", "-from", kept), golden.Value)

	params := filepath.Join(to, "torch.safetensors")
	have := predict("-epochs", "1", "-to", params)
	imports := train.Torch("lstm.", 0)
	imports["E"] = train.Import{Sum: []string{"embedding.weight"}}
	imports["W_o"] = train.Import{Sum: []string{"readout.weight"}, Transpose: true}
	imports["b_o"] = train.Import{Sum: []string{"readout.bias"}}
	x := suitetest.Must(trained.Build(1))(t)
	measured := suitetest.Must(trained.Measure(suite.Open(t), x, &train.Result{Params: suitetest.Must(train.ImportParams(params, imports))(t)}))(t)
	compare(have, measured.Value)
}

// parametersRead reads parameters and writes them again.
const parametersRead = `
import sys
if sys.argv[1] == "lists":
    sys.modules["numpy"] = None
import pushdown
pushdown.write_parameters(sys.argv[3], pushdown.read_parameters(sys.argv[2])[1])
`

// TestPythonKeepsParameters reads kept parameters in Python, with and without NumPy, and writes them again. They are the same.
func TestPythonKeepsParameters(t *testing.T) {
	kept := suitetest.Must(filepath.Abs(filepath.Join("..", "..", "suites", "dyck", "testdata", "trained", "resurgence-table2-dyck-m4.safetensors")))(t)
	want := suitetest.Must(train.ReadParams(kept))(t)
	file := filepath.Join(t.TempDir(), "again.safetensors")
	for _, kind := range []string{"lists", "arrays"} {
		python(t, "-c", parametersRead, kind, kept, file)
		imports := map[string]train.Import{}
		for _, name := range want.Names {
			imports[name] = train.Import{Sum: []string{name}}
		}
		have := suitetest.Must(train.ImportParams(file, imports))(t)
		suitetest.Equal(t, want, have, "%s: parameters read and written in Python", kind)
	}
}

// manifestsRefused opens data sets whose manifests name files elsewhere.
const manifestsRefused = `
import json, os, sys, pushdown
for name in sys.argv[2:]:
    with open(os.path.join(sys.argv[1], "manifest.json"), "w") as file:
        json.dump({"files": [{"name": name + "\\0" * (name == "zero"), "sha256": ""}]}, file)
    try:
        pushdown.Data(sys.argv[1])
        print("opened", name)
    except ValueError as error:
        if "want one in the folder" not in str(error):
            print(name, error)
`

func TestPythonStaysInTheFolder(t *testing.T) {
	if have := python(t, "-c", manifestsRefused, t.TempDir(), "../a", "test/../../a", "/etc/passwd", "test//a", "a/.", `..\a`, "C:a", "zero", ""); have != "" {
		t.Error(have)
	}
}
