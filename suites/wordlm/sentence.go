package wordlm

import (
	"fmt"
	"slices"

	"pushdown/harness/suite"
	"pushdown/suites/lm"
)

// Table2 lists the rows on words in table 2 of the paper resurgence, with the numbers of
// hidden units from table 1.
func Table2() []lm.Sentences {
	var list []lm.Sentences
	for _, r := range []struct {
		network        string
		layers, hidden int
	}{{"rnn", 1, 133}, {"mmrnn", 1, 128}, {"lstm", 1, 125}, {"mmlstm", 1, 112}, {"lstm", 2, 115}, {"mmlstm", 2, 97}} {
		place := suite.RowID{Paper: "resurgence", Table: "2", Row: fmt.Sprintf("word-%s-%d", r.network, r.layers)}
		list = append(list, lm.Resurgence(place, r.network, r.layers, r.hidden, 64))
	}
	return list
}

// Continued lists the networks of one layer of Table2, which read the text as a stream in 128
// columns: the state after one sentence is the initial state of the next. The paper does not say
// which of both it does. An update has 35 words of each column.
func Continued() []lm.Sentences {
	var list []lm.Sentences
	for _, e := range Table2() {
		if e.Layers == 1 {
			e.Row.Task, e.Steps = "stream", 35
			list = append(list, e)
		}
	}
	return list
}

// Carried turns rows into variants with dropout that also acts on the state passed on to the next step, of two layers
// that of the upper one, and returns them: "dropout of 0.25 to the hidden state before passing it through the softmax" can mean both.
func Carried(rows []lm.Sentences) []lm.Sentences {
	for i := range rows {
		e := &rows[i]
		if e.Row.Task != "" {
			e.Row.Task += "-"
		}
		e.Row.Task, e.Carried = e.Row.Task+"carried-dropout", true
	}
	return rows
}

// Halved lists the LSTM of one layer of Table2 with a rate that is halved whenever the validation loss has no new
// best; training then goes on from the best parameters. The paper states a patience of 5 and no cuts.
func Halved() []lm.Sentences {
	i := slices.IndexFunc(Table2(), func(e lm.Sentences) bool { return e.Network == "lstm" && e.Layers == 1 })
	e := Table2()[i]
	e.Row.Task = "halved"
	e.Plateau.Patience, e.Plateau.Factor, e.Plateau.Return = 1, 0.5, true
	return []lm.Sentences{e}
}

// Embedded lists the rows of Table2 on the embedded text, which has about 4 per cent as
// many words as the Penn Treebank. The rows have smaller batches, a higher learning rate,
// and two epochs.
func Embedded() []lm.Sentences {
	list := Table2()
	for i := range list {
		e := &list[i]
		e.Row.Task, e.Corpus, e.Batch, e.Rule.LR, e.Epochs = "shakespeare", "shakespeare", 16, 0.01, 2
	}
	return list
}
