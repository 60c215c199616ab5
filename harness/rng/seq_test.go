package rng

import "testing"

func TestSeqReadsBlocksInOrder(t *testing.T) {
	s := New(8, "corpus")
	for _, at := range []At{{}, {Row: 3}, {Row: 3, T: 2}} {
		q := s.Seq(at.Row, at.T)
		for d := range uint32(50) {
			want := s.Block(At{Unit: d / 4, Row: at.Row, T: at.T})[d%4]
			if got := q.Uint32(); got != want {
				t.Fatalf("string %d attempt %d draw %d: got %08x, want %08x", at.Row, at.T, d, got, want)
			}
		}
	}
}

func TestSeqIntNTakesTheNextWord(t *testing.T) {
	const n = 1<<31 + 1
	s := New(9, "corpus")
	q, words := s.Seq(1, 0), s.Seq(1, 0)
	for i := range 500 {
		var want uint32
		for {
			v, ok := below(words.Uint32(), n)
			if ok {
				want = v
				break
			}
		}
		if got := q.IntN(n); got != want {
			t.Fatalf("draw %d: got %d, want %d", i, got, want)
		}
	}
	if q != words {
		t.Error("IntN and its words ended at different places")
	}
}

func TestNoAllocation(t *testing.T) {
	s := New(1, "test")
	order := make([]int32, 100)
	allocs := testing.AllocsPerRun(10, func() {
		q := s.Seq(1, 2)
		q.IntN(5)
		s.Perm(order, 1)
		s.Normal(At{Unit: 1})
		s.IntN(At{Unit: 1}, 5)
	})
	if allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}
