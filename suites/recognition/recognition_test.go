package recognition

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestTable1(t *testing.T)    { Suite.Run(t, "diffstk", "1") }
func TestTable2(t *testing.T)    { Suite.Run(t, "diffstk", "2") }
func TestTable3(t *testing.T)    { Suite.Run(t, "diffstk", "3") }
func TestTable4(t *testing.T)    { Suite.Run(t, "diffstk", "4") }
func TestTable6(t *testing.T)    { Suite.Run(t, "diffstk", "6") }
func TestTable8(t *testing.T)    { Suite.Run(t, "diffstk", "8") }
func TestAnnounced(t *testing.T) { Suite.Run(t, "diffstk", "section 3") }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
