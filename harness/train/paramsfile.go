package train

import (
	"fmt"
	"path/filepath"
	"strings"

	"pushdown/harness/checkpoint"
	"pushdown/harness/disk"
)

// Write writes p to a safetensors file whose metadata names the experiment and
// the digest of p. It creates the folder if needed.
func (p *Params) Write(name, experiment string) error { return p.WriteFS(disk.FS{}, name, experiment) }

// WriteFS writes p as Write does, but on fsys.
func (p *Params) WriteFS(fsys disk.FS, name, experiment string) error {
	f := &checkpoint.File{Tensors: p.Tensors(""), Meta: map[string]string{"experiment": experiment, "digest": p.Digest()}}
	if err := fsys.MkdirAll(filepath.Dir(name)); err != nil {
		return fmt.Errorf("train: parameters: %w", err)
	}
	return checkpoint.WriteFS(fsys, name, f)
}

// ReadParams reads a file that [Params.Write] wrote. It returns an error if the
// digest of the parameters is not the digest in the metadata.
func ReadParams(name string) (*Params, error) {
	f, err := checkpoint.Read(name)
	if err != nil {
		return nil, err
	}
	p, err := ParamsOf(f, "")
	if err != nil {
		return nil, err
	}
	switch have, want := p.Digest(), f.Meta["digest"]; {
	case want == "":
		return nil, fmt.Errorf("%s: metadata digest: have none, want that of the parameters, %s", name, have)
	case have != want:
		return nil, fmt.Errorf("%s: have parameters of digest %s, want %q as its metadata says", name, have, want)
	}
	return p, nil
}

// Tensors returns the tensors of p, with a prefix before each name.
func (p *Params) Tensors(prefix string) (list []checkpoint.Tensor) {
	for i, name := range p.Names {
		list = append(list, checkpoint.Tensor{Name: prefix + name, Shape: p.Shapes[i], Data: p.Data[i]})
	}
	return list
}

// ParamsOf returns the parameters of a file that has no other tensors. The prefix is cut off from their names.
func ParamsOf(f *checkpoint.File, prefix string) (*Params, error) {
	p := &Params{}
	for _, x := range f.Tensors {
		data, err := checkpoint.Get[float32](f, x.Name, x.Shape...)
		if err != nil {
			return nil, err
		}
		p.Names, p.Shapes, p.Data = append(p.Names, strings.TrimPrefix(x.Name, prefix)), append(p.Shapes, x.Shape), append(p.Data, data)
	}
	return p, nil
}
