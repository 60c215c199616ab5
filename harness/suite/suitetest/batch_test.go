package suitetest

import (
	"slices"
	"testing"

	"pushdown/harness/train"
)

func TestExampleContexts(t *testing.T) {
	b := &train.Batch{Active: []int{2, 2, 1}, Token: []int32{0, 1, 2, 3, 4}, ExampleRows: []int32{4, 1, 3}, Target: make([]int32, 3)}
	have := ExampleContexts(b, func(x uint8) string { return string('a' + rune(x)) })
	if want := []string{"a c e", "b", "b d"}; !slices.Equal(want, have) {
		t.Errorf("have %q, want %q", have, want)
	}
}

// seeded is a source of type letters that depends on a seed: for update i it returns the
// batch that letters has for update i+seed.
type seeded struct {
	letters
	seed int
}

func (s seeded) Fill(i int, b *train.Batch) { s.letters.Fill(i+s.seed, b) }

func TestSource(t *testing.T) {
	Source(t, func(seed uint64) (train.Source, error) { return seeded{seed: int(seed)}, nil })
}
