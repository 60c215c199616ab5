package papers

// A Shape describes how a paper lays out a table, so that a page can show our
// results in the same rows, columns and order. The rows have the order of the file
// with the table.
type Shape struct {
	Paper, Table string
	Title        string   // what the table holds, as the start of a sentence
	Labels       []string // headings of the columns before the numbers: Data, Model, Metric
	Columns      []Column
	Across       bool   // whether the paper's table is transposed: its columns are our rows
	Own          string // the label of the row that Number.Group names, where another stands for its first reading
	Variants     []Variant
	Unprinted    map[string]string // labels of rows that the paper does not print, by their names
}

// A Column of a table shows one printed number of each row: that of the first candidate for
// which the row has a number.
type Column struct {
	Head       string
	Candidates []string // metric:stat
}

// A Variant is a set of runs that the paper does not have, made for comparison with the
// rows of the paper. The runs have the name of a row with a task added, or names of their own;
// or they are those of the row, measured in another unit.
type Variant struct {
	Label    string // how the runs differ from the row
	Task     string // the task, if the name of the runs is that of the row with a task
	Old, New string // else the place of the row, and that of the runs; see Quantity.Place
	Unit     string // else the unit, if the runs are those of the row
	// Factor is a number by which values in Unit are multiplied, or 0. If it is not 0, the variant is
	// only of numbers that are compared in Unit anyway.
	Factor float64
}

