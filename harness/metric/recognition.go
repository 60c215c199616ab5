package metric

import "fmt"

// Answer is what a network says of one string of T symbols, the end symbol the
// last of them, and what is true. Row t is what it says after symbol t.
type Answer struct {
	Valid  bool      // whether the string is in the language
	Viable []bool    // [T] whether the prefix can still be completed; in the last row, Valid
	Yhat   []float32 // [T] the network's estimate of Valid
	Prob   []float32 // [T, V] its probabilities of the next symbol; only ranks count, so scores do as well
	Due    []int32   // [T] the symbol that must come if the string closes something here, or a negative number
	Closes []bool    // [V] the symbols that are wrong where another is due
	End    int32     // the end symbol
}

// Recognition is the accuracy of a network that recognises a language, by four
// readings of "classified correctly" and a stricter form of the last. The zero
// Recognition is empty and ready.
//
//	A      the mean of yhat over all steps is above 1/2 for a string of the
//	       language, not above it for another
//	F      the same of yhat at the end symbol alone
//	C      at every step yhat is above 1/2 exactly where the prefix is viable
//	N      in a string of the language, wherever a closing symbol is due its
//	       probability is above that of each other closing symbol
//	NStar  the same with the end symbol as one more closing symbol, due where
//	       nothing is open
//
// A, F and C count all strings, N and NStar those of the language. N asks what
// the public code of two of the baselines asks [marnns]; there a threshold
// decides, which a softmax, whose shares fall with the number of symbols that are
// allowed, cannot meet.
type Recognition struct {
	A, F, C, N, NStar Accuracy
}

// Add counts one string. It panics when the lengths do not fit each other.
func (r *Recognition) Add(a Answer) {
	steps, symbols := len(a.Yhat), len(a.Closes)
	if steps == 0 || len(a.Viable) != steps || len(a.Due) != steps || len(a.Prob) != steps*symbols {
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

// ranks tells whether the symbol that is due in row t is more probable than all
// other closing symbols, and than the end symbol.
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

// Merge adds the counts of another accumulator.
func (r *Recognition) Merge(other Recognition) {
	for i, a := range other.all() {
		mine := r.all()[i]
		mine.Correct += a.Correct
		mine.Cases += a.Cases
	}
}

func (r *Recognition) all() [5]*Accuracy {
	return [5]*Accuracy{&r.A, &r.F, &r.C, &r.N, &r.NStar}
}

// String writes the five in per cent.
func (r *Recognition) String() string {
	return fmt.Sprintf("A %.2f F %.2f C %.2f N %.2f N* %.2f", r.A.Percent(), r.F.Percent(), r.C.Percent(), r.N.Percent(), r.NStar.Percent())
}
