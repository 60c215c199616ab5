package metric

import "fmt"

// Answer holds the output of a network for one string, together with the truth. The string
// has T symbols, including the end symbol, and V is the number of different symbols. Row t
// is the output after symbol t.
type Answer struct {
	Valid  bool      // whether the string is in the language
	Viable []bool    // [T] whether the prefix can still be completed; in the last row, Valid
	Yhat   []float32 // [T] estimate of Valid by the network
	Prob   []float32 // [T, V] probabilities of the next symbol; only their order matters, so scores work as well
	Due    []int32   // [T] the only closing symbol that may come next, the end symbol if nothing is open, or a negative number
	Next   []uint8   // [T-1] the next symbol; nil if M is not measured
	Closes []bool    // [V] whether the symbol is a closing symbol
	End    int32     // the end symbol
}

// Recognition measures the accuracy of a network that recognises a language, by five
// readings of "classified correctly" and a stricter form of one. The zero
// Recognition is empty and ready to use.
//
//	A      the mean of yhat over all steps is above 1/2 if and only if the string is
//	       in the language
//	F      yhat at the end symbol is above 1/2 if and only if the string is in the
//	       language
//	C      at every step, yhat is above 1/2 if and only if the prefix is viable
//	N      in a string of the language, wherever a closing symbol is due, its
//	       probability is above that of every other closing symbol
//	M      more than half of the next symbols are more probable than every other symbol
//	       if and only if the string is in the language
//	NStar  like N, but the end symbol counts as a closing symbol, which is due where
//	       nothing is open
//
// A, F, C and M count all strings; N and NStar count only those of the language. N is
// similar to the criterion in [marnns], the public code of two baselines of the
// paper. That code compares each probability with a fixed threshold. A softmax cannot
// meet a fixed threshold, because its probabilities fall with the number of allowed
// symbols.
type Recognition struct {
	A, F, C, M, N, NStar Accuracy
}

// Add counts one string. It panics if the lengths do not fit each other.
func (r *Recognition) Add(a Answer) {
	steps, symbols := len(a.Yhat), len(a.Closes)
	if steps == 0 || len(a.Viable) != steps || len(a.Due) != steps || len(a.Prob) != steps*symbols || a.Next != nil && len(a.Next) != steps-1 {
		panic(fmt.Sprintf("metric: an answer of %d steps and %d symbols has %d truths, %d symbols due and %d probabilities, want %d, %d and %d",
			steps, symbols, len(a.Viable), len(a.Due), len(a.Prob), max(steps, 1), steps, steps*symbols))
	}
	sum, right := 0.0, true
	for t, y := range a.Yhat {
		sum += float64(y)
		right = right && (y > 0.5) == a.Viable[t]
	}
	r.A.Add((2*sum > float64(steps)) == a.Valid)
	r.F.Add((a.Yhat[steps-1] > 0.5) == a.Valid)
	r.C.Add(right)
	if a.Next != nil {
		predicted := 0
		for t, next := range a.Next {
			if a.first(t, int(next)) {
				predicted++
			}
		}
		r.M.Add((2*predicted > len(a.Next)) == a.Valid)
	}
	if !a.Valid {
		return
	}
	n, star := true, true
	for t, due := range a.Due {
		if due < 0 {
			continue
		}
		ahead, aheadOfEnd := a.ranks(t, due)
		n = n && (ahead || due == a.End)
		star = star && ahead && aheadOfEnd
	}
	r.N.Add(n)
	r.NStar.Add(star)
}

// first reports whether a symbol is more probable than every other in row t.
func (a *Answer) first(t, symbol int) bool {
	p := a.Prob[t*len(a.Closes):][:len(a.Closes)]
	for s, v := range p {
		if s != symbol && !(p[symbol] > v) {
			return false
		}
	}
	return true
}

// ranks compares the probability of the symbol due with the probabilities of other symbols in
// row t. The first result is true if the symbol due is more probable than every other closing
// symbol, where the end symbol does not count as a closing symbol. The second result is true
// if the symbol due is more probable than the end symbol, or is the end symbol itself.
func (a *Answer) ranks(t int, due int32) (ahead, aheadOfEnd bool) {
	p := a.Prob[t*len(a.Closes):][:len(a.Closes)]
	ahead, aheadOfEnd = true, due == a.End || p[due] > p[a.End]
	for s, closes := range a.Closes {
		if closes && int32(s) != due && int32(s) != a.End && !(p[due] > p[s]) {
			ahead = false
		}
	}
	return ahead, aheadOfEnd
}
