package train

import (
	"fmt"
	"maps"
	"slices"

	"pushdown/harness/checkpoint"
)

// An Import says how a parameter follows from the tensors of a file that another program wrote.
type Import struct {
	// Sum has the names of the tensors, of one shape, whose sum is the parameter. There are several if another program splits
	// what is one parameter here: torch.nn.LSTM has two biases. A tensor with one axis is a row.
	Sum []string
	// Transpose says that the tensors are [out, in], as in PyTorch. A parameter is [in, out].
	Transpose bool
	// Gates is the order of the gates, which lie side by side in a parameter: gate i of the parameter is gate Gates[i] of the
	// tensors. Nil means the same order.
	Gates []int
}

// Torch returns the imports of the parameters W_x, W_h and b of a cell from a layer of torch.nn.RNN or torch.nn.LSTM. The prefix is the name
// of the module with a dot, such as "lstm.". The order of the gates here is that of PyTorch in an LSTM.
func Torch(prefix string, layer int) map[string]Import {
	name := func(kind string) string { return fmt.Sprintf("%s%s_l%d", prefix, kind, layer) }
	return map[string]Import{
		"W_x": {Sum: []string{name("weight_ih")}, Transpose: true},
		"W_h": {Sum: []string{name("weight_hh")}, Transpose: true},
		"b":   {Sum: []string{name("bias_ih"), name("bias_hh")}},
	}
}

// ImportParams reads a safetensors file that another program wrote, and returns the parameters that the imports give. It
// returns an error if an import lacks a tensor, or no import has a tensor of the file, and for numbers that a float32 does not hold exactly.
// Whether the parameters are those of a model shows when they are used.
func ImportParams(name string, imports map[string]Import) (*Params, error) {
	f, err := checkpoint.Import(name)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	p := &Params{}
	for _, param := range slices.Sorted(maps.Keys(imports)) {
		shape, data, err := imports[param].take(f)
		if err != nil {
			return nil, fmt.Errorf("%s: parameter %s: %w", name, param, err)
		}
		for _, tensor := range imports[param].Sum {
			used[tensor] = true
		}
		p.Names, p.Shapes, p.Data = append(p.Names, param), append(p.Shapes, shape), append(p.Data, data)
	}
	for _, t := range f.Tensors {
		if !used[t.Name] {
			return nil, fmt.Errorf("%s: tensor %q: have one of which no parameter is made, want an import that has it", name, t.Name)
		}
	}
	return p, nil
}

// take returns the parameter that the import makes of the tensors of a file.
func (s Import) take(f *checkpoint.File) (shape []int, data []float32, err error) {
	if len(s.Sum) == 0 {
		return nil, nil, fmt.Errorf("have an import without tensors, want at least one")
	}
	for i, tensor := range s.Sum {
		at := slices.IndexFunc(f.Tensors, func(t checkpoint.Tensor) bool { return t.Name == tensor })
		if at < 0 {
			return nil, nil, fmt.Errorf("have no tensor %q, want it", tensor)
		}
		size, values, err := matrix(f.Tensors[at])
		if err == nil && i > 0 && !slices.Equal(size, shape) {
			err = fmt.Errorf("have the shape %v, want %v, that of %s", size, shape, s.Sum[0])
		}
		if err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", tensor, err)
		}
		if i == 0 {
			shape, data = size, slices.Clone(values)
			continue
		}
		for j, x := range values {
			data[j] += x
		}
	}
	if s.Transpose {
		shape, data = transposed(shape, data)
	}
	data, err = s.reordered(shape, data)
	return shape, data, err
}

// matrix returns the shape and the elements of a tensor of floats with one or two axes.
func matrix(t checkpoint.Tensor) (shape []int, data []float32, err error) {
	switch shape = t.Shape; len(shape) {
	case 1:
		shape = []int{1, shape[0]}
	case 2:
	default:
		return nil, nil, fmt.Errorf("have the shape %v, want one or two axes", t.Shape)
	}
	switch values := t.Data.(type) {
	case []float32:
		return shape, values, nil
	case []float64:
		data = make([]float32, len(values))
		for i, x := range values {
			if data[i] = float32(x); float64(data[i]) != x {
				return nil, nil, fmt.Errorf("have the F64 %v as element %d, want F32, or numbers that a float32 holds exactly", x, i)
			}
		}
		return shape, data, nil
	}
	return nil, nil, fmt.Errorf("have %T, want floats", t.Data)
}

// transposed returns the transpose of a matrix.
func transposed(shape []int, data []float32) ([]int, []float32) {
	rows, cols := shape[0], shape[1]
	t := make([]float32, len(data))
	for i, x := range data {
		t[i%cols*rows+i/cols] = x
	}
	return []int{cols, rows}, t
}

// reordered returns a matrix with its gates in the order of the parameter.
func (s Import) reordered(shape []int, data []float32) ([]float32, error) {
	if len(s.Gates) == 0 {
		return data, nil
	}
	cols, n := shape[1], len(s.Gates)
	sorted := slices.Sorted(slices.Values(s.Gates))
	for i, gate := range sorted {
		if gate != i || cols%n != 0 {
			return nil, fmt.Errorf("gates: have %v and %d columns, want each of 0 to %d once, and a multiple of %d columns", s.Gates, cols, n-1, n)
		}
	}
	width := cols / n
	to := make([]float32, len(data))
	for i := range to {
		row, col := i/cols, i%cols
		to[i] = data[row*cols+s.Gates[col/width]*width+col%width]
	}
	return to, nil
}
