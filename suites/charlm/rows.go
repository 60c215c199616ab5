package charlm

import (
	"fmt"
	"slices"

	"pushdown/harness/suite"
	"pushdown/suites/lm"
)

// size is the number of layers and of hidden units of a network.
type size struct {
	network        string
	layers, hidden int
}

// sizes lists the networks of table 2 with the sizes of table 1.
var sizes = []size{
	{"mlstm", 1, 977}, {"mrnn", 1, 1972}, {"lstm", 1, 991}, {"rnn", 1, 2032}, {"lstm", 2, 589},
	{"rnn", 2, 1194}, {"mmlstm", 1, 512}, {"mmlstm", 2, 345}, {"mmrnn", 1, 1038}, {"mmrnn", 2, 696},
}

// row returns a row of a network.
func row(table, name string, s size) lm.Sentences {
	e := lm.Resurgence(suite.RowID{Paper: "resurgence", Table: table, Row: name}, s.network, s.layers, s.hidden, 128)
	e.Characters = true
	return e
}

// Table2 lists the rows on characters in table 2 of the paper resurgence.
func Table2() []lm.Sentences {
	var list []lm.Sentences
	for _, s := range sizes {
		list = append(list, row("2", fmt.Sprintf("char-%s-%d", s.network, s.layers), s))
	}
	return list
}

// Factored lists the mRNN and the mLSTM of Table2 with both factor matrices, as other papers
// publish them. With the stated numbers of units they would have 8.4 and 5.5 million
// parameters instead of 4.5, so they have fewer units.
func Factored() []lm.Sentences {
	var list []lm.Sentences
	for _, s := range []size{{"mlstm", 1, 881}, {"mrnn", 1, 1424}} {
		e := row("2", fmt.Sprintf("char-%s-%d", s.network, s.layers), size{s.network + "-factored", s.layers, s.hidden})
		e.Row.Task = "factored"
		list = append(list, e)
	}
	return list
}

// Table3 lists the rows of table 3 of the paper resurgence, whose training sentences are cut
// after 25, 50 or 75 characters.
func Table3() []lm.Sentences { return slices.Concat(cut(25), cut(50), cut(75)) }

// cut lists the rows of Table3 whose training sentences are cut after n characters.
func cut(n int) []lm.Sentences {
	var list []lm.Sentences
	for _, s := range sizes {
		if s.network != "lstm" && s.network != "mmlstm" {
			continue
		}
		e := row("3", fmt.Sprintf("cut%d-%s-%d", n, s.network, s.layers), s)
		e.Cut = n
		list = append(list, e)
	}
	return list
}

// embedded returns a function that lists rows on the beginning of the embedded text. Their
// networks have an eighth of the units, and they read the text twice, in smaller batches.
// Because its sentences are shorter, they are cut after three fifths as many characters.
func embedded(rows func() []lm.Sentences) func() []lm.Sentences {
	return func() []lm.Sentences {
		list := rows()
		for i := range list {
			e := &list[i]
			e.Row.Task, e.Corpus, e.Limit, e.Cut = "shakespeare", "shakespeare", 2000, e.Cut*3/5
			e.Hidden, e.Embedding, e.Batch, e.Rule.LR, e.Epochs = e.Hidden/8, 16, 16, 0.01, 2
		}
		return list
	}
}
