package dyck

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestWCPA(t *testing.T)           { Suite.Run(t) }
func TestUnfrozen(t *testing.T)       { Suite.Run(t) }
func TestReadouts(t *testing.T)       { Suite.Run(t) }
func TestLanguageModels(t *testing.T) { Suite.Run(t) }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
