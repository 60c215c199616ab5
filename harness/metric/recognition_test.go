package metric

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// perfect returns the perfect answer to the string "([])" followed by the end
// symbol. The symbols ( ) [ ] are 0 to 3, and the end symbol is 4.
func perfect() Answer {
	return Answer{
		Valid:  true,
		Viable: []bool{true, true, true, true, true},
		Yhat:   []float32{0.6, 0.6, 0.6, 0.6, 1},
		Prob: []float32{
			0.4, 0.3, 0.2, 0.1, 0,
			0.4, 0.1, 0.2, 0.3, 0,
			0.4, 0.3, 0.2, 0.1, 0,
			0.4, 0.1, 0.1, 0.1, 0.3,
			0, 0, 0, 0, 0, // nothing is due after the end symbol
		},
		Due:    []int32{1, 3, 1, 4, -1},
		Closes: []bool{false, true, false, true, false},
		End:    4,
	}
}

// negative returns an answer to "(([]" followed by the end symbol, which is not in the
// language. Only the end symbol makes the string wrong, because "(([]" can still be completed.
func negative() Answer {
	a := perfect()
	a.Valid, a.Viable[4], a.Due[3] = false, false, 1
	a.Yhat = []float32{0.8, 0.8, 0.8, 0.8, 0}
	return a
}

func TestRecognitionReadings(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		make func() Answer
		want string // the readings that count the string as right
	}{
		{"a perfect answer", perfect, "A F C N N*"},
		{"the end more probable than what is due", func() Answer { a := perfect(); a.Prob[1*5+4] = 0.35; return a }, "A F C N"},
		{"a closing symbol more probable than the end that is due", func() Answer { a := perfect(); a.Prob[3*5+1] = 0.35; return a }, "A F C N"},
		{"the wrong closing symbol", func() Answer { a := perfect(); a.Prob[1*5+1] = 0.35; return a }, "A F C"},
		{"a closing symbol as probable as what is due", func() Answer { a := perfect(); a.Prob[1*5+1] = a.Prob[1*5+3]; return a }, "A F C"},
		{"a probability that is no number", func() Answer { a := perfect(); a.Prob[1*5+3] = nan; return a }, "A F C"},
		{"one doubt on the way", func() Answer { a := perfect(); a.Yhat[2] = 0.5; return a }, "A F N N*"},
		{"doubts but for the end", func() Answer { a := perfect(); a.Yhat = []float32{0.1, 0.1, 0.1, 0.1, 1}; return a }, "F N N*"},
		{"a refusal at the end", func() Answer { a := perfect(); a.Yhat[4] = 0; return a }, "N N*"},
		{"a mean of exactly one half", func() Answer { a := perfect(); a.Yhat = []float32{0, 0.5, 1, 0.25, 0.75}; return a }, "F N N*"},
		{"yhat that is no number", func() Answer { a := perfect(); a.Yhat[0] = nan; return a }, "F N N*"},
		{"a late negative that is judged perfectly", negative, "F C"},
		{"an early negative that is judged perfectly", func() Answer {
			a := negative()
			a.Viable, a.Yhat = []bool{true, false, false, false, false}, []float32{0.6, 0, 0, 0, 0}
			return a
		}, "A F C"},
		{"a negative that is taken for valid", func() Answer { a := negative(); a.Yhat[4] = 0.9; return a }, ""},
		{"a negative whose mean is one half", func() Answer { a := negative(); a.Yhat = []float32{0, 0.5, 1, 0.75, 0.25}; return a }, "A F"},
	} {
		var r Recognition
		a := c.make()
		r.Add(a)
		var got []string
		for i, name := range []string{"A", "F", "C", "N", "N*"} {
			share := [...]Accuracy{r.A, r.F, r.C, r.N, r.NStar}[i]
			want := int64(1)
			if name[0] == 'N' && !a.Valid {
				want = 0
			}
			if share.Cases != want {
				t.Errorf("%s: %s has %d cases, want %d", c.name, name, share.Cases, want)
			}
			if share.Correct == 1 {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestMostSymbolsPredicted checks reading M on the string "([])" and on a string outside of the language.
func TestMostSymbolsPredicted(t *testing.T) {
	for _, c := range []struct {
		answer        Answer
		next          []uint8
		cases, counts int64
	}{
		{perfect(), []uint8{0, 0, 0, 1}, 1, 1}, // three of four are the most probable
		{perfect(), []uint8{0, 0, 1, 1}, 1, 0}, // two of four
		{negative(), []uint8{0, 0, 0, 1}, 1, 0},
		{negative(), []uint8{1, 1, 1, 1}, 1, 1},
		{perfect(), nil, 0, 0},
	} {
		var r Recognition
		c.answer.Next = c.next
		r.Add(c.answer)
		if r.M.Cases != c.cases || r.M.Correct != c.counts {
			t.Errorf("next symbols %v: have %d of %d right, want %d of %d", c.next, r.M.Correct, r.M.Cases, c.counts, c.cases)
		}
	}
	a := perfect()
	a.Next, a.Prob[1] = []uint8{0, 0, 0, 1}, a.Prob[0] // a symbol as probable as the next
	var r Recognition
	if r.Add(a); r.M.Correct != 0 {
		t.Error("have a next symbol that is as probable as another counted, want it not counted")
	}
}

func TestRecognitionRefusesUnequalLengths(t *testing.T) {
	for _, spoil := range []func(a *Answer){
		func(a *Answer) { a.Yhat = nil },
		func(a *Answer) { a.Next = make([]uint8, 5) },
		func(a *Answer) { a.Viable = a.Viable[1:] },
		func(a *Answer) { a.Due = a.Due[1:] },
		func(a *Answer) { a.Prob = a.Prob[1:] },
	} {
		a := perfect()
		spoil(&a)
		func() {
			defer func() {
				if got, ok := recover().(string); !ok || !strings.HasPrefix(got, "metric: an answer of ") {
					t.Errorf("got panic %v, want one about the lengths", got)
				}
			}()
			new(Recognition).Add(a)
		}()
	}
}
