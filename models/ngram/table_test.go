package ngram

import (
	"testing"

	"pushdown/harness/rng"
)

// TestTableIsMap applies the same operations to a table and to a Go map. Many of
// the pairs have the same node or the same word, and half of them have a node and a
// word near the largest possible ones.
func TestTableIsMap(t *testing.T) {
	type pair struct{ node, word uint32 }
	var tab table
	if _, found := tab.get(0, 0); found {
		t.Error("the zero table has a pair, want none")
	}
	want := map[pair]uint32{}
	q := rng.New(1, "test/table").Seq(0, 0)
	for range 20_000 {
		p := pair{q.IntN(200), q.IntN(60)}
		if q.IntN(2) == 0 {
			p = pair{^uint32(0) - p.node, ^uint32(0) - 1 - p.word}
		}
		number, found := tab.at(p.node, p.word)
		if before, had := want[p]; found != had || *number != before {
			t.Fatalf("%v: have %d, %v, want %d, %v", p, *number, found, before, had)
		}
		*number++
		want[p]++
		p.word ^= 1
		have, found := tab.get(p.node, p.word)
		if before, had := want[p]; found != had || have != before {
			t.Fatalf("%v: have %d, %v, want %d, %v", p, have, found, before, had)
		}
	}
	nodes, sum := map[uint32]uint32{}, 0
	tab.each(func(node, number uint32) { nodes[node] += number; sum++ })
	for p, number := range want {
		nodes[p.node] -= number
	}
	for node, rest := range nodes {
		if rest != 0 {
			t.Errorf("node %d: the sums of its numbers differ by %d, want 0", node, int32(rest))
		}
	}
	if sum != len(want) || tab.used != sum {
		t.Errorf("have %d pairs in use and %d in each, want %d", tab.used, sum, len(want))
	}
}
