package models

import "fmt"

// ReaderLanguageModel returns a model that predicts the next symbol after each symbol
// with a [Reader], as the networks of [diffstk] do on text. The model is a [Recognizer]
// without the second head:
//
//	xhat_t = softmax(V z_t + b_V)
//
// In the graph the matrix V is called W_o, and b_V is b_o, as in every [Readout]. The
// matrices that multiply the one-hot symbol in the cell lie side by side in an embedding
// with a row for each symbol. So x_t is the row of the symbol, and no product is needed.
// The embedding and W_o start normal(0, 0.05), biases at zero, as in a Recognizer. Let n be
// the size of the vocabulary. The model has n times Inputs parameters in the embedding,
// Count in the cell, and (m + 1) n in the read-out, where m is the number of units.
func ReaderLanguageModel(cell Reader, vocabulary int) (*Model, error) {
	if cell == nil {
		return nil, fmt.Errorf("models: language-model of V=%d: there is no cell, want one", vocabulary)
	}
	name := fmt.Sprintf("language-model %v V=%d", cell, vocabulary)
	return checkParts(&Model{Name: name, Vocabulary: vocabulary, Cell: cell, Embedding: Embedding{Width: cell.Inputs(), Init: small()},
		Readout: Readout{Classes: vocabulary, Init: small()}})
}
