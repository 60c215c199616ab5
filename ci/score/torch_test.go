package main

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

// TestTorchAgrees compares LSTMs of PyTorch with ours in both directions: PyTorch predicts with parameters that we keep, and we
// predict with those of PyTorch. The perplexities are the same to a relative error of 1e-6, and the other values
// are the same.
func TestTorchAgrees(t *testing.T) {
	needTorch(t)
	lstm := train.Torch("lstm.", 0)
	lstm["E"] = train.Import{Sum: []string{"embedding.weight"}}
	lstm["W_o"] = train.Import{Sum: []string{"readout.weight"}, Transpose: true}
	lstm["b_o"] = train.Import{Sum: []string{"readout.bias"}}
	recognizer := map[string]train.Import{}
	for name, tensor := range map[string]string{"U": "u", "R": "r", "b": "b", "V": "v", "b_V": "bv"} {
		recognizer[name] = train.Import{Sum: []string{tensor}}
	}
	for _, c := range []struct {
		suite, row string
		scale      suite.Scale
		imports    map[string]train.Import
		kept       bool
	}{
		{"dyck", "m4-baseline/task=reduced", suite.CI, lstm, true},
		{"recognition", "table=1/row=lstm", suite.Smoke, recognizer, false},
	} {
		of, found, err := exchange.Find(suites.All, c.suite, c.scale, c.row)
		if err != nil {
			t.Fatal(err)
		}
		row := found.(suite.Row)
		set := suitetest.Must(found.Exchange())(t)
		folder, to := writtenAt(t, c.scale, c.suite, c.row), t.TempDir()
		compare := func(want func(unit string) (float64, bool), args ...string) {
			t.Helper()
			file := filepath.Join(to, "predictions.jsonl")
			python(t, append([]string{"torch_lstm.py", folder, file}, args...)...)
			for unit, x := range suitetest.Must(scoreFile(set, suitetest.Must(set.Digest())(t), file))(t).Values {
				y, ok := want(unit)
				if !ok || x != y && (!strings.HasSuffix(unit, "-ppl") || !(math.Abs(x/y-1) < 1e-6)) {
					t.Errorf("%s: %s: PyTorch has %v, we have %v (%t)", c.row, unit, x, y, ok)
				}
			}
		}
		if c.kept {
			kept := suitetest.Must(filepath.Abs(filepath.Join("..", "..", "suites", c.suite, suite.TrainedFile(row))))(t)
			compare(suitetest.Must(of.Golden(c.scale))(t).Seeds(row.ID().Group())[0].Value, "-epochs", "0", "-from", kept)
		}
		params := filepath.Join(to, "torch.safetensors")
		ours := sync.OnceValue(func() *suite.Measured { // once PyTorch has written its parameters
			dev, x := suite.Open(t), suitetest.Must(row.Build(1))(t)
			res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t) // validations, which are measured, too
			res.Params = suitetest.Must(train.ImportParams(params, c.imports))(t)
			return suitetest.Must(row.Measure(dev, x, res))(t)
		})
		compare(func(unit string) (float64, bool) { return ours().Value(unit) }, "-epochs", "1", "-to", params)
	}
}

// TestJobsAgree compares the networks of ci/baselines/jobs.py, in PyTorch and in JAX, with ours: with parameters that
// the script draws, the loss of the development strings is the same to a relative error of 1e-5.
func TestJobsAgree(t *testing.T) {
	needTorch(t)
	dev := suite.Open(t)
	for _, c := range []struct {
		job, suite, row string
		scale           suite.Scale
		names           string
		form            string
	}{
		{"dyck", "dyck", "table=2/row=dyck-m8", suite.Smoke, "W_proj W_o b_o", "eager"},
		{"diffstk", "recognition", "table=1/row=diffstk-mrnn", suite.Smoke, "U W_mz W_zm b P A b_A V b_V", "eager"},
		{"stack", "patterns", "table=2/row=stack-rnn/task=anbn", suite.Smoke, "E P A D W_o", "eager"},
		{"score", "dyck", "m4-baseline/task=reduced", suite.CI, "E W_x W_h b W_o b_o", "packed"},
	} {
		_, found, err := exchange.Find(suites.All, c.suite, c.scale, c.row)
		if err != nil {
			t.Fatal(err)
		}
		x := suitetest.Must(found.(suite.Row).Build(1))(t)
		folder, file := writtenAt(t, c.scale, c.suite, c.row), filepath.Join(t.TempDir(), "params.safetensors")
		imports := map[string]train.Import{}
		for name := range strings.FieldsSeq(c.names) {
			imports[name] = train.Import{Sum: []string{name}}
		}
		for _, form := range []string{c.form, "jit"} {
			if form == "jit" && exec.Command("python3", "-c", "import jax").Run() != nil {
				continue // no Debian package has it
			}
			printed := python(t, filepath.Join("..", "baselines", "jobs.py"), "loss", c.job, form, folder, file)
			have, err := strconv.ParseFloat(strings.TrimSpace(printed), 64)
			if err != nil {
				t.Fatal(err)
			}
			want := suitetest.Must(train.Evaluate(x.Build, dev, x.Valid, 1, suitetest.Must(train.ImportParams(file, imports))(t), nil))(t)
			if !(math.Abs(have/want-1) < 1e-5) {
				t.Errorf("%s, %s: have a loss of %v, want %v", c.job, form, have, want)
			}
			t.Logf("%s, %s: have a loss of %v, ours is %v", c.job, form, have, want)
		}
	}
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
        json.dump({"format": 2, "files": [{"name": name + "\\0" * (name == "zero"), "sha256": ""}]}, file)
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
