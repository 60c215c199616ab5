package train

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
)

// TestImportParams makes parameters of tensors in the layout of torch.nn.LSTM with one unit and two inputs, and of gates in another order.
func TestImportParams(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.safetensors")
	write := func(list ...checkpoint.Tensor) {
		t.Helper()
		if err := checkpoint.Write(name, &checkpoint.File{Tensors: list}); err != nil {
			t.Fatal(err)
		}
	}
	lstm := []checkpoint.Tensor{
		{Name: "lstm.weight_ih_l0", Shape: []int{4, 2}, Data: []float32{1, 2, 3, 4, 5, 6, 7, 8}},
		{Name: "lstm.weight_hh_l0", Shape: []int{4, 1}, Data: []float64{1, -0.5, 3, 0x1p-140}},
		{Name: "lstm.bias_ih_l0", Shape: []int{4}, Data: []float32{1, 2, 3, 4}},
		{Name: "lstm.bias_hh_l0", Shape: []int{4}, Data: []float32{10, 20, 30, 40}},
	}
	write(lstm...)
	have, err := ImportParams(name, Torch("lstm.", 0))
	if err != nil {
		t.Fatal(err)
	}
	want := &Params{Names: []string{"W_h", "W_x", "b"}, Shapes: [][]int{{1, 4}, {2, 4}, {1, 4}},
		Data: [][]float32{{1, -0.5, 3, 0x1p-140}, {1, 3, 5, 7, 2, 4, 6, 8}, {11, 22, 33, 44}}}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	write(lstm[0], lstm[2])
	gates := map[string]Import{
		"W_x": {Sum: []string{lstm[0].Name}, Transpose: true, Gates: []int{1, 0, 2, 3}},
		"b":   {Sum: []string{lstm[2].Name}, Gates: []int{1, 0}}, // two gates of two units
	}
	if have, err = ImportParams(name, gates); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{3, 1, 5, 7, 4, 2, 6, 8}, {3, 4, 1, 2}}, have.Data); diff != "" {
		t.Errorf("gates in another order (-want +have):\n%s", diff)
	}

	one := func(s Import) map[string]Import {
		s.Sum = append([]string{"w"}, s.Sum...)
		return map[string]Import{"W": s}
	}
	w := checkpoint.Tensor{Name: "w", Shape: []int{2, 3}, Data: make([]float32, 6)}
	for _, c := range []struct {
		tensor  checkpoint.Tensor
		imports map[string]Import
		want    string
	}{
		{w, map[string]Import{"W": {}}, "parameter W: have an import without tensors"},
		{w, map[string]Import{"W": {Sum: []string{"v"}}}, `parameter W: have no tensor "v", want it`},
		{w, nil, `tensor "w": have one of which no parameter is made`},
		{w, one(Import{Sum: []string{"x"}}), `parameter W: tensor "x": have the shape [1 3], want [2 3], that of w`},
		{w, one(Import{Gates: []int{0, 0, 1}}), "parameter W: gates: have [0 0 1] and 3 columns, want each of 0 to 2 once"},
		{w, one(Import{Gates: []int{1, 0}}), "parameter W: gates: have [1 0] and 3 columns, want each of 0 to 1 once, and a multiple of 2 columns"},
		{checkpoint.Tensor{Name: "w", Shape: []int{1, 1, 1}, Data: []float32{0}}, one(Import{}), `parameter W: tensor "w": have the shape [1 1 1], want one or two axes`},
		{checkpoint.Tensor{Name: "w", Shape: []int{1}, Data: []int32{0}}, one(Import{}), `parameter W: tensor "w": have []int32, want floats`},
		{checkpoint.Tensor{Name: "w", Shape: []int{2}, Data: []float64{0, 0.1}}, one(Import{}), `parameter W: tensor "w": have the F64 0.1 as element 1, want F32`},
		{checkpoint.Tensor{Name: "w", Shape: []int{1}, Data: []float64{math.MaxFloat64}}, one(Import{}), `parameter W: tensor "w": have the F64 1.79`},
	} {
		write(c.tensor, checkpoint.Tensor{Name: "x", Shape: []int{3}, Data: make([]float32, 3)})
		if c.imports != nil && len(c.imports["W"].Sum) == 1 {
			write(c.tensor)
		}
		if _, err := ImportParams(name, c.imports); err == nil || !strings.HasPrefix(err.Error(), name+": "+c.want) {
			t.Errorf("have %v, want %s", err, c.want)
		}
	}
}
