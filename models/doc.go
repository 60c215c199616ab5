// Package models holds the networks of the papers: a file for each cell, with
// its equations in the paper's symbols, and the parts that make a network of a
// cell, an embedding in front and a read-out behind.
//
// # Use
//
// A constructor gives a [Model], or one is written out as a literal; its
// method Build makes the step graph. Training differentiates and scans that
// graph; this package does neither.
//
//	m, err := models.DyckRNN(4, 2)
//	g, err := m.Build(stepgraph.Config{Training: true})
//	err = g.Differentiate()
//
// A graph reads the input token, [B, 1], at each step, predicts from the rows
// that the input pick names, [E, 1], and takes the classes that were right as
// the input target, [E, 1]. Its loss is the cross-entropy of each prediction
// in nats. Its output logits, [E, classes], is there always, its output prob,
// the softmax of it, in evaluation: training does not pay for it. The graph of an
// [AttentionLSTM] takes one over its temperature, too: a run-time scalar, so that
// the temperature falls without another graph.
//
// A [Recognizer] has two heads and a [Reader] for a cell. Its graph takes two more
// inputs for each prediction, weight and label, and has the output valid.
//
// # Cells
//
// A cell is one file. Its comment has the equations in the paper's symbols, the
// paper and the numbers of its equations, and where the cell departs from it. A
// struct holds the sizes, and its methods make it a [Cell], or a [Reader] for a
// [Recognizer]:
//
//	String  name and sizes
//	Params  names, shapes and initial values of the parameters
//	Count   the number of trained ones, as a formula
//	State   names, widths and initial values of what is carried from step to step
//	Output  the numbers of y_t
//	Inputs  the numbers of x_t, of a Reader
//	check   optional: what is wrong with the sizes
//	Step    the equations; parameters and states are looked up by name
//
// A line in [All] registers it. The tests range over that list: the gradient is
// held against central differences, the fast run against the unrolled graph in
// float64, the formula against the graph, the printed graph and plan against golden
// files, and a short training gives the same bits on every kind of device, the
// interpreter of the GPU's kernels included.
//
// # Tokens
//
// For k types of brackets the opening ones are tokens 0 to k-1 and the closing
// ones k to 2k-1, so that the class of a closing bracket is its token less k. A
// model that predicts closing brackets reads these 2k tokens; it reads no start
// and no end. A language model has any vocabulary; reading a bracket string it
// reads START b1 .. bn and predicts b1 .. bn END.
//
// # Shapes
//
// Letters beside those of package stepgraph:
//
//	m  depth bound, cells of a stack    e  width of the embedding
//	k  types of brackets                h  width of the hidden state
//	V  vocabulary                       n  numbers that the read-out reads
//
// In [diffstk] h is called m, the cells of a stack that are read k, the symbols d.
//
// Several cells on top of each other are [Layers], which is a cell.
//
// Values are rows here, columns in the papers: a product W x of a paper is
// x times the transpose of W, and parameters are held in that form, [in, out].
//
// # Initial values
//
// The papers give none. Matrices of a cell and biases of a cell start
// uniform(-1/sqrt(h), 1/sqrt(h)), the weights of a read-out uniform(-1/sqrt(n),
// 1/sqrt(n)), its bias 0, a trained embedding normal(0, 1). Where a cell does
// otherwise its comment says so and why. States start at zero.
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
//	elman              J. L. Elman, Finding Structure in Time, Cognitive Science 14, 1990
//	lstm               S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, Neural Computation 9, 1997
//	forget             F. Gers, J. Schmidhuber, F. Cummins, Learning to Forget, Neural Computation 12, 2000
package models
