package suitetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/train"
)

// ExampleContexts returns a text for each example of a batch: the tokens of the string up
// to and including the step at which the prediction is made. With it, a test can check
// which predictions a suite asks for, without knowing the layout of a batch.
func ExampleContexts(b *train.Batch, token func(uint8) string) []string {
	read, at := make([]string, b.Active[0]), make([]string, 0, len(b.Token))
	for _, n := range b.Active {
		for i := range n {
			read[i] = strings.TrimSpace(read[i] + " " + token(uint8(b.Token[len(at)])))
			at = append(at, read[i])
		}
	}
	asked := make([]string, len(b.ExampleRows))
	for i, row := range b.ExampleRows {
		asked[i] = at[row]
	}
	return asked
}

// Source tests the sources that build returns. A batch must depend only on the seed and
// the update, not on earlier batches, and must not be larger than the Bounds of the
// source. Fill must not allocate once there is memory for the largest batch.
func Source(t *testing.T, build func(seed uint64) (train.Source, error)) {
	t.Helper()
	s, bounds := Must(build(5))(t), Must(build(5))(t).Bounds()
	for _, u := range []int{0, 1, 30, 3, 0, 100, 2, 30} {
		var have, want train.Batch
		s.Fill(u, &have)
		Must(build(5))(t).Fill(u, &want)
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("batch of update %d after others (-want +have):\n%s", u, diff)
		}
	}
	var b, other train.Batch
	s.Fill(0, &b)
	Must(build(6))(t).Fill(0, &other)
	if cmp.Equal(b, other) {
		t.Error("the seeds 5 and 6 have the same first batch, want different ones")
	}
	update, all := 0, 5*s.PerEpoch()
	fill := func() {
		b.Reset()
		s.Fill(update%all, &b)
		update++
	}
	for range all {
		fill()
		if b.Active[0] > bounds.Strings || len(b.Active) > bounds.Steps || len(b.Token) > bounds.Rows || len(b.ExampleRows) > bounds.Examples {
			t.Errorf("update %d has %d strings, %d steps, %d rows and %d examples, want at most %+v", update-1, b.Active[0], len(b.Active), len(b.Token), len(b.ExampleRows), bounds)
		}
	}
	if n := testing.AllocsPerRun(all-1, fill); n != 0 {
		t.Errorf("have %v allocations in a batch, want none", n)
	}
}
