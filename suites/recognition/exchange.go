package recognition

import (
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/metric"
)

// The names of the fields of predictions.
const (
	fieldYhat  = "yhat"
	fieldFirst = "first"
)

// scored lists the parts that must have predictions: those for which the paper prints numbers
// of tests. The others may have some.
var scored = []formal.Split{formal.Test, formal.Long120, formal.Long160}

// definitions has a definition for each of [readings] that predictions decide. They do not decide N*,
// for which a record would have to rank the end of the string among the closing symbols.
var definitions = map[string]string{
	"":   "N: the share of the strings of the language in which, wherever a closing symbol is due, first is that symbol, in per cent",
	"-a": "A: the share of the strings for which the mean of yhat is above 1/2 if and only if the string is in the language, in per cent",
	"-f": "F: the share of the strings for which the last yhat is above 1/2 if and only if the string is in the language, in per cent",
	"-c": "C: the share of the strings for which each yhat is above 1/2 if and only if the symbols so far can still become a string of the language, in per cent",
}

// Exchange returns the strings of the row.
func (e Experiment) Exchange() (*exchange.Set, error) {
	lang, parts, err := e.strings()
	if err != nil {
		return nil, err
	}
	set := &exchange.Set{Fields: []exchange.Field{
		{Name: fieldYhat, Values: exchange.Probabilities, Optional: true, Count: func(s *exchange.Split, i int) int { return len(s.Text(i)) + 1 },
			Definition: "after each symbol of the string, and then after its end has been read, the probability that the string is in the language; it is rounded to 32 bits; a model that judges whole strings only repeats its verdict, and then F alone has a meaning"},
		{Name: fieldFirst, Values: exchange.ClosingTokens, Optional: true, Count: func(s *exchange.Split, i int) int { return len(s.Text(i)) },
			Definition: "after each symbol of the string, the closing symbol to which the model gives a higher probability to come next than to every other closing symbol, or an empty string if there is none; " +
				"it counts where one is due, which is where next-symbols.jsonl has just one closing symbol"},
	}}
	oracle := lang.NewOracle()
	for i, letter := range lang.Alphabet() {
		if set.Alphabet = append(set.Alphabet, string(letter)); oracle.Closes(uint8(i)) {
			set.Closing = append(set.Closing, string(letter))
		}
	}
	for _, part := range parts {
		set.Splits = append(set.Splits, exchange.Split{
			Name: string(part.Part.Name), Scored: slices.Contains(scored, part.Part.Name), Optional: !slices.Contains(scored, part.Part.Name), Strings: part.Len(), Text: exchange.Text(part.Body),
			Labels: &exchange.Labels{Valid: part.Valid, Edits: func(i int) int { return edits(part, i) }, Next: nextSymbols(lang, part)},
		})
	}
	for _, part := range reported {
		for _, r := range readings {
			if text := definitions[r]; text != "" {
				field := fieldYhat
				if r == "" {
					field = fieldFirst
				}
				set.Metrics = append(set.Metrics, exchange.Metric{Unit: part.name + "-acc" + r + "-%", Split: string(part.split), Fields: []string{field}, Definition: text})
			}
		}
	}
	set.Measure = func(p *exchange.Predictions, split string) (values []golden.Value, err error) {
		at := slices.IndexFunc(parts, func(l *formal.Labelled) bool { return string(l.Part.Name) == split })
		found := figures(score(lang, parts[at], p))
		for _, r := range reported {
			for i, v := range found {
				if string(r.split) == split {
					values = append(values, golden.Value{Unit: r.name + "-acc" + readings[i] + "-%", Value: v})
				}
			}
		}
		return values, nil
	}
	return set, nil
}

// edits returns the number of symbols in which a difficult string differs from the string of the
// language before it, from which it was made; for other strings it is 0.
func edits(part *formal.Labelled, i int) (n int) {
	if part.Kind(i) != formal.Difficult {
		return 0
	}
	for at, symbol := range part.Body(i) {
		if symbol != part.Body(i - 1)[at] {
			n++
		}
	}
	return n
}

// nextSymbols returns the function Next of the labels of a part.
func nextSymbols(lang formal.Language, part *formal.Labelled) func(i int, visit func([]int32, bool)) {
	oracle := lang.NewOracle()
	return func(i int, visit func([]int32, bool)) {
		var list []int32
		oracle.Reset()
		for _, symbol := range part.String(i) {
			list = list[:0]
			for s := range formal.End(lang) {
				if oracle.Allows(s) {
					list = append(list, int32(s))
				}
			}
			visit(list, oracle.Allows(formal.End(lang)))
			oracle.Read(symbol)
		}
	}
}

// score judges predictions for a part. The symbol that is ranked first stands for
// the whole ranking: it gets the score 1, and all others 0.
func score(lang formal.Language, part *formal.Labelled, p *exchange.Predictions) *metric.Recognition {
	j := newJudge(NewStrings(lang, part, evalStrings))
	name := string(part.Part.Name)
	for i := range part.Len() {
		j.answer.Yhat, j.answer.Prob = j.answer.Yhat[:0], j.answer.Prob[:0]
		for _, y := range p.Numbers(fieldYhat, name, i) {
			j.answer.Yhat = append(j.answer.Yhat, float32(y))
		}
		for _, first := range append(slices.Clone(p.Tokens(fieldFirst, name, i)), -1) { // nothing is due after the end
			row := make([]float32, len(j.closes))
			if first >= 0 {
				row[first] = 1
			}
			j.answer.Prob = append(j.answer.Prob, row...)
		}
		j.add(i)
	}
	return &j.found
}
