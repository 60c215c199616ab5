package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
)

// TestParamsFile: what was written is read again, and nothing else is.
func TestParamsFile(t *testing.T) {
	p := &Params{Names: []string{"E", "W"}, Shapes: [][]int{{1, 2}, {2, 1}}, Data: [][]float32{{1, -0.5}, {3, 4}}}
	name := filepath.Join(t.TempDir(), "new", "row.safetensors")
	if err := p.Write(name, "row"); err != nil {
		t.Fatal(err)
	}
	have, err := ReadParams(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, have); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}

	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, whole[:len(whole)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadParams(name); err == nil {
		t.Error("a file that is cut short was read")
	}
	other := &checkpoint.File{Meta: map[string]string{"digest": p.Digest()}, Tensors: []checkpoint.Tensor{{Name: "E", Shape: []int{1, 2}, Data: []float32{1, 0.5}}}}
	if err := checkpoint.Write(name, other); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadParams(name); err == nil || !strings.Contains(err.Error(), name+": have parameters of digest") {
		t.Errorf("error %v, want one that names the file and the digests", err)
	}
	if _, err := ReadParams(name + "x"); err == nil {
		t.Error("a file that is not there was read")
	}
}
