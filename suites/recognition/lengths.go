package recognition

import (
	"fmt"
	"sync"

	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// Strings up to longer ones than those of the paper: so many for each range of
// lengths, half of them in the language.
const (
	shortestLength = 100 // below the first range
	longestLength  = 1_000
	lengthStep     = 100
	lengthStrings  = 100
)

// lengthBatch is the number of strings evaluated at a time: as deep stacks as
// theirs do not fit the caches more often.
const lengthBatch = 8

var (
	drawingLong sync.Mutex
	longParts   = map[string][]*formal.Labelled{} // by language, with the seed of every experiment
)

// long draws strings by length, once.
func long(lang formal.Language) ([]*formal.Labelled, error) {
	drawingLong.Lock()
	defer drawingLong.Unlock()
	if p, ok := longParts[lang.String()]; ok {
		return p, nil
	}
	r := formal.NewRecognition(lang)
	r.Parts = nil
	for n := shortestLength + lengthStep; n <= longestLength; n += lengthStep {
		r.Parts = append(r.Parts, formal.Part{Name: formal.Split(fmt.Sprintf("length%d", n)), Strings: lengthStrings, Least: n - lengthStep + 1, Most: n})
	}
	parts, err := r.Draw(corpusSeed)
	if err != nil {
		return nil, err
	}
	longParts[lang.String()] = parts
	return parts, nil
}

// Lengths judges parameters on longer strings, by N.
func (e Experiment) Lengths(dev kernel.Device, p *train.Params, seed uint64) (list []Share, err error) {
	lang, parts, err := e.strings()
	if err != nil {
		return nil, err
	}
	all, err := long(lang)
	if err != nil {
		return nil, err
	}
	for _, part := range all {
		set := NewStrings(lang, part, lengthBatch)
		j := newJudge(set)
		build := e.build(formal.Symbols(lang), longest(parts[0]), max(longest(parts...), longest(part)))
		if _, err := train.Evaluate(build, dev, set, seed, p, j.visit); err != nil {
			return nil, fmt.Errorf("recognition: strings of %d: %w", part.Part.Most, err)
		}
		list = append(list, Share{part.Part.Most, int(j.found.N.Cases), int(j.found.N.Correct)})
	}
	return list, nil
}
