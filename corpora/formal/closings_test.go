package formal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClosings(t *testing.T) {
	const a, b, A, B = 0, 1, 2, 3 // capitals close
	lang := BoundedDyck{K: 2, M: 2, Min: 0, Max: 100}
	for _, c := range []struct {
		brackets []uint8
		want     []Closing
		err      string
	}{
		{nil, nil, ""},
		{[]uint8{a, A}, []Closing{{1, 0}}, ""},
		{[]uint8{a, b, B, a, A, A, b, B}, []Closing{{2, 1}, {4, 3}, {5, 0}, {7, 6}}, ""},
		{[]uint8{A}, nil, "position 0: a), but no bracket is open"},
		{[]uint8{a, A, B}, nil, "position 2: b), but no bracket is open"},
		{[]uint8{a, b, A}, nil, "position 2: a), want b) for the bracket opened at 1"},
		{[]uint8{a, b, a}, nil, "position 2: (a with 3 brackets open, want at most 2"},
		{[]uint8{a, b, B}, nil, "position 3: the string ends with 1 brackets open, the last at 0"},
		{[]uint8{a, 4}, nil, "position 1: START, want a bracket, 0 to 3"},
		{[]uint8{a, 200}, nil, "position 1: token 200, want a bracket, 0 to 3"},
	} {
		got, err := lang.Closings(nil, c.brackets)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.err {
			t.Errorf("%s: got error %q, want %q", lang.Format(c.brackets), text, c.err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", lang.Format(c.brackets), diff)
		}
	}
}

// FuzzClosings compares Closings with a simple definition: a string is in the language if
// deleting adjacent pairs of brackets empties it and at most m brackets are ever open.
func FuzzClosings(f *testing.F) {
	f.Add([]byte{0, 2}, 1)
	f.Add([]byte{0, 1, 3, 2, 1, 3}, 2)
	f.Add([]byte{0, 3}, 2)
	f.Add([]byte{0, 1, 0, 2, 3, 2}, 2)
	f.Add([]byte{4, 5}, 3)
	f.Add([]byte{255, 0}, 64)
	f.Fuzz(func(t *testing.T, brackets []byte, m int) {
		lang := BoundedDyck{K: 2, M: m, Min: 0, Max: 9}
		if lang.Validate() != nil {
			return
		}
		list, err := lang.Closings(nil, brackets)
		var open []byte
		valid := true
		for _, t := range brackets {
			if n := len(open); n > 0 && t == open[n-1]+2 && open[n-1] < 2 {
				open = open[:n-1]
			} else {
				open = append(open, t)
				valid = valid && t < 4 && len(open) <= m
			}
		}
		valid = valid && len(open) == 0
		if (err == nil) != valid {
			t.Fatalf("%v with m=%d: error is %v, but valid is %t", brackets, m, err, valid)
		}
		if err != nil {
			return
		}
		if len(list) != len(brackets)/2 {
			t.Fatalf("%d closing brackets in %d", len(list), len(brackets))
		}
		for _, c := range list {
			if c.Distance()%2 != 1 || brackets[c.At] != brackets[c.Open]+2 {
				t.Fatalf("%v: wrong pair %v", brackets, c)
			}
		}
	})
}
