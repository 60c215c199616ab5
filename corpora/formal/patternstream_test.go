package formal

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// member reports whether s is a string of length n of the pattern p. It follows the
// definition of the pattern and does not use the code under test. The result determined is
// the number of symbols that a reader who knows the pattern can predict. In a counting
// language, the first symbol of the next string is one of them.
func member(p Pattern, s string, n int) (ok bool, determined int) {
	a, b, c, d := strings.Count(s, "a"), strings.Count(s, "b"), strings.Count(s, "c"), strings.Count(s, "d")
	plain := s == strings.Repeat("a", a)+strings.Repeat("b", b)+strings.Repeat("c", c)+strings.Repeat("d", d)
	switch p {
	case AnBn:
		return plain && a == n && b == n && c+d == 0, n
	case AnBnCn:
		return plain && a == n && b == n && c == n && d == 0, 2 * n
	case AnBnCnDn:
		return plain && a == n && b == n && c == n && d == n, 3 * n
	case AnB2n:
		return plain && a == n && b == 2*n && c+d == 0, 2 * n
	case AnBmCnm:
		return plain && a > 0 && b > 0 && a+b == n && c == n && d == 0, n
	case Memorization:
		first, second, found := strings.Cut(s, "=")
		back := []byte(second)
		slices.Reverse(back)
		return found && len(first) == n && strings.Trim(first, "12") == "" && first == string(back), n
	}
	left, right, _ := strings.Cut(strings.TrimSuffix(s, "."), "=")
	x, y, _ := strings.Cut(left, "+")
	digits := 0
	var sum big.Int
	for _, number := range []string{x, y} {
		v, fine := new(big.Int).SetString(number, 2)
		if !fine || strings.HasPrefix(number, "0") && number != "0" {
			return false, 0
		}
		if number != "0" {
			digits += len(number)
		}
		sum.Add(&sum, v)
	}
	back := []byte(right)
	slices.Reverse(back)
	// The sum 0+0 needs no case of its own: both the string s and sum.Text have a single 0
	// for it.
	return digits == n && string(back) == sum.Text(2) && strings.HasSuffix(s, "."), len(right) + 1
}

func TestPatternStringsAreInTheLanguage(t *testing.T) {
	for _, p := range Patterns() {
		for _, lengths := range []Range{{p.Shortest(), p.Shortest()}, {p.Shortest(), 9}, {33, 40}, {1000, 1000}} {
			s := patternStream(t, p, 7, Dev, 0, lengths)
			for range 100 {
				x := s.Next()
				text := p.Format(x.Tokens)
				ok, determined := member(p, text, x.N)
				if !ok || x.N < lengths.Min || x.N > lengths.Max {
					t.Fatalf("%s: %s is no string of length %d in %v", p, text, x.N, lengths)
				}
				if got := p.Determined(x); got != determined {
					t.Errorf("%s: %s determines %d symbols, want %d", p, text, got, determined)
				}
			}
		}
	}
}

// TestDeterminedPartStartsWhereItShould checks at which symbol of a string with n = 3 the
// random part ends and the determined part begins.
func TestDeterminedPartStartsWhereItShould(t *testing.T) {
	for _, p := range Patterns() {
		s := patternStream(t, p, 1, Test, 0, Range{3, 3})
		x := s.Next()
		before := p.Format(x.Tokens[:x.From])
		want := map[Pattern]string{AnBn: "aaab", AnBnCn: "aaab", AnBnCnDn: "aaab", AnB2n: "aaab"}[p]
		switch {
		case p == AnBmCnm:
			if strings.Trim(before, "ab") != "c" || !strings.HasSuffix(before, "bc") {
				t.Errorf("%s: the part that is chance is %s, want it to end with the first c", p, before)
			}
		case p == Memorization || p == Addition:
			if strings.Index(before, "=") != len(before)-1 {
				t.Errorf("%s: the part that is chance is %s, want it to end with =", p, before)
			}
		case before != want:
			t.Errorf("%s: the part that is chance is %s, want %s", p, before, want)
		}
	}
}

