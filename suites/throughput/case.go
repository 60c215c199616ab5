package throughput

import (
	"fmt"
	"slices"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// Case is a language model whose training is measured.
type Case struct {
	Name       string  // a letter, and the batch size if several cases have the same letter
	What       string  // description for people
	Cell       string  // lstm, mmrnn, mmlstm, stack, stack-noop, diffstk-mrnn
	Layers     int     // 0: one
	Hidden     int     // h, of each layer
	Embedding  int     // e; 0: the width that the cell reads, which is h, or 2h for diffstk-mrnn
	Vocabulary int     // V
	Batch      int     // B, strings in an update
	Steps      int     // T, symbols in a string; every one is predicted
	Dropout    float64 // rate on the embedding and, separately, on the output of the cell
	Carry      bool    // the strings of an update continue those of the update before
	Stacks     int     // s; 0: the cell has no stacks
	Depth      int     // cells of a stack
}

// Cases lists the language models on characters, on words, on WikiText-2 and on
// brackets, and the Stack RNN on counting, at the sizes of the papers. Cases k and l have
// two layers.
//
// Cases i and j read a stream of words, as the networks with stacks of the suite wordlm do:
// an update takes the next five words of each of 32 columns, and the states carry over from
// update to update. In two ways they are simpler than in wordlm. A gradient goes back
// through the five words of its update, not through 50 words. And all cases are trained
// with Adam and without bounds on gradients or arguments.
func Cases() []Case {
	return []Case{
		{Name: "a", What: "LSTM on characters", Cell: "lstm", Hidden: 991, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
		{Name: "b", What: "LSTM on words", Cell: "lstm", Hidden: 125, Embedding: 64, Vocabulary: 10_000, Batch: 128, Steps: 35},
		{Name: "c", What: "LSTM on WikiText-2", Cell: "lstm", Hidden: 600, Embedding: 300, Vocabulary: 33_278, Batch: 64, Steps: 70, Dropout: 0.5, Carry: true},
		{Name: "d", What: "LSTM on brackets", Cell: "lstm", Hidden: 12, Embedding: 30, Vocabulary: 6, Batch: 10, Steps: 84},
		{Name: "e", What: "mmRNN on characters", Cell: "mmrnn", Hidden: 1038, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
		{Name: "f/batch=1", What: "Stack RNN on counting", Cell: "stack", Hidden: 40, Vocabulary: 2, Batch: 1, Steps: 50, Stacks: 10, Depth: 50},
		{Name: "f/batch=32", What: "Stack RNN on counting", Cell: "stack", Hidden: 40, Vocabulary: 2, Batch: 32, Steps: 50, Stacks: 10, Depth: 50},
		{Name: "g", What: "mmLSTM on characters", Cell: "mmlstm", Hidden: 512, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
		{Name: "h", What: "mmLSTM on words", Cell: "mmlstm", Hidden: 112, Embedding: 64, Vocabulary: 10_000, Batch: 128, Steps: 35},
		{Name: "i", What: "Stack RNN on words", Cell: "stack-noop", Hidden: 100, Vocabulary: 10_000, Batch: 32, Steps: 5, Carry: true, Stacks: 60, Depth: 50},
		{Name: "j", What: "DiffStk-MRNN on words", Cell: "diffstk-mrnn", Hidden: 100, Vocabulary: 10_000, Batch: 32, Steps: 5, Carry: true, Stacks: 60, Depth: 50},
		{Name: "k", What: "LSTM of two layers on characters", Cell: "lstm", Layers: 2, Hidden: 589, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
		{Name: "l", What: "mmLSTM of two layers on characters", Cell: "mmlstm", Layers: 2, Hidden: 345, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
	}
}

// Growth lists language models that show how the cost grows with a size: each differs in at most one size from an LSTM on
// characters, or from a Stack RNN with the actions and the recurrence of case i. The name has the network and that size
// with its letter in String, such as lstm/h=64. The networks themselves are in the list once for each size that varies.
func Growth() (list []Case) {
	lstm := Case{What: "LSTM", Cell: "lstm", Hidden: 256, Embedding: 128, Vocabulary: 64, Batch: 64, Steps: 32}
	stack := Case{What: "Stack RNN", Cell: "stack-noop", Hidden: 100, Vocabulary: 64, Batch: 32, Steps: 32, Stacks: 16, Depth: 50}
	add := func(c Case, letter string, size func(c *Case) *int, values ...int) {
		for _, v := range values {
			c.Name = fmt.Sprintf("%s/%s=%d", c.Cell, letter, v)
			*size(&c) = v
			list = append(list, c)
		}
	}
	add(lstm, "h", func(c *Case) *int { return &c.Hidden }, 16, 32, 64, 128, 256, 512, 1024)
	add(lstm, "B", func(c *Case) *int { return &c.Batch }, 1, 4, 16, 64, 256)
	add(lstm, "T", func(c *Case) *int { return &c.Steps }, 8, 32, 128, 512)
	add(lstm, "V", func(c *Case) *int { return &c.Vocabulary }, 64, 512, 4096, 32_768)
	add(stack, "stacks", func(c *Case) *int { return &c.Stacks }, 1, 4, 16, 64)
	return list
}

// Tokens returns the number of symbols in an update.
func (c Case) Tokens() int { return c.Batch * c.Steps }

// String returns the case as a line of key=value pairs.
func (c Case) String() string {
	s := fmt.Sprintf("case=%s cell=%s h=%d e=%d V=%d B=%d T=%d dropout=%v carry=%v",
		c.Name, c.Cell, c.Hidden, c.Embedding, c.Vocabulary, c.Batch, c.Steps, c.Dropout, c.Carry)
	if c.Layers > 0 {
		s += fmt.Sprintf(" layers=%d", c.Layers)
	}
	if c.Stacks > 0 {
		s += fmt.Sprintf(" stacks=%d depth=%d", c.Stacks, c.Depth)
	}
	return s
}

// Model returns the network.
func (c Case) Model() (*models.Model, error) {
	var cell models.Cell
	switch c.Cell {
	case "lstm":
		cell = models.LSTM{Hidden: c.Hidden}
	case "mmrnn":
		cell = models.MMRNN{Hidden: c.Hidden}
	case "mmlstm":
		cell = models.MMLSTM{Hidden: c.Hidden}
	case "stack", "stack-noop":
		more := c.Cell == "stack-noop" // NO-OP and R
		stack := models.StackRNN{Hidden: c.Hidden, Stacks: c.Stacks, Capacity: c.Depth, Read: 2, Noop: more, Recurrent: more}
		return models.StackLanguageModel(stack, c.Vocabulary)
	case "diffstk-mrnn":
		stack := models.DiffStk{Hidden: c.Hidden, Stacks: c.Stacks, Capacity: c.Depth, Read: 2}
		return models.ReaderLanguageModel(models.DiffStkMRNN{DiffStk: stack}, c.Vocabulary)
	default:
		return nil, fmt.Errorf("throughput: case %s: cell %q, want lstm, mmrnn, mmlstm, stack, stack-noop or diffstk-mrnn", c.Name, c.Cell)
	}
	if c.Layers > 1 {
		cell = models.Layers{Cells: slices.Repeat([]models.Cell{cell}, c.Layers)}
	}
	m, err := models.LanguageModel(cell, c.Vocabulary, c.Embedding)
	if err != nil {
		return nil, err
	}
	m.Embedding.Dropout, m.Readout.Dropout = c.Dropout, c.Dropout
	return m, nil
}

// FLOPs returns the number of FLOPs that one token costs in training, by the equations
// as written. Each weight of a matrix product costs two FLOPs in the forward pass, and
// two for the gradient of each of the two factors. A cell of a stack costs a product and
// an FMA in the forward pass, the same for the gradient of the cell, and an FMA for the
// gradient of each of the two actions. NO-OP, the third action, adds an FMA to each of
// these three costs. The compiled program may need fewer FLOPs; see the package comment.
func (c Case) FLOPs() (float64, error) {
	m, err := c.Model()
	if err != nil {
		return 0, err
	}
	g, err := m.Build(stepgraph.Config{Training: true})
	if err != nil {
		return 0, err
	}
	flops := 0
	for _, n := range g.Nodes() {
		switch op := stepgraph.OpOf(n); {
		case op == nil:
		case op.Kind == stepgraph.MatMul:
			w := g.InputsOf(n)[1].Shape()
			flops += 6 * w[0] * w[1]
		case op.Kind == stepgraph.Stack:
			flops += 10 * n.Shape()[0] * g.LayoutOf(n).Stacks
		case op.Kind == stepgraph.StackNoop:
			flops += 16 * n.Shape()[0] * g.LayoutOf(n).Stacks
		}
	}
	return float64(flops), nil
}
