package dyck

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestWCPA(t *testing.T)           { Suite.Run(t, "resurgence", "2") }
func TestUnfrozen(t *testing.T)       { Suite.Run(t, "resurgence", "section 6.2") }
func TestReadouts(t *testing.T)       { Suite.Run(t, "resurgence", "section 5.4") }
func TestLanguageModels(t *testing.T) { Suite.Run(t, "second-order-lstm", "1") }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
