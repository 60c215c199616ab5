package formal

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func draw(t *testing.T, r Recognition, seed uint64) []*Labelled {
	t.Helper()
	parts, err := r.Draw(seed)
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

// TestRecognitionIsFrozen checks the corpora of seed 1: their first two strings and, for each
// part, the number of symbols, the number of attempts, the number of difficult strings, and
// the start of the SHA-256 of all symbols. If one of these changes, the corpora have changed,
// and the numeric contract of package kernel needs a new version.
func TestRecognitionIsFrozen(t *testing.T) {
	for _, c := range []struct {
		lang Language
		want []string
	}{
		{Dyck{2}, []string{
			"().", "][.",
			"train 163226 10199 586 71b32219bdb27d66",
			"dev 43984 2719 94 5cdcc67d725739aa",
			"test 234344 19346 282 1384813bc4ed7048",
			"n120 85466 23063 71 d8ea931c2cde19ef",
			"n160 106162 12605 71 4ee525c2ba451461",
		}},
		{Dyck{6}, []string{
			"+-.", "++.",
			"train 342740 18901 1856 c7fb46a103170286",
			"dev 84020 5755 248 d404c182e181ee73",
			"test 311672 25534 495 9a7a1803eace0e1d",
			"n120 85234 21496 93 d6891d1ce464b175",
			"n160 105446 13205 93 39222455cccb447b",
		}},
		{Palindrome{}, []string{
			"abbbbababbabbabbabbabaabcbaababbabbabbabbababbbba.", "bbaacacccbccababcaaccbcbbacbbcccabbabcaabaabcbbbc.",
			"train 224196 4192 675 87e10892e63585eb",
			"dev 46236 504 108 1511fb917f834c65",
			"test 240768 1500 325 5cc345ae5a4edcaf",
			"n120 85676 375 81 a3672e918dd2d18d",
			"n160 105444 375 81 01ed6b563d55376f",
		}},
	} {
		var got []string
		for i, p := range draw(t, NewRecognition(c.lang), 1) {
			if i == 0 {
				got = append(got, Text(c.lang, p.String(0)), Text(c.lang, p.String(1)))
			}
			got = append(got, fmt.Sprintf("%s %d %d %d %.8x", p.Part.Name, p.Symbols(), p.Attempts(), p.Count(Difficult), sha256.Sum256(p.symbols)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.lang, diff)
		}
	}
}

// TestRecognitionKeepsItsPromises checks the length, the end and the kind of every string
// of the corpora. It also checks that no string occurs twice, and that strings inside and
// outside the language alternate.
func TestRecognitionKeepsItsPromises(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws whole corpora: go test ./corpora/formal -run RecognitionKeepsItsPromises")
	}
	for _, lang := range recognised {
		r := NewRecognition(lang)
		seen := map[string]bool{}
		for _, c := range draw(t, r, 5) {
			p := c.Part
			if c.Len() != p.Strings || c.Count(Positive) != (p.Strings+1)/2 {
				t.Errorf("%v %s: %d strings, %d of them in the language, want %d and half of it", lang, p.Name, c.Len(), c.Count(Positive), p.Strings)
			}
			symbols := 0
			for i := range c.Len() {
				s, body := c.String(i), c.Body(i)
				text := Text(lang, body)
				symbols += len(s)
				if len(s) != len(body)+1 || s[len(body)] != End(lang) {
					t.Fatalf("%v %s %d: %s lacks its end", lang, p.Name, i, Text(lang, s))
				}
				if len(body) < p.MinLength || len(body) > p.MaxLength {
					t.Errorf("%v %s %d: %d symbols, want %d to %d", lang, p.Name, i, len(body), p.MinLength, p.MaxLength)
				}
				if seen[text] {
					t.Errorf("%v %s %d: %s is there twice", lang, p.Name, i, text)
				}
				seen[text] = true
				if got := contains(lang, text); got != c.Valid(i) || c.Valid(i) != (i%2 == 0) {
					t.Errorf("%v %s %d: %s is of kind %d, in the language: %v", lang, p.Name, i, text, c.Kind(i), got)
				}
				if i%2 == 0 {
					continue
				}
				if len(body) != len(c.Body(i-1)) {
					t.Errorf("%v %s %d: %d symbols, want %d as the string before it", lang, p.Name, i, len(body), len(c.Body(i-1)))
				}
				if n := differ(body, c.Body(i-1)); c.Kind(i) == Difficult && n != 1 && n != 3 {
					t.Errorf("%v %s %d: %d symbols differ from the string before it, want 1 or 3", lang, p.Name, i, n)
				}
			}
			if symbols != c.Symbols() {
				t.Errorf("%v %s: %d symbols, Symbols says %d", lang, p.Name, symbols, c.Symbols())
			}
		}
	}
}

func differ(a, b []uint8) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// TestShareOfDifficultStrings checks the share of difficult strings. It must be the same in
// all parts of a corpus and within its bounds, and its mean over many seeds must be that of a
// uniform number. Difficult strings with one and with three replaced symbols must be equally
// frequent.
func TestShareOfDifficultStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws whole corpora: go test ./corpora/formal -run ShareOfDifficultStrings")
	}
	r := Recognition{Language: Dyck{3}, LeastDifficult: 0.15, MostDifficult: 0.30, Parts: []Part{{Train, 200, 10, 30}, {Test, 1000, 31, 50}}}
	sum, one, three := 0.0, 0, 0
	const seeds = 60
	for seed := range uint64(seeds) {
		parts := draw(t, r, seed)
		share := float64(parts[1].Count(Difficult)) / 500
		if share < 0.15 || share > 0.30 {
			t.Errorf("seed %d: share %v, want 0.15 to 0.30", seed, share)
		}
		// The share in the training part may differ from that in the test part a
		// little, because the numbers of difficult strings are rounded.
		if other := float64(parts[0].Count(Difficult)) / 100; other < share-0.007 || other > share+0.007 {
			t.Errorf("seed %d: share %v in training and %v in test, want one", seed, other, share)
		}
		sum += share
		for i := 1; i < parts[1].Len(); i += 2 {
			switch c := parts[1]; {
			case c.Kind(i) != Difficult:
			case differ(c.Body(i), c.Body(i-1)) == 1:
				one++
			default:
				three++
			}
		}
	}
	// Uniform numbers in 0.15 .. 0.30 have a standard deviation of 0.0433. The mean of 60 such
	// numbers has a standard error of 0.0056, and four standard errors are 0.022.
	if mean := sum / seeds; mean < 0.225-0.022 || mean > 0.225+0.022 {
		t.Errorf("mean share %v, want 0.225", mean)
	}
	// A string with one replaced symbol is always outside of the language, a string with three
	// nearly always. There are about 6,700 difficult strings. The number of those with one
	// replaced symbol has a mean of 3,350 and a standard deviation of 41.
	if n := one + three; one < n/2-4*41 || one > n/2+4*41 {
		t.Errorf("%d strings with one exchange of %d, want half", one, n)
	}
	r.LeastDifficult, r.MostDifficult = 0, 0
	for _, c := range draw(t, r, 1) {
		if n := c.Count(Difficult); n != 0 {
			t.Errorf("%s: %d difficult strings, want none", c.Part.Name, n)
		}
	}
}

