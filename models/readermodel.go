package models

import "fmt"

// ReaderLanguageModel returns a model that predicts the next symbol after each
// symbol with a [Reader], as the networks of [diffstk] do on text. The vocabulary
// has V symbols. The model is a [Recognizer] without the second head:
//
//	xhat_t = softmax(V z_t + b_V)
//
// The embedding is U, which holds the maps of the cell side by side. So x_t is a
// row of U, and no product with a one-hot vector is needed. U and W_o start
// normal(0, 0.05), biases at zero, as in a Recognizer. The number of parameters is
// V times the Inputs of the cell, plus its Count, plus (m + 1) V.
func ReaderLanguageModel(cell Reader, vocabulary int) (*Model, error) {
	if cell == nil {
		return nil, fmt.Errorf("models: language-model of V=%d: there is no cell, want one", vocabulary)
	}
	name := fmt.Sprintf("language-model %v V=%d", cell, vocabulary)
	return checkParts(&Model{Name: name, Vocabulary: vocabulary, Cell: cell, Embedding: Embedding{Width: cell.Inputs(), Init: small()},
		Readout: Readout{Classes: vocabulary, Init: small()}})
}
