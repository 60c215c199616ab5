package formal

import (
	"fmt"
	"math"
	"slices"
)

// Recognition describes a corpus for recognition. Half of its strings are in a
// language and half are not. Its parts have no string in common.
//
// Each string that is not in the language has the same length as one that is. It is
// either ordinary, which means uniformly random symbols, or difficult, which means a
// string of the language in which one or three symbols are replaced by others. A string
// of either kind is drawn again if the oracle accepts it. The share of difficult strings
// is drawn once for each corpus.
//
// Because all strings are different, the strings of a corpus are longer than independent
// draws would be: the training strings of D2 have 25 symbols on average instead of 13.
type Recognition struct {
	Language Language
	Parts    []Part
	// Bounds of the share of difficult strings among the strings that are not in the
	// language. The share is uniform between the bounds. If both bounds are zero, there
	// are no difficult strings.
	LeastDifficult, MostDifficult float64
}

// Part is one part of a corpus.
type Part struct {
	Name                 Split
	Strings              int // half of them, rounded up, are in the language
	MinLength, MaxLength int // symbols of a string, without End
}

// The long parts of the published corpora, beyond [Train], [Dev] and [Test].
const (
	Long120 Split = "n120"
	Long160 Split = "n160"
)

// LongestPart is the largest allowed MaxLength of a part.
const LongestPart = 1 << 14

// NewRecognition returns the corpus that [diffstk] describes for a language. The paper states
// no sizes for palindromes; we take those of D2. The paper says of the lengths T of the long
// parts "105 < T and T > 160", and its tables have columns for 120 and 160. We take lengths
// of 106 to 120 and of 121 to 160.
func NewRecognition(lang Language) Recognition {
	train, dev, test := 6_230, 1_000, 3_000
	if lang == (Dyck{Types: 6}) {
		train, dev, test = 15_000, 2_000, 4_000
	}
	return Recognition{Language: lang, LeastDifficult: 0.15, MostDifficult: 0.30, Parts: []Part{
		{Train, train, 1, 55}, {Dev, dev, 21, 70}, {Test, test, 56, 102}, {Long120, 750, 106, 120}, {Long160, 750, 121, 160},
	}}
}

// positives returns the number of strings of a part that are in the language.
func (p Part) positives() int { return (p.Strings + 1) / 2 }

// Validate returns an error if the corpus cannot be drawn.
func (r Recognition) Validate() error {
	if r.Language == nil {
		return fmt.Errorf("recognition corpus: there is no language, want one")
	}
	if d, ok := r.Language.(Dyck); ok && (d.Types < 1 || d.Types > mostPairs) {
		return fmt.Errorf("recognition corpus of %v: %d types of brackets, want 1 to %d", r.Language, d.Types, mostPairs)
	}
	if a, b := r.LeastDifficult, r.MostDifficult; !(0 <= a && a <= b && b <= 1) {
		return fmt.Errorf("recognition corpus of %v: share of difficult strings: have a range from %v to %v, want 0 <= least <= most <= 1", r.Language, a, b)
	}
	if len(r.Parts) == 0 {
		return fmt.Errorf("recognition corpus of %v: there are no parts, want at least one", r.Language)
	}
	for i, p := range r.Parts {
		if err := r.check(p); err != nil {
			return fmt.Errorf("recognition corpus of %v: part %q: %w", r.Language, p.Name, err)
		}
		if slices.ContainsFunc(r.Parts[:i], func(q Part) bool { return q.Name == p.Name }) {
			return fmt.Errorf("recognition corpus of %v: two parts are named %q, want a name for each", r.Language, p.Name)
		}
	}
	return r.disjoint()
}

func (r Recognition) check(p Part) error {
	switch {
	case p.Name == "":
		return fmt.Errorf("it has no name, want one")
	case p.Strings < 2 || p.Strings > 1<<24:
		return fmt.Errorf("%d strings, want 2 to %d", p.Strings, 1<<24)
	case p.MinLength < 1 || p.MaxLength < p.MinLength || p.MaxLength > LongestPart:
		return fmt.Errorf("strings of %d to %d symbols, want 1 <= least <= most <= %d", p.MinLength, p.MaxLength, LongestPart)
	}
	if n := r.between(p.MinLength, p.MaxLength); n == 0 {
		return fmt.Errorf("no string of the language has %d to %d symbols", p.MinLength, p.MaxLength)
	}
	return nil
}

// between returns the number of strings of the language in a range of lengths.
func (r Recognition) between(least, most int) float64 {
	n := 0.0
	for length := least; length <= most && n < math.MaxInt64; length++ {
		n += r.Language.Strings(length)
	}
	return n
}

// disjoint returns an error if the parts need more different strings of the language than
// there are. It checks every range of lengths from the shortest length of one part to the
// longest length of a part. The parts whose lengths lie within this range must not need more
// strings than the language has in the range. By Hall's theorem no other sets of lengths need
// to be checked, because the lengths of each part are a range.
func (r Recognition) disjoint() error {
	for _, first := range r.Parts {
		for _, last := range r.Parts {
			need, names := 0, []Split(nil)
			for _, p := range r.Parts {
				if p.MinLength >= first.MinLength && p.MaxLength <= last.MaxLength {
					need, names = need+p.positives(), append(names, p.Name)
				}
			}
			if have := r.between(first.MinLength, last.MaxLength); need > 0 && float64(need) > have {
				return fmt.Errorf("recognition corpus of %v: parts %v need %d different strings of %d to %d symbols, but the language has %v: they cannot be disjoint",
					r.Language, names, need, first.MinLength, last.MaxLength, have)
			}
		}
	}
	return nil
}
