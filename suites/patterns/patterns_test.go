package patterns

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestTable2(t *testing.T)   { Suite.Run(t) }
func TestVariants(t *testing.T) { Suite.Run(t) }
func TestFigure2(t *testing.T)  { Suite.Run(t) }
func TestTraces(t *testing.T)   { Suite.Run(t) }
func TestLearns(t *testing.T)   { Suite.Run(t) }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
