package rng

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPermIsTheDocumentedLoop recomputes permutations from Block alone.
func TestPermIsTheDocumentedLoop(t *testing.T) {
	s := New(5, "order")
	for n := range 101 {
		want := make([]int32, n)
		for i := range want {
			var j uint32
			for attempt := uint32(0); ; attempt++ {
				v, ok := below(s.Block(At{Unit: uint32(i) / 4, T: attempt, Update: 3})[i%4], uint32(i)+1)
				if ok {
					j = v
					break
				}
			}
			want[i] = want[j]
			want[j] = int32(i)
		}
		got := make([]int32, n+2)
		got[0], got[n+1] = -7, -7
		s.Perm(got[1:n+1], 3)
		if got[0] != -7 || got[n+1] != -7 {
			t.Fatalf("n %d: wrote outside dst", n)
		}
		if diff := cmp.Diff(want, got[1:n+1]); diff != "" {
			t.Fatalf("n %d (-want +got):\n%s", n, diff)
		}
		seen := make([]bool, n)
		for _, v := range want {
			if seen[v] {
				t.Fatalf("n %d: %d occurs twice", n, v)
			}
			seen[v] = true
		}
	}
}

// TestPermIsUniform counts all 24 orders of four entries over 24,000 updates. It is a
// chi-square test with 23 degrees of freedom at a level of one in a million (z = 4.753
// in the approximation of Wilson and Hilferty).
func TestPermIsUniform(t *testing.T) {
	const updates = 24000
	counts := map[[4]int32]int{}
	s := New(6, "order")
	for update := range uint32(updates) {
		var order [4]int32
		s.Perm(order[:], update)
		counts[order]++
	}
	if len(counts) != 24 {
		t.Errorf("%d orders occur, want 24", len(counts))
	}
	chi := 0.0
	for _, c := range counts {
		d := float64(c) - updates/24
		chi += d * d / (updates / 24)
	}
	const df, z = 23, 4.753
	if bound := df * math.Pow(1-2/(9.0*df)+z*math.Sqrt(2/(9.0*df)), 3); chi > bound {
		t.Errorf("chi-square is %.1f, want at most %.1f", chi, bound)
	}
}

// TestPermRetryUsesTheNextAttempt calls permRetry directly, because Perm rarely needs
// a second attempt at any length that fits a test.
func TestPermRetryUsesTheNextAttempt(t *testing.T) {
	s := New(7, "order")
	const i = 1 << 31 // i+1 rejects nearly half of all words
	want := uint32(0)
	for attempt := uint32(1); ; attempt++ {
		if v, ok := below(s.Block(At{Unit: i / 4, T: attempt, Update: 2})[i%4], i+1); ok {
			want = v
			break
		}
	}
	if got := s.permRetry(i, 2); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

// BenchmarkPerm permutes 1.7 million entries, the number of (prefix, closing bracket)
// examples of the deepest Dyck language.
func BenchmarkPerm(b *testing.B) {
	s := New(1, "order")
	order := make([]int32, 1_700_000)
	update := uint32(0)
	for b.Loop() {
		s.Perm(order, update)
		update++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(order)), "ns/entry")
}

func BenchmarkBlock(b *testing.B) {
	s := New(1, "order")
	at := At{}
	var sum uint32
	for b.Loop() {
		w := s.Block(at)
		sum += w[3]
		at.Unit++
	}
	b.SetBytes(16)
	_ = sum
}

func BenchmarkNormal(b *testing.B) {
	s := New(1, "noise")
	at := At{}
	for b.Loop() {
		s.Normal(at)
		at.Unit++
	}
}

func BenchmarkSeq(b *testing.B) {
	s := New(1, "corpus")
	q := s.Seq(0, 0)
	for b.Loop() {
		q.IntN(4)
	}
}
