package formal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaultLengths(t *testing.T) {
	for _, want := range []BoundedDyck{
		{K: 2, M: 4, Min: 68, Max: 124},
		{K: 2, M: 6, Min: 164, Max: 252},
		{K: 2, M: 8, Min: 308, Max: 444},
		{K: 32, M: 3, Min: 38, Max: 84},
	} {
		if got := NewBoundedDyck(want.K, want.M); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		lang BoundedDyck
		want string // empty for a valid language
	}{
		{BoundedDyck{K: 2, M: 4, Min: 68, Max: 124}, ""},
		{BoundedDyck{K: 1, M: 1, Min: 0, Max: 1}, ""},
		{BoundedDyck{K: 127, M: 64, Min: 0, Max: 65536}, ""},
		{BoundedDyck{K: 2, M: 3, Min: 85, Max: 168}, ""},
		{BoundedDyck{K: 2, M: 3, Min: 69, Max: 71}, ""},
		{BoundedDyck{K: 0, M: 4, Min: 2, Max: 9}, "bounded Dyck language k=0 m=4 min=2 max=9: k is 0 types of brackets, want 1 to 127"},
		{BoundedDyck{K: 128, M: 4, Min: 2, Max: 9}, "bounded Dyck language k=128 m=4 min=2 max=9: k is 128 types of brackets, want 1 to 127"},
		{BoundedDyck{K: 2, M: 0, Min: 2, Max: 9}, "bounded Dyck language k=2 m=0 min=2 max=9: m is 0 open brackets, want 1 to 64"},
		{BoundedDyck{K: 2, M: 65, Min: 2, Max: 9}, "bounded Dyck language k=2 m=65 min=2 max=9: m is 65 open brackets, want 1 to 64"},
		{BoundedDyck{K: 2, M: 4, Min: -2, Max: 9}, "bounded Dyck language k=2 m=4 min=-2 max=9: min is -2 brackets, want 0 or more"},
		{BoundedDyck{K: 2, M: 4, Min: 2, Max: 65537}, "bounded Dyck language k=2 m=4 min=2 max=65537: max is 65537 tokens with END, want at most 65536"},
		{BoundedDyck{K: 2, M: 4, Min: 0, Max: 0}, "bounded Dyck language k=2 m=4 min=0 max=0: max is 0 tokens with END, want at least 1: the shortest string with min of 0 brackets has 0"},
		{BoundedDyck{K: 2, M: 4, Min: 100, Max: 50}, "bounded Dyck language k=2 m=4 min=100 max=50: max is 50 tokens with END, want at least 101: the shortest string with min of 100 brackets has 100"},
		{BoundedDyck{K: 2, M: 4, Min: 68, Max: 68}, "bounded Dyck language k=2 m=4 min=68 max=68: max is 68 tokens with END, want at least 69: the shortest string with min of 68 brackets has 68"},
		{BoundedDyck{K: 2, M: 4, Min: 69, Max: 70}, "bounded Dyck language k=2 m=4 min=69 max=70: max is 70 tokens with END, want at least 71: the shortest string with min of 69 brackets has 70"},
	} {
		got := ""
		if err := c.lang.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: got error %q, want %q", c.lang, got, c.want)
		}
		_, sampleErr := c.lang.Sample(1, Train, 1)
		_, chainErr := c.lang.Chain()
		_, closingsErr := c.lang.Closings(nil, nil)
		for what, err := range map[string]error{"Sample": sampleErr, "Chain": chainErr, "Closings": closingsErr} {
			if (err != nil) != (c.want != "") || err != nil && err.Error() != c.want {
				t.Errorf("%v: %s returns error %v, want %q", c.lang, what, err, c.want)
			}
		}
	}
}

func TestTokens(t *testing.T) {
	two := NewBoundedDyck(2, 4)
	all := []uint8{two.Open(0), two.Open(1), two.Close(0), two.Close(1), two.Start(), two.End()}
	if diff := cmp.Diff([]uint8{0, 1, 2, 3, 4, 5}, all); diff != "" {
		t.Errorf("token numbers (-want +got):\n%s", diff)
	}
	if got, want := two.Format(append(all, 6)), "(a (b a) b) START END token 6"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := two.Vocabulary(); got != 6 {
		t.Errorf("vocabulary is %d, want 6", got)
	}
	many := NewBoundedDyck(127, 3)
	seen := map[string]uint8{}
	for i := range many.Vocabulary() {
		name := many.Token(uint8(i))
		if before, ok := seen[name]; ok {
			t.Errorf("tokens %d and %d are both called %s", before, i, name)
		}
		seen[name] = uint8(i)
	}
	if got, want := many.Token(many.Close(26)), "aa)"; got != want {
		t.Errorf("the 27th closing bracket is %s, want %s", got, want)
	}
}
