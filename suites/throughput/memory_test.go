package throughput_test

import (
	"fmt"
	"strings"
	"testing"

	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/suites/throughput"
)

// TestMemory checks the size of the arena, which is all memory of a training run. For a
// large vocabulary and many predictions, the arena must be smaller than the logits of
// all predictions together with the parameters, their gradients and their moments. This
// shows that the logits are never stored all at once.
func TestMemory(t *testing.T) {
	for _, c := range throughput.Cases() {
		m, err := c.Model()
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Build(stepgraph.Config{Training: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Differentiate(); err != nil {
			t.Fatal(err)
		}
		n := c.Tokens()
		text, err := scan.Format(g, scan.Options{MaxStrings: c.Batch, MaxRows: n, MaxSteps: c.Steps, MaxExamples: n, Moments: 2})
		if err != nil {
			t.Fatal(err)
		}
		var words int
		if _, err := fmt.Sscanf(text[strings.LastIndex(text, "words "):], "words %d", &words); err != nil {
			t.Fatal(err)
		}
		logits := n * c.Vocabulary
		t.Logf("case %s: %d MB, %d MB of logits", c.Name, 4*words>>20, 4*logits>>20)
		if c.Vocabulary >= 10_000 && n >= 1000 && words >= logits+4*g.CountParams() {
			t.Errorf("case %s: arena of %d words, want less than its %d logits beside the parameters", c.Name, words, logits)
		}
	}
}
