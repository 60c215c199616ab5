// Package models defines the networks of the papers. Each cell has a file, with its
// equations in the paper's symbols. Two further parts make a network of a cell: an
// embedding before it and a read-out after it.
//
// # Use
//
// A [Model] comes from a constructor or is written as a literal; its method Build
// returns the step graph. Differentiating and running that graph for training is not
// part of this package.
//
//	m, err := models.DyckRNN(4, 2)
//	g, err := m.Build(stepgraph.Config{Training: true})
//	err = g.Differentiate()
//
// At each step a graph reads the input "token", [B, 1]. The input "pick", [E, 1], lists
// the rows of the cell's output from which the graph makes a prediction, and the input
// "target", [E, 1], the correct classes. Its loss is the cross-entropy of each
// prediction in nats. In evaluation it has the outputs "logits", [E, classes], and
// "prob", the softmax of the logits. In training it has no outputs. The graph of an
// [AttentionLSTM] also reads the reciprocal of its temperature unless Sharp is set. The
// reciprocal is a run-time scalar, so the temperature can fall without building another
// graph.
//
// A [Recognizer] has two heads, and its cell is a [Reader]. Its graph reads two
// more inputs for each prediction, "weight" and "label". In evaluation it has the
// outputs "logits" and "valid". [ReaderLanguageModel] returns a Model whose cell is
// a Reader.
//
// With a large vocabulary, set LossOnly of the [Readout]. An evaluation then computes
// the losses for some of the predictions at a time and need not keep the logits and
// probabilities of a whole batch. To save memory, also prefer a Reader to a
// [OneHotLanguageModel]. A Reader looks up a row of its input maps. A
// OneHotLanguageModel stores all one-hot vectors, a table of V x V numbers.
//
// # Cells
//
// Each cell has a file. The comment of its type has the equations in the paper's
// symbols, the paper with its equation numbers, and how the cell differs from the
// paper. The type is a struct that holds the sizes; its methods make it a [Cell], or a
// [Reader] for a [Recognizer]:
//
//	String  name and sizes
//	Params  names, shapes and initial values of the parameters
//	Count   the number of trained parameters, as a formula
//	State   names, widths and initial values of the states carried from step to step
//	Output  the width of y_t
//	Inputs  the width of x_t; only a Reader has this method
//	check   optional, in this package only: returns an error if the sizes are invalid
//	Step    the equations; stepgraph.ByName finds parameters and states by name
//
// If a cell has a mistake, building a network returns an error. It also does so if Count or Output
// is not that of the graph. The error has the names and shapes of the cell, and the line of the
// call that is wrong:
//
//	matmul of x [Bx2] and R [8x8]: inner sizes 2 and 8 differ (mgu.go:52)
//
// # A cell of one's own
//
// A cell need not be part of this package. The folder own at the root of a clone is for
// packages that are no part of the repository and may import all others. Git ignores it, and
// the policy tests do not look at it. Copy the example, which comes with its test, and
// change the name of the package and the equations:
//
//	mkdir -p own && cp -r models/celltest/mgu own/mycell
//	go test -v ./own/mycell
//
// The test calls celltest.Check, which compares the gradient with central differences and
// the optimized run with the unrolled graph in float64. It also checks that a short training
// gives the same bits on every kind of device, including the interpreter of the GPU kernels.
// A cell can also be in a module of its own; ci/README.md says how.
//
// # Adding a cell
//
// A line in [All] adds a cell to this package. The tests run over that list: those of
// package celltest, and others that compare the printed graph and plan with golden files.
//
// Copy rnn.go to a file named after the cell, or gru.go for a network of
// suites/recognition, and write its type as above. Then:
//
//   - Add a line to [All] and run go test ./models -update, which writes the printed
//     graph and plan. The tests above now cover the cell. No test knows the equations of
//     the paper unless you write one: see baseline_test.go and
//     recognizer_equation_test.go for plain loops. Parameter counts that the paper
//     states belong in count_test.go.
//   - To train it in a suite, add rows to the experiments.go of the suite. Put rows
//     that the paper does not have in a list of their own, because claims are
//     checked over the lists with the paper's rows. Add a row to shrunken_test.go,
//     which trains the cell on every kind of device. Record the results with
//     -buildvcs=true -update "reason" at each of three scales: with -short, without it, and with
//     PUSHDOWN_SCALE=paper. Change the line of the suite in ci/export/main_test.go, if the row can be exported.
//   - Add its paper to the references below.
//
// A cell that needs a new element-wise operation takes edits in six more files:
//
//   - harness/kernel/op.go: a row at the end of kernel.Ops (name, operands,
//     meaning)
//   - harness/stepgraph/kind.go: a kind
//   - harness/stepgraph/elementwise.go: the gradient, and a method of Builder
//   - harness/kernel/cuda/emit.go: the PTX
//   - _asm/vec/main.go and vec_amd64.go of harness/kernel/cpu/simd: the assembly,
//     which may come later
//
// Package scan and the tests read the row of kernel.Ops and need no edit. A digest of
// the results of each operation is recorded. To add that of the new operation, run go
// test ./harness/kernel/cpu -run Frozen -freeze. An operation that is not element-wise
// also needs a routine in harness/kernel/cpu, a kernel in harness/kernel/cuda/ptx, and
// its meaning in harness/kernel/kerneltest. If its instruction has other operands than
// the graph, it also needs a case in harness/scan/lower.go. Tests fail if a kind lacks
// its kernel, its PTX or its digest. They cannot detect that a gradient or assembly is
// still missing.
//
// # Tokens
//
// For k types of brackets, tokens 0 to k-1 are the opening brackets and k to 2k-1 the
// closing ones, so the class of a closing bracket is its token minus k. A model that
// predicts closing brackets reads these 2k tokens and no start or end token. A
// language model may have any vocabulary; for a bracket string it reads START b1 .. bn
// and predicts b1 .. bn END.
//
// # Shapes
//
// The following letters are used in addition to those of package stepgraph:
//
//	m  depth bound, number of stack cells    e  width of the embedding
//	k  types of brackets                     h  width of the hidden state
//	V  vocabulary                            n  width of the input of the read-out
//
// The paper [diffstk] and the comments of its networks use other letters: m is the width
// of the hidden state, k the number of stack cells that are read, and d the number of
// symbols.
//
// [Layers] stacks several cells and is itself a cell.
//
// Values are rows here and columns in the papers: a product W x of a paper is x times
// the transpose of W. Parameters are stored in that transposed form, [in, out].
//
// # Initial values
//
// The papers give few initial values. Matrices and biases of a cell start
// uniform(-1/sqrt(h), 1/sqrt(h)), the weights of a read-out uniform(-1/sqrt(n),
// 1/sqrt(n)), its bias 0, a trained embedding normal(0, 1). Where a cell differs, its
// comment says how and why. States start at zero, empty cells of a stack at the value that the cell's comment says.
//
// # References
//
//	resurgence         Second-order RNNs: Resurgence of Recurrence
//	second-order-lstm  Modeling Long-Distance Dependencies with Second-Order LSTMs
//	diffstk            Recognizing Long Grammatical Sequences using Recurrent Networks Augmented with an External Differentiable Stack
//	stack-rnn          A. Joulin, T. Mikolov, Inferring Algorithmic Patterns with Stack-Augmented Recurrent Nets, 2015, and its public code
//	marnns             M. Suzgun, S. Gehrmann, Y. Belinkov, S. Shieber, Memory-Augmented Recurrent Neural Networks Can Learn Generalized Dyck Languages, 2019, and its public code
//	delta              A. Ororbia, T. Mikolov, D. Reitter, Learning Simpler Language Models with the Differential State Framework, Neural Computation 29, 2017, and its public code
//	gru                K. Cho et al., Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation, EMNLP 2014
//	mrnn               I. Sutskever, J. Martens, G. Hinton, Generating Text with Recurrent Neural Networks, ICML 2011
//	mlstm              B. Krause, L. Lu, I. Murray, S. Renals, Multiplicative LSTM for Sequence Modelling, 2016, and its public code
//	scrn               T. Mikolov, A. Joulin, S. Chopra, M. Mathieu, M. Ranzato, Learning Longer Memory in Recurrent Neural Networks, 2014, and its public code
//	elman              J. L. Elman, Finding Structure in Time, Cognitive Science 14, 1990
//	lstm               S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, Neural Computation 9, 1997
//	forget             F. Gers, J. Schmidhuber, F. Cummins, Learning to Forget, Neural Computation 12, 2000
package models
