package train

import (
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// Batch holds the inputs of one update, or of one forward pass of an evaluation, as
// packed rows (see package kernel). Its slices are reused for the next batch.
type Batch struct {
	Active      []int   // number of active strings at each step; never increases
	Token       []int32 // input symbol of each packed row
	ExampleRows []int32 `json:"Pick"` // packed row of each example
	Target      []int32 // class of each example
	Coord       []int32 // string, time and update of each packed row; needed only if the graph draws random numbers
	Continue    bool    // the strings continue those of the previous batch

	// One value per example, needed only if the graph reads them.
	Weight, Label []float32
	LabelWeight   []float32 `json:"Judged"`
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	*b = Batch{Active: b.Active[:0], Token: b.Token[:0], ExampleRows: b.ExampleRows[:0], Target: b.Target[:0], Coord: b.Coord[:0],
		Weight: b.Weight[:0], Label: b.Label[:0], LabelWeight: b.LabelWeight[:0]}
}

// Bounds holds the maximum sizes of the batches of a source or set.
type Bounds struct {
	Strings  int `json:"strings"`
	Rows     int `json:"rows"`
	Steps    int `json:"steps"`
	Examples int `json:"examples"`
}

// Source provides the batches of training.
type Source interface {
	Bounds() Bounds
	// Fill sets b to the batch of the given update, counted from 0. The batch must depend
	// only on this number and, if [Experiment.OnValidation] is used, on the validations
	// before the update.
	Fill(update int, b *Batch)
	// PerEpoch is the number of updates in an epoch.
	PerEpoch() int
}

// Set provides the batches of an evaluation. Every evaluation has the same batches in the
// same order.
type Set interface {
	Bounds() Bounds
	Len() int
	Fill(i int, b *Batch)
}

// Load starts the batch on vm and sets the inputs that the graph has.
func (b *Batch) Load(vm *scan.VM) error {
	begin := vm.Begin
	if b.Continue {
		begin = vm.Continue
	}
	if err := begin(b.Active, len(b.Target)); err != nil {
		return err
	}
	for _, in := range []struct {
		name string
		x    []int32
	}{
		{stepgraph.InputToken, b.Token}, {stepgraph.InputExampleRows, b.ExampleRows},
		{stepgraph.InputTarget, b.Target}, {stepgraph.InputCoord, b.Coord},
	} {
		if vm.Graph().Input(in.name) == nil {
			continue
		}
		if err := vm.SetInts(in.name, in.x); err != nil {
			return err
		}
	}
	for _, in := range []struct {
		name string
		x    []float32
	}{{stepgraph.InputWeight, b.Weight}, {stepgraph.InputLabel, b.Label}, {stepgraph.InputLabelWeight, b.LabelWeight}} {
		if vm.Graph().Input(in.name) == nil {
			continue
		}
		if err := vm.SetFloats(in.name, in.x); err != nil {
			return err
		}
	}
	return nil
}
