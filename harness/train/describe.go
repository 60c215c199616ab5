package train

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// description is an experiment as JSON. In addition to the fields of the experiment it
// holds properties of the model and the data, so a change of the model or the data changes
// the hash even if no field changes. Tags fix the JSON keys, here and in the types that
// the experiment holds, so renaming a field does not change the hash. A new field must be
// omitted from the JSON if it is zero, so that the hashes of existing experiments stay the
// same.
type description struct {
	*Experiment
	Contract int              `json:"contract"`
	Model    modelDescription `json:"model"`
	Data     dataDescription  `json:"data"`
}

// modelDescription describes the model. Parameters and states are those of the
// training graph.
type modelDescription struct {
	Params   []paramDescription    `json:"params"`
	States   []stepgraph.StateSpec `json:"states"`
	Training string                `json:"training"` // SHA-256 of the printed graph
	Eval     string                `json:"eval"`
}

// paramDescription is a stepgraph.Spec in readable form. A list of initial values in a
// Spec is replaced by the hash of the values.
type paramDescription struct {
	Name   string `json:"name"`
	Rows   int    `json:"rows"`
	Cols   int    `json:"cols"`
	Init   string `json:"init"` // such as "uniform -0.1 0.1"
	Frozen bool   `json:"frozen,omitempty"`
}

// dataDescription holds the sizes of batches, which decide the order in which losses
// are summed.
type dataDescription struct {
	PerEpoch  int                `json:"per_epoch"` // number of updates, or of strings of a stream
	Train     Bounds             `json:"train"`
	Valid     Bounds             `json:"valid"`
	Batches   int                `json:"batches"` // number of batches of the validation set
	ExtraSets []extraDescription `json:"extra_sets,omitempty"`
}

// extraDescription holds the sizes of an extra set.
type extraDescription struct {
	Bounds  Bounds `json:"bounds"`
	Batches int    `json:"batches"`
}

// Hash returns the hash that identifies the experiment: the SHA-256 of its
// description, which includes the contract version.
func (e *Experiment) Hash() (string, error) {
	text, err := e.description()
	if err != nil {
		return "", err
	}
	return hashOf(string(text)), nil
}

func (e *Experiment) description() ([]byte, error) {
	if err := e.checkParts(); err != nil {
		return nil, err
	}
	d := description{Experiment: e, Contract: kernel.ContractVersion}
	d.Data = dataDescription{e.perEpoch(), e.bounds(), e.Valid.Bounds(), e.Valid.Len(), nil}
	for _, w := range e.ExtraSets {
		d.Data.ExtraSets = append(d.Data.ExtraSets, extraDescription{w.Set.Bounds(), w.Set.Len()})
	}
	var err error
	if d.Model, err = e.model(); err != nil {
		return nil, fmt.Errorf("train: describing %s: %w", e.Name, err)
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("train: describing %s: %w", e.Name, err)
	}
	return text, nil
}

// model builds the training and the evaluation graph and describes them.
func (e *Experiment) model() (d modelDescription, err error) {
	g, err := e.Build(stepgraph.Config{Training: true, Seed: e.Seed})
	if err != nil {
		return d, err
	}
	d.Training = hashOf(printed(g))
	for _, p := range g.Params {
		init, err := initText(p.Init)
		if err != nil {
			return d, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		d.Params = append(d.Params, paramDescription{p.Name, p.Rows, p.Cols, init, p.Frozen})
	}
	for _, s := range g.States {
		d.States = append(d.States, s.StateSpec)
	}
	if g, err = e.Build(stepgraph.Config{Seed: e.Seed}); err != nil {
		return d, err
	}
	d.Eval = hashOf(printed(g))
	return d, nil
}

// printed returns the graph as text, followed by a line for each node with a role: the
// next value of a state, an output, or the loss.
func printed(g *stepgraph.Graph) string {
	var s strings.Builder
	s.WriteString(g.Format())
	nodes := g.Nodes()
	role := func(what string, at int) { fmt.Fprintf(&s, "%s %%%d\n", what, at) }
	for _, x := range g.States {
		role("next "+x.Name, slices.Index(nodes, x.Out))
	}
	for _, name := range slices.Sorted(maps.Keys(g.Outputs)) {
		role("output "+name, slices.Index(nodes, g.Outputs[name]))
	}
	role("loss", slices.Index(nodes, g.Loss))
	return s.String()
}

// initText returns initial values as text. It prints each float64 in its shortest
// form, which reads back to the same bits.
func initText(i stepgraph.Init) (string, error) {
	switch i.Kind {
	case stepgraph.Constant:
		return fmt.Sprintf("constant %v", i.A), nil
	case stepgraph.Uniform:
		return fmt.Sprintf("uniform %v %v", i.A, i.B), nil
	case stepgraph.Normal:
		return fmt.Sprintf("normal %v %v", i.A, i.B), nil
	case stepgraph.FromValues:
		text := make([]byte, 0, 4*len(i.Values))
		for _, x := range i.Values {
			text = binary.LittleEndian.AppendUint32(text, math.Float32bits(x))
		}
		return "given " + hashOf(string(text)), nil
	}
	return "", fmt.Errorf("an unknown kind of initial values, %d", i.Kind)
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
