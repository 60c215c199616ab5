package wordlm

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestSentences(t *testing.T)    { Suite.Run(t, "resurgence", "2") }
func TestStreams(t *testing.T)      { Suite.Run(t, "stack-rnn", "4") }
func TestStackStreams(t *testing.T) { Suite.Run(t, "diffstk", "5") }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }
