package formal

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCorpusIsFrozen checks the first string of some corpora, the number of tokens and
// attempts of the first 100 strings, and the start of the SHA-256 of their tokens. If
// they change, the numeric contract of package kernel needs a new version.
func TestCorpusIsFrozen(t *testing.T) {
	for _, c := range []struct {
		lang  BoundedDyck
		seed  uint64
		split Split
		want  []string
	}{
		{NewBoundedDyck(2, 4), 1, Train, []string{
			"(a a) (a a) (a (a a) (b (a (a a) a) (b (a a) (b b) (b b) (b b) (a a) (a a) (a a) b) b) (a a) a) (a (b (b b) (b (a a) (a a) b) b) a) (a a) (b b) (a (b b) a) (b b) (a (b b) a) (b b) (a (a (b b) (b (b b) (b b) (a a) (a a) b) (a a) (a (a a) a) (a a) (a a) a) a) (b (a (a (a a) a) a) (b (b b) b) (b (b b) (a a) b) b)",
			"8396 tokens, 103 attempts",
			"153388266faa96ce",
		}},
		{NewBoundedDyck(2, 6), 1, Dev, []string{
			"(a (a (a a) a) a) (b b) (b (a (a (b (a (a a) (b b) a) b) (b (b b) (a (b b) (a a) (a a) (b b) (b b) (a a) (a a) a) b) a) (a a) a) (b (b (b (b (a a) b) (b b) b) b) (a (b b) (b b) a) (a (a (a (a a) (b b) (b b) a) a) (b b) a) b) b) (b (b b) b) (a a) (b b) (b (a a) (a a) b) (b (b (b b) (b b) b) b) (a a) (b b) (b (a (a (a (a a) a) (b b) (b (a a) b) a) (a (a a) a) a) b) (a a) (b (b (a (b (a a) (b b) (a (a a) (b b) (a a) a) b) a) (a a) b) b) (a a) (a (a a) (a (b b) (a (b b) (b b) (a a) a) (a (b (b b) (b b) (b b) (a (a a) (b b) (a a) (a a) a) (b b) b) a) a) (a a) (b b) (b (a a) (b b) b) (a a) a)",
			"19158 tokens, 113 attempts",
			"0951739048d55bbc",
		}},
		{NewBoundedDyck(2, 8), 7, Test, []string{
			"(a (a a) (a a) a) (a (b b) (b (a a) (b (a (b b) a) b) b) a) (b b) (b b) (b (b (a a) (b b) (a (a a) a) b) (b (b (a a) (a (a a) a) b) b) (b (a a) b) (b (a (b (b b) (a a) b) (b b) (b (b b) (a (b (b b) (b b) (b (b b) (b b) (b b) (b b) (a a) b) b) (a (a a) a) (a (a a) (b (b b) (a a) b) a) (b b) (a (a (b b) (a a) (b b) (b b) (a a) a) a) (a (a (a a) a) (a a) a) a) (a (a a) a) b) (a a) a) b) (b (a a) b) (a a) (b (a a) (b (a a) b) b) b) (a a) (b (a a) (b (a (b (b b) (b b) b) (b b) a) (a (b (b b) b) a) b) (b (a (b b) (a (b b) a) a) (b (b (b (b b) b) b) b) (b b) b) (a (b b) (b (b b) (a (a a) (b b) (a a) a) b) a) b) (b b) (a a) (b (b b) (b b) b) (a (b (b (b (a (b b) (a a) a) b) (b (b b) b) b) b) (a a) a) (a (b (b (b b) (b (a (b (a a) (a a) (b b) b) a) b) b) (a a) (b (b (a (a a) (b b) (b (b b) b) a) (a a) (b b) (b b) b) (a (b b) a) b) b) a) (b b) (a (b b) (b (b b) b) (b (a (a (a a) (b b) (a (a a) a) (b (b (b (b b) b) b) (a a) (b b) b) a) (b (b b) (b (a (b b) a) (a a) b) (a (a a) (b b) (a a) (b b) (a a) (a (b (a a) b) (b b) (b b) a) (a a) a) (a a) b) (a (b (b (a (b b) a) (a (a a) (a a) a) b) b) a) (b b) a) (b (b b) (b b) (a (b (a (b b) a) (a (a a) a) (a a) b) (a a) a) (a (a a) (b b) a) (a a) (b b) (a a) b) b) (a a) a)",
			"35916 tokens, 111 attempts",
			"96e301910f04e05b",
		}},
		{BoundedDyck{K: 3, M: 3, Min: 4, Max: 15}, 1, Train, []string{
			"(a a) (a a)",
			"824 tokens, 165 attempts",
			"f534d49f5a2bfe7c",
		}},
		{BoundedDyck{K: 127, M: 5, Min: 6, Max: 21}, 1, Train, []string{
			"(iii (uuuu uuuu) iii) (l (ii (sss sss) (yyyy (t t) yyyy) ii) (l l) l)",
			"1254 tokens, 209 attempts",
			"dae04e6d09cbb528",
		}},
	} {
		corpus := sample(t, c.lang, c.seed, c.split, 100)
		got := []string{
			c.lang.Format(corpus.Body(0)),
			fmt.Sprintf("%d tokens, %d attempts", corpus.Tokens(), corpus.Attempts()),
			fmt.Sprintf("%.8x", sha256.Sum256(corpus.tokens)),
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v seed %d %s (-want +got):\n%s", c.lang, c.seed, c.split, diff)
		}
	}
}

func sample(t *testing.T, lang BoundedDyck, seed uint64, split Split, n int) *Corpus {
	t.Helper()
	c, err := lang.Sample(seed, split, n)
	if err != nil {
		t.Fatal(err)
	}
	if c.Len() != n {
		t.Fatalf("%d strings, want %d", c.Len(), n)
	}
	return c
}

// corners lists languages to sample: those of the papers and edge cases of the parameters.
var corners = []BoundedDyck{
	NewBoundedDyck(2, 4), NewBoundedDyck(2, 6), NewBoundedDyck(2, 8), NewBoundedDyck(3, 3), NewBoundedDyck(127, 5),
	{K: 1, M: 1, Min: 0, Max: 1}, {K: 1, M: 1, Min: 0, Max: 9}, {K: 5, M: 64, Min: 10, Max: 13}, {K: 2, M: 3, Min: 7, Max: 9}, {K: 2, M: 3, Min: 7, Max: 10},
}

func TestStringsAreInTheLanguage(t *testing.T) {
	for _, lang := range corners {
		c := sample(t, lang, 3, Dev, 200)
		tokens := 0
		var list []Closing
		for i := range c.Len() {
			s := c.String(i)
			if s[0] != lang.Start() || s[len(s)-1] != lang.End() {
				t.Fatalf("%v string %d: %s lacks START or END", lang, i, lang.Format(s))
			}
			body := c.Body(i)
			if len(body) < lang.Min || len(body)+1 > lang.Max {
				t.Errorf("%v string %d: %d brackets, want %d to %d", lang, i, len(body), lang.Min, lang.Max-1)
			}
			var err error
			if list, err = lang.Closings(list[:0], body); err != nil {
				t.Fatalf("%v string %d: %v", lang, i, err)
			}
			if len(list)*2 != len(body) {
				t.Errorf("%v string %d: %d closing of %d brackets", lang, i, len(list), len(body))
			}
			if diff := cmp.Diff(append(c.Input(i)[1:len(body)+1:len(body)+1], lang.End()), c.Target(i)); diff != "" {
				t.Fatalf("%v string %d: target is not the input shifted (-want +got):\n%s", lang, i, diff)
			}
			tokens += len(c.Target(i))
		}
		if tokens != c.Tokens() {
			t.Errorf("%v: %d tokens, Tokens says %d", lang, tokens, c.Tokens())
		}
	}
}

// TestStringsAreIndependent checks that a string depends on seed, split and index, but
// not on the strings drawn before it.
func TestStringsAreIndependent(t *testing.T) {
	for _, lang := range corners {
		c := sample(t, lang, 5, Train, 60)
		longer := sample(t, lang, 5, Train, 90)
		for i := c.Len() - 1; i >= 0; i-- {
			alone := lang.AppendString([]uint8{9}, lang.Stream(5, Train), uint32(i))
			if diff := cmp.Diff(c.String(i), alone[1:]); diff != "" || alone[0] != 9 {
				t.Fatalf("%v string %d drawn alone (-want +got):\n%s", lang, i, diff)
			}
			if diff := cmp.Diff(c.String(i), longer.String(i)); diff != "" {
				t.Fatalf("%v string %d of a longer corpus (-want +got):\n%s", lang, i, diff)
			}
		}
	}
	lang := NewBoundedDyck(2, 4)
	first := sample(t, lang, 5, Train, 1).String(0)
	for name, other := range map[string][]uint8{
		"another seed":  sample(t, lang, 6, Train, 1).String(0),
		"another split": sample(t, lang, 5, Test, 1).String(0),
		"the next":      sample(t, lang, 5, Train, 2).String(1),
	} {
		if cmp.Equal(first, other) {
			t.Errorf("%s string is the same: %s", name, lang.Format(first))
		}
	}
}

func TestSampleErrors(t *testing.T) {
	lang := NewBoundedDyck(2, 4)
	for _, c := range []struct {
		split Split
		n     int
		want  string
	}{
		{"", 5, "sampling bounded Dyck language k=2 m=4 min=68 max=124: split has no name, want train, dev or test"},
		{Train, 0, "sampling bounded Dyck language k=2 m=4 min=68 max=124, split train: 0 strings, want 1 to 4294967295"},
		{Dev, -1, "sampling bounded Dyck language k=2 m=4 min=68 max=124, split dev: -1 strings, want 1 to 4294967295"},
	} {
		if _, err := lang.Sample(1, c.split, c.n); err == nil || err.Error() != c.want {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	defer func() {
		want := "formal: bounded Dyck language k=0 m=0 min=0 max=0: k is 0 types of brackets, want 1 to 127"
		if got := recover(); got != want {
			t.Errorf("got panic %v, want %q", got, want)
		}
	}()
	BoundedDyck{}.AppendString(nil, lang.Stream(1, Train), 0)
}
