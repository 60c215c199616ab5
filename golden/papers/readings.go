package papers

// Readings are what was tried of a table before its numbers were said to differ.
type Readings struct {
	Paper, Table string
	Tried        string   // the readings, the judged one first
	Rows         []string // parts of the names of rows that run them
	Open         string   // what the paper does not say
	Settle       string   // what would decide
}

// TableReadings lists them, in the order of papers and tables. The pages of results have
// those of tables with numbers that differ.
func TableReadings() []Readings {
	of := func(table, tried, open string, rows ...string) Readings {
		return Readings{Paper: "diffstk", Table: table, Tried: tried, Rows: rows, Open: open,
			Settle: "The program of the experiments, which is not public; or the batch size, how often the rate is looked at and how a string is counted as classified."}
	}
	const (
		recognised = "Noise and carry-forward, an update for each string at the printed rate of 2e-3, a look at validation after each epoch; the same without either " +
			"(the controls of tables 6 and 7); updates of eight strings, or four, at 1e-2; no cut of the rate before epoch 20. Five readings of accuracy, of each run."
		unsaid = "Batch size, initial weights, strength of the noise, how often validation is looked at, what one stack holds, and how accuracy can be near 0 where half " +
			"of the strings are negative and 100 where the paper's own definition cannot give it."
		ablated = "Networks of table 1 with noise of standard deviation 0.05, with carry-forward, and with strings that come in by length in ten blocks."
	)
	variants := []string{"/task=batch8", "/task=late-cuts", "/task=without-noise"}
	return []Readings{
		of("1", recognised, unsaid, variants...), of("2", recognised, unsaid, variants...), of("3", recognised, unsaid, variants...),
		of("4", recognised+" Strings that come in by length.", unsaid+" The sizes of the palindrome corpus.", append(variants, "/task=late-cuts-by-length")...),
		of("6", ablated, "The strength of the noise, and why tables 6, 7 and 8 print one control.", "/task=with-noise", "/task=carry-forward"),
		of("7", ablated, "The strength of the noise, and why tables 6, 7 and 8 print one control.", "/task=with-changes", "/task=carry-forward"),
		of("8", ablated, "The schedule of lengths, and why its control is that of tables 6 and 7, which lacks what both of its columns have.", "/task=incremental", "/task=late-cuts-by-length"),
		{Paper: "second-order-lstm", Table: "1",
			Tried: "The stated rate of 1e-4; 1e-3, which the program has that the paper started from, under a README that says 1e-4; 1e-2, which the public code of the " +
				"language has; strings of at least 80 brackets; bracket types assigned to cells.",
			Rows:   []string{"/task=lr1e-3", "/task=lr1e-2", "/task=lr1e-2-min80", "-assignment2"},
			Open:   "Which rate the printed numbers come from, the strings themselves, whose entropy decides the third digit, and the number of runs.",
			Settle: "The corpus of the paper, or its program's settings."},
		{Paper: "stack-rnn", Table: "2",
			Tried: "Lengths of training and validation as in the authors' script; below 20 in both, as in the text; updates after 25 symbols of networks without stacks, and " +
				"an LSTM with a forget bias of 1 and a gradient through 25 steps.",
			Rows:   []string{"/row=stack-rnn-below20/", "/row=list-rnn-below20/", "/row=lstm-forget1/"},
			Open:   "How many restarts the best is taken of, on which strings it is chosen, and the whole protocol of RNN, LSTM and List RNN.",
			Settle: "The number of restarts and the selection; the settings of the baselines."},
	}
}
