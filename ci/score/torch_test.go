package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"pushdown/harness/suite"
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
