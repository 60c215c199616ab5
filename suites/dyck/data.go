package dyck

import "pushdown/corpora/formal"

// Data says which strings an experiment reads.
type Data struct {
	M int `json:"m"`
	K int `json:"k"`
	// Lengths of the strings, see formal.BoundedDyck; zero: the defaults.
	Min int `json:"min"`
	Max int `json:"max"`
	// Strings.
	Train      int    `json:"train"`
	Dev        int    `json:"dev"`
	Test       int    `json:"test"`
	CorpusSeed uint64 `json:"corpus_seed"` // belongs to the experiment: all seeds see the same strings
}

// published are the strings of both papers for a bound m: the same, since those
// of second-order-lstm add up to the 24,000 of resurgence.
func published(m int) Data {
	return Data{M: m, K: 2, Train: 10_000, Dev: 4_000, Test: 10_000, CorpusSeed: uint64(m)}
}

// Language is the language of the strings.
func (d Data) Language() (formal.BoundedDyck, error) {
	lang := formal.NewBoundedDyck(d.K, d.M)
	if d.Min != 0 || d.Max != 0 {
		lang.Min, lang.Max = d.Min, d.Max
	}
	return lang, lang.Validate()
}

// Sample draws the strings of a split.
func (d Data) Sample(split formal.Split) (formal.BoundedDyck, *formal.Corpus, error) {
	lang, err := d.Language()
	if err != nil {
		return lang, nil, err
	}
	n := map[formal.Split]int{formal.Train: d.Train, formal.Dev: d.Dev, formal.Test: d.Test}[split]
	corpus, err := lang.Sample(d.CorpusSeed, split, n)
	return lang, corpus, err
}