// TestPositivesAreTheSameBesideOtherNegatives changes the share of difficult strings, which
// are outside of the language, and the size of the next part. It checks that the training
// part still has the same strings of the language.
func TestPositivesAreTheSameBesideOtherNegatives(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws whole corpora: go test ./corpora/formal -run PositivesAreTheSameBesideOtherNegatives")
	}
	r := NewRecognition(Dyck{2})
	other := NewRecognition(Dyck{2})
	other.LeastDifficult, other.MostDifficult = 0, 0
	other.Parts[1].Strings = 20
	a, b := draw(t, r, 3)[0], draw(t, other, 3)[0]
	for i := 0; i < a.Len(); i += 2 {
		if diff := cmp.Diff(a.Body(i), b.Body(i)); diff != "" {
			t.Fatalf("string %d (-want +got):\n%s", i, diff)
		}
	}
	if again := draw(t, r, 3)[0]; !cmp.Equal(a.symbols, again.symbols) {
		t.Errorf("a seed drawn again gives other strings")
	}
	if c := draw(t, r, 4)[0]; cmp.Equal(a.Body(0), c.Body(0)) && cmp.Equal(a.Body(2), c.Body(2)) && cmp.Equal(a.Body(4), c.Body(4)) {
		t.Errorf("another seed begins with the same strings: %s", Text(r.Language, a.Body(0)))
	}
}

// TestShortestAndLongestStrings checks that strings of one or two symbols, and of about ten
// thousand symbols, are labelled correctly.
func TestShortestAndLongestStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws strings of ten thousand symbols: go test ./corpora/formal -run ShortestAndLongestStrings")
	}
	for _, c := range []struct {
		lang Language
		part Part
	}{{Palindrome{}, Part{Train, 2, 1, 1}}, {Dyck{2}, Part{Train, 2, 1, 2}}, {Palindrome{}, Part{Test, 4, 9_999, 9_999}}, {Dyck{2}, Part{Test, 4, 9_000, 10_000}}} {
		r := Recognition{Language: c.lang, Parts: []Part{c.part}, LeastDifficult: 0.5, MostDifficult: 0.5}
		p := draw(t, r, 1)[0]
		for i := range p.Len() {
			if in := accepts(c.lang.NewOracle(), p.Body(i)); in != p.Valid(i) {
				t.Errorf("%v, string %d of %d symbols: in the language is %v", c.lang, i, len(p.Body(i)), in)
			}
		}
	}
}