// Shapes returns the shapes of all tables in which something is measured, in the order of
// papers and tables.
func Shapes() []Shape {
	small := Variant{Label: "embeddings start uniform(-0.1, 0.1)", Task: "small-embedding"}
	resurgence := []Variant{
		{Label: "stops at a mean loss of 1e-5", Task: "literal"}, {Label: "the text as a stream", Task: "stream"}, small,
		{Label: "with both factor matrices, and fewer units", Task: "factored"},
		{Label: "dropout also of the state passed on", Task: "carried-dropout"},
		{Label: "both: embeddings start uniform(-0.1, 0.1), and dropout of the state passed on", Task: "small-embedding-carried-dropout"}, {Label: "the rate halved from the best parameters", Task: "halved"},
	}
	// Sentences of the test text, in order of their length, have 0.9448 times as many characters as batches of 128 have
	// places; a test of package charlm counts them.
	padded := Variant{Label: "padding counts in the mean, with a loss of 0", Unit: "test-bpc", Factor: 0.9448}
	noEnds := Variant{Label: "neither the first character nor the line end is predicted", Task: "without-ends"}
	late := Variant{Label: "no cut of the rate before epoch 20", Task: "late-cuts"}
	recognition := []Variant{
		{Label: "8 strings an update, rate 1e-2", Task: "batch8"}, {Label: "4 strings an update, rate 1e-2", Task: "batch4"},
		late, {Label: "the same, strings by length", Task: "late-cuts-by-length"},
		{Label: "cuts only after three epochs in a row, each no better than the one before", Task: "cuts-in-a-row"},
	}
	recognition = append(recognition, Variant{Label: "cells of three numbers, the top cell read", Task: "wide-cell"},
		Variant{Label: "2,000 strings each in training, validation and test, settings searched with more", Task: "small-corpus"}, Variant{Label: "the same, ten stacks", Task: "small-corpus-stacks10"})
	for _, language := range []string{"", "mapped-", "mapped-unmarked-"} { // the last two of palindromes
		of := map[string]string{"mapped-": ", letters of their own", "mapped-unmarked-": ", letters of their own, no marker"}[language]
		recognition = append(recognition, Variant{Label: "settings searched, one stack at most" + of, Task: language + "searched"},
			Variant{Label: "settings searched, ten stacks" + of, Task: language + "searched-stacks10"},
			Variant{Label: "the next symbol counts in strings outside of the language, too, as in equation 1" + of, Task: language + "all-strings"},
			Variant{Label: "the same, ten stacks" + of, Task: language + "all-strings-stacks10"})
		for _, stacks := range []string{"", "stacks10-"} {
			for _, batch := range []string{"1", "8", "32", "64"} {
				label := "search: one stack at most, "
				if stacks != "" {
					label = "search: ten stacks, "
				}
				if batch == "1" {
					label += "one string an update"
				} else {
					label += batch + " strings an update"
				}
				recognition = append(recognition, Variant{Label: label + of, Task: language + "search-" + stacks + "batch" + batch})
			}
		}
	}
	var searched []Variant // of tables 6 to 8
	for _, v := range []Variant{{Label: "settings searched, ten stacks", Task: "searched-stacks10"}, {Label: "settings searched, one stack at most", Task: "searched"}} {
		searched = append(searched, v)
		for _, own := range []string{"table=6/row={row}/task=without-noise", "table=6/row={row}/task=with-noise", "table=8/row={row}/task=incremental"} {
			searched = append(searched, Variant{Label: v.Label, Old: own, New: own + "-" + v.Task})
		}
	}
	const unsearched = "not searched: one stack at most, one string an update"
	rates := []Variant{
		{Label: "stops only after six epochs without any lower loss", Task: "any-gain"},
		{Label: "rate 1e-3", Task: "lr1e-3"}, {Label: "rate 1e-2", Task: "lr1e-2"}, {Label: "rate 1e-2, strings of at least 80 brackets", Task: "lr1e-2-min80"},
	}
	col := func(head string, of ...string) Column { return Column{head, of} }
	accuracy := func(table, data string) Shape {
		of := func(stat string) string { return "accuracy_percent:" + stat }
		return Shape{Paper: "diffstk", Table: table, Title: data + ": per cent of strings classified correctly by networks of 8 hidden units, over ten runs. Ours is the share of the strings of the language in which every due closing bracket is ranked first (reading N). Test strings have 56 to 102 symbols, long ones 106 to 120 (n = 120) and 121 to 160 (n = 160)", Labels: []string{"Model"}, Columns: []Column{
			col("Train, mean", of("train_mean")), col("Train, best", of("train_best")), col("Test, mean", of("test_mean")), col("Test, best", of("test_best")),
			col("n = 120, mean", of("long_n120_mean")), col("n = 160, mean", of("long_n160_mean")),
		}, Own: unsearched, Variants: recognition}
	}
	ablation := func(table, title, with, without, withHead, withoutHead string) Shape {
		of := func(stat string) string { return "accuracy_percent:" + stat }
		return Shape{Paper: "diffstk", Table: table, Title: "D2: per cent of test strings classified correctly, " + title, Labels: []string{"Model"}, Columns: []Column{
			col(withHead+", mean", of(with+"_mean")), col(withHead+", best", of(with+"_best")),
			col(withoutHead+", mean", of(without+"_mean")), col(withoutHead+", best", of(without+"_best")),
		}, Own: unsearched, Variants: searched}
	}
	return []Shape{
		{Paper: "resurgence", Table: "1", Title: "Sizes, minutes and epochs of training", Labels: []string{"Data", "Model"}, Columns: []Column{
			col("Hidden units", "hidden_units:reported"), col("Layers", "layers:reported"),
			col("Minutes", "train_time_min:reported"), col("Epochs", "epochs_to_converge:reported"),
		}, Variants: resurgence},
		{Paper: "resurgence", Table: "2", Title: "Scores on test data", Labels: []string{"Data", "Model", "Metric"}, Columns: []Column{
			col("Parameters", "parameters:reported"), col("Score", "wcpa_percent:test", "bpc:test", "ce_nats:test"),
		}, Variants: append(resurgence, noEnds, padded)},
		{Paper: "resurgence", Table: "3", Title: "Characters of the Penn Treebank, with training on the beginnings of sentences", Labels: []string{"Model"}, Columns: []Column{
			col("Parameters", "parameters:reported"), col("Sentence cut at", "sentence_cutoff_chars:reported"), col("Test BPC", "bpc:test"),
		}, Variants: []Variant{small, noEnds, padded}},
		accuracy("1", "D2"), accuracy("2", "D3"), accuracy("3", "D6"), accuracy("4", "Palindromes, which have a marker in the middle and the same letters in both halves (P1), letters of their own in the second half (P2), or these and no marker (P3)"),
		{Paper: "diffstk", Table: "5", Title: "Perplexity on words of the Penn Treebank. RNN, LSTM, SRCN and Stack RNN are those of table 4 of stack-rnn, whose numbers the paper repeats, trained with SGD. The others are trained with Adam, until the rate is below 1e-5, and have 2.0 to 3.1 million parameters; the LSTM has 5.1 million", Labels: []string{"Model"}, Columns: []Column{
			col("Validation", "ppl:valid"), col("Test", "ppl:test"),
		}, Variants: []Variant{
			{Label: "a bound of 15 for the norm of the gradient", Task: "clipped-norm"},
			{Label: "a bound of 15 for the norm, first epoch", Task: "first-epoch-clipped-norm"},
			{Label: "the rate halved only after three epochs in a row without a new best, and never back to the best parameters", Task: "patience"},
			{Label: "noise, and carry-forward in DiffStk networks, as in our runs of tables 1 to 4", Task: "noise"},
		}},
		ablation("6", "with and without noise (added to the state, as section 3 of the paper says; its appendix B has weights)", "with_noise", "without_noise", "With noise", "Without"),
		ablation("7", "with and without noise and carry-forward", "with_changes", "without_changes", "With changes", "Without"),
		ablation("8", "strings in any order or by length", "sequential", "incremental", "Sequential", "Incremental"),
		{Paper: "second-order-lstm", Table: "1", Title: "Language models of bounded Dyck-2. The M of this table is a thousand parameters", Labels: []string{"Data", "Model"}, Columns: []Column{
			col("Params", "parameters_as_printed:reported"), col("Perplexity, val.", "ppl:valid"), col("Perplexity, test", "ppl:test"),
			col("WCPA, val.", "wcpa:valid"), col("WCPA, test", "wcpa:test"),
		}, Variants: rates},
		{Paper: "second-order-lstm", Table: "2", Title: "Perplexity on WikiText-2", Labels: []string{"Data", "Model"}, Columns: []Column{
			col("Cells", "cells:reported"), col("Params", "parameters_as_printed:reported"), col("Perplexity, val.", "ppl:valid"), col("Perplexity, test", "ppl:test"),
		}, Variants: []Variant{{Label: "rate 1e-3", Task: "lr1e-3"}}},
		{Paper: "second-order-lstm", Table: "3", Title: "Share of sentence pairs in the right order (0.50 by chance)", Labels: []string{"Data"}, Columns: []Column{
			col("Baseline", "pair_accuracy:baseline"), col("Attention", "pair_accuracy:attention"),
		}, Variants: []Variant{
			{Label: "without pairs that have a word outside the vocabulary", Unit: "test-pair-acc-known-%"},
			{Label: "two cells, not five", Old: "table=3/row=attention/", New: "table=3/row=attention2/"},
		}, Unprinted: map[string]string{
			"agreement-simple": "Agreement, simple", "agreement-complement": "Agreement, sentential complement",
			"agreement-short-vp": "Agreement, short VP coordination", "agreement-long-vp": "Agreement, long VP coordination",
			"agreement-preposition": "Agreement across a prepositional phrase", "agreement-subject-relative": "Agreement across a subject relative clause",
			"agreement-across-relative":         "Agreement across an object relative clause",
			"agreement-across-relative-no-that": "Agreement across an object relative clause (no that)",
			"agreement-in-relative":             "Agreement in an object relative clause",
			"agreement-in-relative-no-that":     "Agreement in an object relative clause (no that)",
			"reflexive-simple":                  "Reflexives, simple", "reflexive-complement": "Reflexives, sentential complement",
			"reflexive-across-relative": "Reflexives across a relative clause",
			"simple-gu":                 "Simple NPI, grammatical vs. ungrammatical", "cross-gu": "Cross Clause NPI, grammatical vs. ungrammatical",
		}},
		{Paper: "stack-rnn", Table: "2", Title: "Per cent of lengths n whose strings are all predicted correctly, of the best of several restarts. Ours is the restart with the lowest validation loss", Labels: []string{"Model"}, Columns: []Column{
			col("aⁿbⁿ", "percent_of_n_correct:anbn"), col("aⁿbⁿcⁿ", "percent_of_n_correct:anbncn"), col("aⁿbⁿcⁿdⁿ", "percent_of_n_correct:anbncndn"),
			col("aⁿb²ⁿ", "percent_of_n_correct:anb2n"), col("aⁿbᵐcⁿ⁺ᵐ", "percent_of_n_correct:anbmcnm"),
		}, Variants: []Variant{
			{Label: "trained on n < 20", Old: "table=2/row={row}/", New: "section=5.1/row={row}-below20/"},
			{Label: "forget bias 1, window and update of 25 symbols", Old: "table=2/row={row}/", New: "section=5.1/row={row}-forget1/"},
			{Label: "an update after every symbol, at most 100 units in a layer", Old: "table=2/row={row}/", New: "section=5.1/row={row}-every-symbol/"},
		}},
		{Paper: "stack-rnn", Table: "4", Title: "Perplexity on words of the Penn Treebank", Labels: []string{"Model"}, Across: true, Columns: []Column{
			col("Validation", "ppl:valid"), col("Test", "ppl:test"),
		}, Variants: []Variant{{Label: "one discount an order, not three", Task: "one-discount"}}},
	}
}
