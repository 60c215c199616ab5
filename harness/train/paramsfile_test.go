package train

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
)

// TestParamsFile checks that ReadParams returns what Write wrote. It must refuse a
// damaged file, a file whose parameters do not match the digest, and a file without
// a digest.
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
	digest := map[string]string{"digest": p.Digest()}
	other := (&Params{Names: []string{"E"}, Shapes: [][]int{{1, 2}}, Data: [][]float32{{1, 0.5}}}).Digest()
	for _, c := range []struct {
		name, want string
		meta       map[string]string
		data       any
	}{
		{"other parameters", name + ": have parameters of digest " + other + ", want \"" + p.Digest() + "\" as its metadata says", digest, []float32{1, 0.5}},
		{"no digest", name + ": metadata digest: have none, want that of the parameters, " + other, nil, []float32{1, 0.5}},
		{"integers", name + `: tensor "E": have I32 [1 2], want F32 [1 2]`, digest, []int32{1, 2}},
	} {
		if err := checkpoint.Write(name, &checkpoint.File{Meta: c.meta, Tensors: []checkpoint.Tensor{{Name: "E", Shape: []int{1, 2}, Data: c.data}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadParams(name); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := ReadParams(name + "x"); err == nil {
		t.Error("a file that is not there was read")
	}
}
