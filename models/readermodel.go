package models

import "fmt"

// ReaderLanguageModel returns a model that predicts the next symbol after each symbol
// with a [Reader], as the networks of [diffstk] do on text. The model is a [Recognizer]
// without the second head:
//
//	xhat_t = softmax(V z_t + b_V)
//
// In the graph the matrix V is called W_o, and b_V is b_o, as in every [Readout]. U of
// a Recognizer is the embedding. It holds the maps of the cell side by side, so x_t is
// a row of U, and no product with a one-hot vector is needed. U and W_o start normal(0,
// 0.05), biases at zero, as in a Recognizer. For a vocabulary of n symbols the model
// has n times the Inputs of the cell, plus its Count, plus (m + 1) n parameters.
func ReaderLanguageModel(cell Reader, vocabulary int) (*Model, error) {
	if cell == nil {
		return nil, fmt.Errorf("models: language-model of V=%d: there is no cell, want one", vocabulary)
	}
	name := fmt.Sprintf("language-model %v V=%d", cell, vocabulary)
	return checkParts(&Model{Name: name, Vocabulary: vocabulary, Cell: cell, Embedding: Embedding{Width: cell.Inputs(), Init: small()},
		Readout: Readout{Classes: vocabulary, Init: small()}})
}
