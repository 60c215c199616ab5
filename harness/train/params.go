package train

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/checkpoint"
	"pushdown/harness/metric"
	"pushdown/harness/rng"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// Params is a copy of the trained parameters. The tensors are in bytewise order of
// their names.
type Params struct {
	Names  []string
	Shapes [][]int
	Data   [][]float32
}

// Digest returns the digest of the parameters that the numeric contract defines.
func (p *Params) Digest() string { return checkpoint.Digest(p.Names, p.Shapes, p.Data) }

// Count returns the number of elements of all tensors.
func (p *Params) Count() int {
	n := 0
	for _, d := range p.Data {
		n += len(d)
	}
	return n
}

// Without returns the parameters without the tensor of the given name. The other tensors share
// the memory of p.
func (p *Params) Without(name string) *Params {
	q := &Params{}
	for i, n := range p.Names {
		if n != name {
			q.Names, q.Shapes, q.Data = append(q.Names, n), append(q.Shapes, p.Shapes[i]), append(q.Data, p.Data[i])
		}
	}
	return q
}

// finite returns an error if an element is infinite or NaN.
func (p *Params) finite() error {
	for i, x := range p.Data {
		for j, v := range x {
			if f := float64(v); math.IsInf(f, 0) || math.IsNaN(f) {
				return fmt.Errorf("parameter %s: element %d of %d is %v, %w", p.Names[i], j, len(x), v, metric.ErrNotFinite)
			}
		}
	}
	return nil
}

// newParams returns zeroed Params in the shapes of the trained parameters of vm.
func newParams(vm *scan.VM) *Params {
	p := &Params{}
	for _, r := range vm.Layout().Trainable {
		p.Names = append(p.Names, r.Name)
		p.Shapes = append(p.Shapes, []int{r.Rows, r.Cols})
		p.Data = append(p.Data, make([]float32, r.Rows*r.Cols))
	}
	return p
}

// fits returns an error if the parameters do not belong to the model of vm.
func (p *Params) fits(vm *scan.VM) error {
	want := vm.Layout().Trainable
	if len(p.Names) != len(want) {
		return fmt.Errorf("train: have %d trained tensors %v, want %d", len(p.Names), p.Names, len(want))
	}
	for i, r := range want {
		if p.Names[i] != r.Name || !slices.Equal(p.Shapes[i], []int{r.Rows, r.Cols}) {
			return fmt.Errorf("train: trained tensor %d: have %s %v, want %s [%d %d]", i, p.Names[i], p.Shapes[i], r.Name, r.Rows, r.Cols)
		}
	}
	return nil
}

// read copies to p the block of the arena that starts at the address block. The block may
// hold anything with the layout of the parameters, such as moments.
func (p *Params) read(vm *scan.VM, block int) {
	for i, r := range vm.Layout().Trainable {
		vm.Arena().Read(block+r.At, p.Data[i])
	}
}

// write copies p to a block of the arena; see read.
func (p *Params) write(vm *scan.VM, block int) {
	for i, r := range vm.Layout().Trainable {
		vm.Arena().Write(block+r.At, p.Data[i])
	}
}

// Initialise sets the initial values of every parameter of vm. Random values come from
// the stream init/<name> of the seed. The element in row r and column c is drawn at the
// coordinates Row r, Unit c (see rng.At).
func Initialise(vm *scan.VM, seed uint64) error {
	for _, q := range vm.Graph().Params {
		x := make([]float32, q.Rows*q.Cols)
		s := rng.New(seed, "init/"+q.Name)
		for i := range x {
			at := rng.At{Unit: uint32(i % q.Cols), Row: uint32(i / q.Cols)}
			switch q.Init.Kind {
			case stepgraph.Constant:
				x[i] = float32(q.Init.A)
			case stepgraph.Uniform:
				x[i] = s.Uniform(at, float32(q.Init.A), float32(q.Init.B))
			case stepgraph.Normal:
				x[i] = float32(q.Init.A) + float32(float32(q.Init.B)*s.Normal(at))
			case stepgraph.FromValues:
				x[i] = q.Init.Values[i]
			default:
				return fmt.Errorf("train: parameter %s has an unknown kind of initial values, %d", q.Name, q.Init.Kind)
			}
		}
		if err := vm.SetParam(q.Name, x); err != nil {
			return err
		}
	}
	return nil
}
