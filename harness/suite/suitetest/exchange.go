package suitetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/golden"
)

// Score returns the values of predictions, given their records, each of which ends a line.
func Score(t *testing.T, set *exchange.Set, records string) []golden.Value {
	t.Helper()
	p := Must(exchange.Read(strings.NewReader(`{"data":"x"}`+"\n"+records), "predictions", set, "x"))(t)
	return Must(set.Score(p))(t)
}

// CheckScore fails the test unless predictions of one of our own networks score exactly what the function value returns for
// each metric of the set. The predictions must be of all splits that may have some.
func CheckScore(t *testing.T, set *exchange.Set, records string, value func(unit string) (float64, bool), what string) {
	t.Helper()
	var want []golden.Value
	for _, m := range set.Metrics {
		v, ok := value(m.Unit)
		if !ok {
			t.Errorf("%s: our network has no %s, want one", what, m.Unit)
		}
		want = append(want, golden.Value{Unit: m.Unit, Value: v})
	}
	Equal(t, want, Score(t, set, records), "%s: score of what our network predicts", what)
}

// Nats returns records of the lines of a split of a text. The numbers are those of all tokens and ends of lines, one after the other.
func Nats(t *testing.T, s exchange.Split, numbers []float32) string {
	t.Helper()
	var lines [][]float32
	for i := range s.Strings {
		n := len(s.Text(i)) + 1
		lines, numbers = append(lines, numbers[:n]), numbers[n:]
	}
	return NatsByLine(t, s, lines)
}

// NatsByLine is like Nats, for a list for each line.
func NatsByLine(t *testing.T, s exchange.Split, lines [][]float32) string {
	t.Helper()
	var records strings.Builder
	for i, list := range lines {
		fmt.Fprintf(&records, `{"split":%q,"string":%d,"nats":%s}`+"\n", s.Name, i, Must(json.Marshal(list))(t))
	}
	return records.String()
}
