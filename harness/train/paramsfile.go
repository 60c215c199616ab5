package train

import (
	"fmt"
	"os"
	"path/filepath"

	"pushdown/harness/checkpoint"
)

// Write keeps p as a file in the safetensors format, whose metadata says of which
// experiment it is and what its digest is. It makes the folder.
func (p *Params) Write(name, experiment string) error {
	f := &checkpoint.File{Meta: map[string]string{"experiment": experiment, "digest": p.Digest()}}
	for i, n := range p.Names {
		f.Tensors = append(f.Tensors, checkpoint.Tensor{Name: n, Shape: p.Shapes[i], Data: p.Data[i]})
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("train: parameters: %w", err)
	}
	return checkpoint.Write(name, f)
}

// ReadParams reads what [Params.Write] wrote, and refuses numbers whose digest is
// not that of the file.
func ReadParams(name string) (*Params, error) {
	f, err := checkpoint.Read(name)
	if err != nil {
		return nil, err
	}
	p := &Params{}
	for _, x := range f.Tensors {
		data, err := checkpoint.Get[float32](f, x.Name, x.Shape...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.Names, p.Shapes, p.Data = append(p.Names, x.Name), append(p.Shapes, x.Shape), append(p.Data, data)
	}
	if have, want := p.Digest(), f.Meta["digest"]; have != want {
		return nil, fmt.Errorf("%s: have parameters of digest %s, want %q, which its metadata names", name, have, want)
	}
	return p, nil
}
