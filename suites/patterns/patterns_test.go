package patterns

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestTable2(t *testing.T)   { Suite.Run(t, "stack-rnn", "2") }
func TestVariants(t *testing.T) { Suite.Run(t, "stack-rnn", "section 5.1") }
func TestFigure2(t *testing.T)  { Suite.Run(t, "stack-rnn", "figure 2") }
func TestTraces(t *testing.T)   { Suite.Run(t, "stack-rnn", "table 3 and figure 3") }
func TestLearns(t *testing.T)   { Suite.Run(t, "stack-rnn", "short") }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
