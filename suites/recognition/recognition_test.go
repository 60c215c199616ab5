package recognition

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestTable1(t *testing.T)    { Suite.Run(t) }
func TestTable2(t *testing.T)    { Suite.Run(t) }
func TestTable3(t *testing.T)    { Suite.Run(t) }
func TestTable4(t *testing.T)    { Suite.Run(t) }
func TestTable6(t *testing.T)    { Suite.Run(t) }
func TestTable8(t *testing.T)    { Suite.Run(t) }
func TestAnnounced(t *testing.T) { Suite.Run(t) }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
