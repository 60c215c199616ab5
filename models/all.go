package models

import "pushdown/harness/stepgraph"

// Network is a [Model] or a [Recognizer].
type Network interface {
	Build(stepgraph.Config) (*stepgraph.Graph, error)
	Count() int // number of trained parameters, by the formulas of the parts
}

// Sample is a small network. The golden files of its graph and its plan are named after
// it.
type Sample struct {
	Name string
	Network
}

// All returns small networks that together use every cell. The tests of this
// package run over them, so adding a line here puts a cell under test. All panics
// if a network cannot be built.
func All() []Sample {
	stack := DiffStk{Hidden: 4, Read: 2, Capacity: 5}
	carry := DiffStk{Hidden: 4, Read: 2, Capacity: 5, Carry: true, Noise: 0.25}
	total := DiffStk{Hidden: 3, Read: 3, Capacity: 3, Carry: true, Total: true}
	wide := DiffStk{Hidden: 4, Read: 1, Width: 3, Capacity: 4, Carry: true}
	several := DiffStk{Hidden: 3, Stacks: 2, Read: 2, Capacity: 4}
	severalCarry := DiffStk{Hidden: 3, Stacks: 2, Read: 1, Capacity: 3, Carry: true, Noise: 0.25}
	return []Sample{
		{"dyckrnn", must(DyckRNN(3, 2))},
		{"dyckrnn-1d", must(DyckRNN1D(3, 2))},
		{"dyckrnn-2d", must(DyckRNN2D(3, 2))},
		{"dyckrnn-2d-byone", must(DyckRNN2DShiftByOne(3, 2))},
		{"rnn-laststate", must(LastState(RNN{Hidden: 3}, 2, 2))},
		{"rnn-languagemodel", must(LanguageModel(RNN{Hidden: 3}, 5, 2))},
		{"lstm-laststate", must(LastState(LSTM{Hidden: 2}, 2, 3))},
		{"lstm-languagemodel", must(LanguageModel(LSTM{Hidden: 2}, 5, 3))},
		{"rnn-dropped", must(LanguageModel(Dropped{RNN{Hidden: 3}, 0.5}, 5, 2))},
		{"lstm-dropped", must(LanguageModel(Dropped{LSTM{Hidden: 2}, 0.5}, 5, 3))},
		{"lstm-forget", must(LanguageModel(LSTM{Hidden: 2, Forget: 1}, 5, 3))},
		{"lstm-onehot", must(OneHotLanguageModel(LSTM{Hidden: 2}, 3))},
		{"mmrnn-laststate", must(LastState(MMRNN{Hidden: 3}, 2, 2))},
		{"mmrnn-languagemodel", must(LanguageModel(MMRNN{Hidden: 3}, 5, 2))},
		{"mmlstm-languagemodel", must(LanguageModel(MMLSTM{Hidden: 2}, 5, 3))},
		{"layers-languagemodel", must(LanguageModel(Layers{Cells: []Cell{MMRNN{Hidden: 2}, RNN{Hidden: 3}, LSTM{Hidden: 2}}, Dropout: 0.5}, 5, 3))},
		{"mrnn-languagemodel", must(LanguageModel(MRNN{Hidden: 3}, 5, 2))},
		{"mrnn-direct-languagemodel", must(LanguageModel(MRNN{Hidden: 3, Direct: true}, 5, 2))},
		{"mlstm-languagemodel", must(LanguageModel(MLSTM{Hidden: 2}, 5, 3))},
		{"mlstm-direct-languagemodel", must(LanguageModel(MLSTM{Hidden: 2, Direct: true}, 5, 3))},
		{"layers-multiplicative-languagemodel", must(LanguageModel(Layers{Cells: []Cell{MRNN{Hidden: 2}, MLSTM{Hidden: 3}}}, 5, 3))},
		{"layers-mixed-languagemodel", must(LanguageModel(Layers{Cells: []Cell{MMRNN{Hidden: 3}, MMLSTM{Hidden: 2}}}, 5, 2))},
		{"attention-lstm", must(LanguageModel(AttentionLSTM{Hidden: 2, Cells: 3}, 5, 4))},
		{"assignment-lstm", must(LanguageModel(AssignmentLSTM{Hidden: 2, Cells: 3, CellOf: []int{0, 2, 1, 0, 2}}, 5, 4))},
		{"stackrnn-languagemodel", must(StackLanguageModel(StackRNN{Hidden: 3, Stacks: 2, Capacity: 5, Read: 2, ClampArgs: 50}, 4))},
		{"stackrnn-noop-languagemodel", must(StackLanguageModel(StackRNN{Hidden: 4, Stacks: 2, Capacity: 3, Read: 1, Noop: true, Recurrent: true}, 3))},
		{"listrnn-languagemodel", must(ListLanguageModel(ListRNN{Hidden: 3, Lists: 2, Side: 2, Read: 2, Clip: 1e3, ClampArgs: 50}, 4))},
		{"listrnn-noop-languagemodel", must(ListLanguageModel(ListRNN{Hidden: 4, Lists: 2, Side: 1, Read: 1, Noop: true}, 3))},
		{"sigmarnn-languagemodel", must(SigmaLanguageModel(SigmaRNN{Hidden: 3, Clip: 1e3}, 4))},
		{"srcn-languagemodel", must(SRCNLanguageModel(SRCN{Hidden: 3, Context: 2}, 4))},
		{"srcn-lagged-languagemodel", must(SRCNLanguageModel(SRCN{Hidden: 2, Context: 3, Lagged: true}, 4))},
		{"symbol-lstm-languagemodel", must(ReaderLanguageModel(SymbolLSTM{Hidden: 2, Clip: 1e3}, 5))},
		{"diffstk-rnn-languagemodel", must(ReaderLanguageModel(DiffStkRNN{DiffStk: several}, 4))},
		{"diffstk-lstm-languagemodel", must(ReaderLanguageModel(DiffStkLSTM{DiffStk: severalCarry}, 4))},
		{"diffstk-mrnn-languagemodel", must(ReaderLanguageModel(DiffStkMRNN{DiffStk: severalCarry}, 4))},
		{"diffstk-mirnn-languagemodel", must(ReaderLanguageModel(DiffStkMIRNN{DiffStk: several}, 4))},
		{"stack-rnn-softmax-languagemodel", must(ReaderLanguageModel(StackRNNSoftmax{Hidden: 4, Width: 2, Capacity: 3}, 5))},
		{"baby-ntm-softmax-languagemodel", must(ReaderLanguageModel(BabyNTM{Hidden: 4, Width: 2, Cells: 3}, 5))},
		{"diffstk-rnn", must(NewRecognizer(DiffStkRNN{DiffStk: stack}, 5))},
		{"diffstk-rnn-carry", must(NewRecognizer(DiffStkRNN{DiffStk: carry}, 5))},
		{"diffstk-rnn-wide", must(NewRecognizer(DiffStkRNN{DiffStk: wide}, 5))},
		{"diffstk-lstm", must(NewRecognizer(DiffStkLSTM{DiffStk: stack}, 5))},
		{"diffstk-lstm-carry", must(NewRecognizer(DiffStkLSTM{DiffStk: total}, 5))},
		{"diffstk-mrnn", must(NewRecognizer(DiffStkMRNN{DiffStk: stack}, 5))},
		{"diffstk-mlstm", must(NewRecognizer(DiffStkMLSTM{DiffStk: stack}, 5))},
		{"diffstk-mlstm-carry", must(NewRecognizer(DiffStkMLSTM{DiffStk: carry}, 5))},
		{"diffstk-mirnn", must(NewRecognizer(DiffStkMIRNN{DiffStk: stack}, 5))},
		{"f1-rnn", must(NewRecognizer(F1RNN{Hidden: 3}, 5))},
		{"f1-rnn-noise", must(NewRecognizer(F1RNN{Hidden: 3, Noise: 0.5}, 5))},
		{"f1-lstm", must(NewRecognizer(F1LSTM{Hidden: 3}, 5))},
		{"gru", must(NewRecognizer(GRU{Hidden: 3}, 5))},
		{"gru-noise", must(NewRecognizer(GRU{Hidden: 3, Noise: 0.5}, 5))},
		{"delta-rnn", must(NewRecognizer(DeltaRNN{Hidden: 3}, 5))},
		{"delta-rnn-noise", must(NewRecognizer(DeltaRNN{Hidden: 3, Noise: 0.5}, 5))},
		{"recognizer-stack-rnn", must(NewRecognizer(StackRNN{Hidden: 4, Stacks: 1, Capacity: 5, Read: 2, Recurrent: true, Biased: true, Small: true}, 5))},
		{"stack-rnn-softmax", must(NewRecognizer(StackRNNSoftmax{Hidden: 4, Width: 2, Capacity: 3}, 5))},
		{"stack-rnn-softmax-noise", must(NewRecognizer(StackRNNSoftmax{Hidden: 4, Width: 2, Capacity: 3, Noise: 0.5}, 5))},
		{"baby-ntm-softmax", must(NewRecognizer(BabyNTM{Hidden: 4, Width: 2, Cells: 3}, 5))},
		{"baby-ntm-softmax-noise", must(NewRecognizer(BabyNTM{Hidden: 4, Width: 2, Cells: 3, Noise: 0.5}, 5))},
	}
}

func must[N Network](n N, err error) Network {
	if err != nil {
		panic(err)
	}
	return n
}
