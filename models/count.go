package models

// A Core counts the parameters of one layer of h units that reads in numbers,
// by formula. Biases count once for each map.
type Core func(in, h int) int

// CountRNN is the core of [RNN].
func CountRNN(in, h int) int { return h * (in + h + 1) }

// CountLSTM is the core of [LSTM].
func CountLSTM(in, h int) int { return 4 * CountRNN(in, h) }

// CountMRNN is the core of a multiplicative RNN: m_t = (W_mx x_t) (.) (W_mh
// h_{t-1}) with as many factors as units, h_t = tanh(W_hm m_t + W_hx x_t + b).
func CountMRNN(in, h int) int { return CountMRNNSized(in, h) + h*h }

// CountMRNNSized is the same without W_mh, m_t = (W_mx x_t) (.) h_{t-1}: the
// only form in which the sizes that [resurgence] states give the counts that
// it states.
func CountMRNNSized(in, h int) int { return h*h + 2*h*in + h }

// CountMLSTM is the core of a multiplicative LSTM: m_t as in [CountMRNN], and
// an LSTM that reads it in place of h_{t-1}.
func CountMLSTM(in, h int) int { return CountMLSTMSized(in, h) + h*h }

// CountMLSTMSized is the same without W_mh; see [CountMRNNSized].
func CountMLSTMSized(in, h int) int { return 4*h*h + 5*h*in + 4*h }

// CountMMRNN is the core of the mmRNN [resurgence]: four choice matrices, W_hx,
// W_proj that reads the four keys, h and x, and a bias.
func CountMMRNN(in, h int) int { return 4*h*h + h*in + 4*(4+h+in) + h }

// CountMMLSTM is the core of the mmLSTM [resurgence]: all of an mmRNN for the
// candidate and for each of three gates.
func CountMMLSTM(in, h int) int { return 4 * CountMMRNN(in, h) }

// CountLanguageModel is the number of parameters of a language model: an
// embedding of vocabulary symbols by e numbers, layers of h units, of which the
// first reads the embedding and each other one the layer below, and an output
// layer of its own with a bias.
func CountLanguageModel(core Core, vocabulary, e, h, layers int) int {
	n, in := vocabulary*e+vocabulary*(h+1), e
	for range layers {
		n += core(in, h)
		in = h
	}
	return n
}
