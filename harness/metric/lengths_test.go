package metric

import (
	"fmt"
	"testing"
)

func TestLengths(t *testing.T) {
	l := NewLengths(1, 60)
	for n := 2; n <= 60; n++ {
		for i := range 199 {
			l.Add(n, n < 20 || n == 21 && i > 0 || n == 60)
		}
	}
	for _, c := range []struct {
		lo, hi int
		want   Share
	}{
		{1, 60, Share{20, 60}}, // right are 1 (which has no strings), 2 to 19, and 60
		{2, 59, Share{18, 58}},
		{21, 60, Share{1, 40}},
		{60, 60, Share{1, 1}},
		{20, 21, Share{0, 2}},
	} {
		if got := l.RightShare(c.lo, c.hi); got != c.want {
			t.Errorf("of the lengths %d to %d %v are right, want %v", c.lo, c.hi, got, c.want)
		}
	}
	for n, want := range map[int]Share{1: {}, 2: {199, 199}, 20: {0, 199}, 21: {198, 199}, 0: {}, 61: {}} {
		if got := l.At(n); got != want {
			t.Errorf("length %d: got %v, want %v", n, got, want)
		}
	}
}

func TestLengthsOutside(t *testing.T) {
	for want, call := range map[string]func(){
		"metric: lengths: have 3 to 2, want the second no smaller than the first": func() { NewLengths(3, 2) },
		"metric: length 1, want 2 to 4":                                           func() { NewLengths(2, 4).Add(1, true) },
		"metric: length 5, want 2 to 4":                                           func() { NewLengths(2, 4).Add(5, true) },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("got panic %q, want %q", got, want)
				}
			}()
			call()
		})
	}
}
