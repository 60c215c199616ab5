package wordlm

import (
	"strings"
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/suites/lm"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestSentences(t *testing.T)    { Suite.Run(t) }
func TestStreams(t *testing.T)      { Suite.Run(t) }
func TestStackStreams(t *testing.T) { Suite.Run(t) }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }

// TestEmbeddedRowsLearn checks that every row on the embedded text has a perplexity below a
// fourth of that of a guess among all words.
func TestEmbeddedRowsLearn(t *testing.T) {
	file := suitetest.Must(Suite.Golden(suite.CI))(t)
	words := suitetest.Must(lm.Words("shakespeare"))(t).Len()
	if len(file.Rows) < 15 {
		t.Fatalf("have %d rows, want at least 15", len(file.Rows))
	}
	for _, row := range file.Rows {
		if have, ok := row.Value("test-ppl"); !ok || have >= float64(words)/4 {
			t.Errorf("%s: have the perplexity %v, want less than a fourth of the vocabulary of %d words", row.Name, have, words)
		}
	}
}

// TestNoise checks that the networks of Noisy have noise, and those with a NO-OP carry-forward.
func TestNoise(t *testing.T) {
	for _, e := range Noisy() {
		m := suitetest.Must(e.model(50))(t)
		if !strings.Contains(m.Name, " noise=0.05") || strings.HasPrefix(string(e.Network), "diffstk") != strings.Contains(m.Name, " carry-forward") {
			t.Errorf("%s: have the network %s, want noise, and carry-forward in a DiffStk network", e.Network, m.Name)
		}
	}
}

// TestErrorsAreOfTheMean checks that the networks bound errors of the mean loss of an update: 15 for the sum of 32
// columns of 5 words.
func TestErrorsAreOfTheMean(t *testing.T) {
	for _, e := range Table4() {
		if e.Network != RNN && e.Network != LSTM && e.Network != StackRNN {
			continue
		}
		if m := suitetest.Must(e.model(50))(t); e.Clip != 15 || e.Columns*e.Every != 160 || !strings.Contains(m.Name, "clip=0.09375") {
			t.Errorf("%s: have the network %s, want clip=0.09375", e.Network, m.Name)
		}
	}
}
