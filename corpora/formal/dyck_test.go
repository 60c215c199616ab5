package formal

import (
	"math"
	"testing"

	"pushdown/harness/rng"
)

// lengths returns the exact distribution of the length of a string drawn from the grammar of
// [Dyck], which starts with the symbol S. It computes one distribution for each nesting
// depth, from the greatest depth outwards: f[n] is the probability that an S at this depth
// produces a string of n symbols. The distribution f is the least fixed point of
//
//	f[n] = 1/4 [n = 0] + 1/2 inner[n-2] + 1/4 (f * f)[n]    n <= most
//
// Here [n = 0] is 1 if n is 0 and 0 otherwise, * is convolution, and inner is the
// distribution one level deeper. The parameter most is the maximum number of symbols. An S
// that would produce more symbols produces none, so f[0] includes the probability of that
// case.
func lengths(most int) []float64 {
	inner := make([]float64, most+1)
	inner[0] = 1 // an S at the greatest depth produces nothing
	for around := (most - 1) / 2 * 2; around >= 0; around -= 2 {
		f := make([]float64, most+1)
		for moved := 1.0; moved > 1e-15; {
			next := make([]float64, most+1)
			next[0] = 0.25
			add := func(n int, p float64) {
				if n > most {
					n = 0
				}
				next[n] += p
			}
			total := 0.0
			for i, p := range f {
				total += p
				if p == 0 {
					continue
				}
				for j, q := range f {
					add(i+j, p*q/4)
				}
			}
			for n, p := range inner {
				add(n+2, p/2)
			}
			moved = 0
			for n := range f {
				moved += math.Abs(next[n] - f[n])
			}
			f = next
		}
		inner = f
	}
	return inner
}

// TestDyckLengths compares drawn lengths with the exact distribution. It also checks
// that one draw in 13 has 56 to 102 brackets, the range of the published test strings.
func TestDyckLengths(t *testing.T) {
	for _, most := range []int{2, 9, 30} {
		const n = 200_000
		want, got := lengths(most), make([]float64, most+1)
		s := rng.New(1, "test")
		var buf []uint8
		for i := range uint32(n) {
			q := s.Seq(i, 0)
			var whole bool
			if buf, whole = (Dyck{3}).draw(buf[:0], &q, 0, most); !whole {
				t.Fatalf("a string of %d brackets is too short for 0", len(buf))
			}
			got[len(buf)]++
		}
		for length, p := range want {
			// The bound is at least five standard deviations: the variance of a
			// binomial distribution is n*p*(1-p), a little less than n*p.
			if off := math.Abs(got[length] - n*p); off > 5*math.Sqrt(n*p)+1 {
				t.Errorf("at most %d: %v strings of %d, want %.1f", most, got[length], length, n*p)
			}
		}
	}
	kept := 0.0
	for length, p := range lengths(102) {
		if length >= 56 {
			kept += p
		}
	}
	if draws := 1 / kept; math.Abs(draws-13) > 0.5 {
		t.Errorf("%.2f draws for a string of 56 to 102, want about 13", draws)
	}
	if c := draw(t, NewRecognition(Dyck{2}), 1)[2]; math.Abs(float64(c.Attempts())*kept/1500-1) > 4/math.Sqrt(1500) {
		t.Errorf("%d draws for 1,500 strings, want %.0f", c.Attempts(), 1500/kept)
	}
}

// TestDyckTypes checks that the types of brackets are uniform, and that each type has as
// many closing as opening brackets.
func TestDyckTypes(t *testing.T) {
	c := draw(t, NewRecognition(Dyck{6}), 2)[2]
	count, n := [12]int{}, 0
	for i := 0; i < c.Len(); i += 2 {
		for _, s := range c.Body(i) {
			count[s]++
			n++
		}
	}
	for s, k := range count {
		if p := 1.0 / 12; math.Abs(float64(k)-p*float64(n)) > 5*math.Sqrt(p*float64(n)) {
			t.Errorf("symbol %d occurs %d times of %d, want a twelfth", s, k, n)
		}
		if k != count[s^1] {
			t.Errorf("%d of symbol %d and %d of its partner, want as many", k, s, count[s^1])
		}
	}
}

// TestPalindromeLengths checks that the lengths of palindromes are uniform over the odd
// numbers of a range, and that their letters are uniform.
func TestPalindromeLengths(t *testing.T) {
	c := draw(t, NewRecognition(Palindrome{}), 2)[2] // 57, 59 .. 101
	count, a, letters := map[int]int{}, 0, 0
	for i := 0; i < c.Len(); i += 2 {
		body := c.Body(i)
		count[len(body)]++
		for _, s := range body[:len(body)/2] {
			letters++
			if s == 0 {
				a++
			}
		}
	}
	for n := 57; n <= 101; n += 2 {
		if mean := 1500.0 / 23; math.Abs(float64(count[n])-mean) > 5*math.Sqrt(mean) {
			t.Errorf("%d palindromes of %d, want about %.0f", count[n], n, mean)
		}
	}
	if math.Abs(float64(a)-float64(letters)/2) > 4*math.Sqrt(float64(letters)/4) {
		t.Errorf("%d of %d letters are a, want half", a, letters)
	}
}

// TestMeanLength checks the mean length of the training strings of D2. The mean is large
// because all strings are different. If strings could repeat, it would be the mean of
// the exact distribution without the empty string, about 13.
func TestMeanLength(t *testing.T) {
	c := draw(t, NewRecognition(Dyck{2}), 1)[0]
	if mean := float64(c.Symbols())/float64(c.Len()) - 1; math.Abs(mean-25.2) > 0.05 {
		t.Errorf("%.2f symbols on average, want 25.2", mean)
	}
	sum, kept := 0.0, 0.0
	for length, p := range lengths(55) {
		if length > 0 {
			sum, kept = sum+p*float64(length), kept+p
		}
	}
	if mean := sum / kept; math.Abs(mean-13) > 0.5 {
		t.Errorf("%.2f symbols on average with repetitions, want about 13", mean)
	}
}