// TestPatternsAreUniform checks that these are uniform: the length n over its range, the
// number m in anbmcnm, the number of digits of the first number in an addition, and random
// symbols. Counts in 20,000 strings must be within five standard deviations of their mean.
func TestPatternsAreUniform(t *testing.T) {
	const draws = 20_000
	check := func(what string, counts map[int]int, kinds int) {
		if len(counts) != kinds {
			t.Errorf("%s: %d values occur, want %d", what, len(counts), kinds)
		}
		total := 0
		for _, n := range counts {
			total += n
		}
		mean := float64(total) / float64(kinds)
		for v, n := range counts {
			if math.Abs(float64(n)-mean) > 5*math.Sqrt(mean) {
				t.Errorf("%s: %d occurs %d times of %d, want about %.0f", what, v, n, total, mean)
			}
		}
	}
	for _, p := range Patterns() {
		lengths, parts, free := map[int]int{}, map[int]int{}, map[int]int{}
		s := patternStream(t, p, 3, Train, 5, Range{2, 9})
		for range draws {
			x := s.Next()
			lengths[x.N]++
			text := p.Format(x.Tokens)
			switch {
			case p == AnBmCnm && x.N == 6:
				parts[strings.Count(text, "b")]++
			case p == Memorization:
				for _, t := range x.Tokens[:x.N] {
					free[int(t)]++
				}
			case p == Addition && x.N == 6:
				first, _, _ := strings.Cut(text, "+")
				if first == "0" {
					first = ""
				}
				parts[len(first)]++
				for _, t := range x.Tokens[1:max(1, len(first))] {
					free[int(t)]++
				}
			}
		}
		check(string(p)+" n", lengths, 8)
		switch p {
		case AnBmCnm:
			check(string(p)+" m", parts, 5)
		case Memorization:
			check(string(p)+" symbols", free, 2)
		case Addition:
			check(string(p)+" digits of the first number", parts, 7)
			check(string(p)+" digits", free, 2)
		}
	}
}

// TestPatternStringsAreIndependent checks that a string depends on seed, split and epoch,
// but not on the strings drawn before it.
func TestPatternStringsAreIndependent(t *testing.T) {
	first := func(p Pattern, seed uint64, split Split, epoch, index uint32, n int) []string {
		s := patternStream(t, p, seed, split, epoch, Range{2, n})
		s.Seek(index)
		var list []string
		for range n {
			list = append(list, p.Format(s.Next().Tokens))
		}
		return list
	}
	for _, p := range Patterns() {
		all := patternStream(t, p, 5, Train, 1, Range{2, 30})
		var in []string
		for range 40 {
			in = append(in, p.Format(all.Next().Tokens))
		}
		if all.Index() != 40 {
			t.Errorf("%s: the next string is %d, want 40", p, all.Index())
		}
		if diff := cmp.Diff(in[10:], first(p, 5, Train, 1, 10, 30)); diff != "" {
			t.Errorf("%s from the string 10 on (-want +got):\n%s", p, diff)
		}
		for what, other := range map[string][]string{
			"another seed": first(p, 6, Train, 1, 0, 30), "another split": first(p, 5, Dev, 1, 0, 30), "another epoch": first(p, 5, Train, 2, 0, 30),
		} {
			if cmp.Equal(in[:30], other) {
				t.Errorf("%s: %s has the same strings", p, what)
			}
		}
	}
}

// TestPatternStreamKeepsItsMemory checks that drawing strings no longer allocates once the
// longest string has been drawn, so that a stream may run forever.
func TestPatternStreamKeepsItsMemory(t *testing.T) {
	for _, p := range Patterns() {
		s := patternStream(t, p, 1, Train, 0, Range{20, 20})
		for range 50 {
			s.Next()
		}
		if n := testing.AllocsPerRun(200, func() { s.Next() }); n != 0 {
			t.Errorf("%s: a string takes %v allocations, want 0", p, n)
		}
	}
}

// BenchmarkPatternStream draws strings of the lengths that training uses.
func BenchmarkPatternStream(b *testing.B) {
	for _, p := range Patterns() {
		b.Run("pattern="+string(p), func(b *testing.B) {
			s := patternStream(b, p, 1, Train, 0, Range{2, 14})
			tokens := 0
			for b.Loop() {
				tokens += len(s.Next().Tokens)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tokens), "ns/token")
		})
	}
}
