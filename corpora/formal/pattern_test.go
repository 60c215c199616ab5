package formal

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatternTokens(t *testing.T) {
	want := map[Pattern]string{AnBn: "ab", AnBnCn: "abc", AnBnCnDn: "abcd", AnB2n: "ab", AnBmCnm: "abc", Memorization: "12=", Addition: "01+=."}
	for _, p := range Patterns() {
		all := make([]uint8, p.Vocabulary())
		for i := range all {
			all[i] = uint8(i)
		}
		if got := p.Format(all); got != want[p] {
			t.Errorf("tokens of %s are %q, want %q", p, got, want[p])
		}
		if got, want := p.Token(uint8(len(all))), fmt.Sprintf("token %d", len(all)); got != want {
			t.Errorf("%s names a token outside its vocabulary %q, want %q", p, got, want)
		}
	}
	if n := Pattern("anbncnx").Vocabulary(); n != 0 {
		t.Errorf("an unknown pattern has %d tokens, want 0", n)
	}
}

func TestPatternErrors(t *testing.T) {
	for _, c := range []struct {
		pattern Pattern
		split   Split
		lengths Range
		want    string
	}{
		{"anbmcn", Train, Range{2, 9}, `stream of epoch 3: pattern "anbmcn" is unknown, want one of [anbn anbncn anbncndn anb2n anbmcnm memorization addition]`},
		{"", Train, Range{2, 9}, `stream of epoch 3: pattern "" is unknown, want one of [anbn anbncn anbncndn anb2n anbmcnm memorization addition]`},
		{AnBn, Train, Range{9, 8}, "stream of epoch 3: pattern anbn: greatest n is 8, want at least the least, 9"},
		{AnBn, Dev, Range{0, 8}, "stream of epoch 3: pattern anbn: least n is 0, want at least 1"},
		{AnBmCnm, Test, Range{1, 1}, "stream of epoch 3: pattern anbmcnm: least n is 1, want at least 2"},
		{Memorization, Train, Range{0, 2}, "stream of epoch 3: pattern memorization: least n is 0, want at least 1"},
		{Addition, Train, Range{-1, 2}, "stream of epoch 3: pattern addition: least n is -1, want at least 0"},
		{Addition, Train, Range{0, 65537}, "stream of epoch 3: pattern addition: greatest n is 65537, want at most 65536"},
		{AnB2n, "", Range{2, 9}, "stream of epoch 3: pattern anb2n: split has no name, want train, dev or test"},
	} {
		if _, err := c.pattern.Stream(1, c.split, 3, c.lengths); err == nil || err.Error() != c.want {
			t.Errorf("%s %s %v: got error %v, want %q", c.pattern, c.split, c.lengths, err, c.want)
		}
	}
}

// TestPatternsAreFrozen checks the first strings of an epoch. If they change, the
// numeric contract of package kernel needs a new version.
func TestPatternsAreFrozen(t *testing.T) {
	want := map[Pattern]string{
		AnBn:         "aabb aaaaabbbbb aaaabbbb aaaaabbbbb aabb ",
		AnBnCn:       "aaaabbbbcccc aaaabbbbcccc aaaaabbbbbccccc aaabbbccc aaaaaabbbbbbcccccc ",
		AnBnCnDn:     "aaaabbbbccccdddd aaabbbcccddd aaaaaabbbbbbccccccdddddd aaaaaabbbbbbccccccdddddd aaaabbbbccccdddd ",
		AnB2n:        "aabbbb aaabbbbbb aaabbbbbb aaabbbbbb aaaabbbbbbbb ",
		AnBmCnm:      "aabbbbcccccc aabbbbcccccc abcc abcc abbccc ",
		Memorization: "2111=1112 22=22 2121=1212 2121=1212 222112=211222 ",
		Addition:     "1101+11=00001. 110101+0=101011. 11+0=11. 1+10=11. 1+101=011. ",
	}
	got := map[Pattern]string{}
	for _, p := range Patterns() {
		s := patternStream(t, p, 1, Train, 2, Range{2, 6})
		text := ""
		for range 5 {
			text += p.Format(s.Next().Tokens) + " "
		}
		got[p] = text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func patternStream(t testing.TB, p Pattern, seed uint64, split Split, epoch uint32, lengths Range) *PatternStream {
	t.Helper()
	s, err := p.Stream(seed, split, epoch, lengths)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
