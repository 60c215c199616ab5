package ngram

import "testing"

// FuzzTrain trains on arbitrary texts with arbitrary configurations. Train must return
// an error if and only if the input is invalid. Otherwise the text must have a
// perplexity of at least 1, and the probabilities of all words must sum to 1 after each
// context that the test tries.
func FuzzTrain(f *testing.F) {
	f.Add(2, 3, int32(2), false, []byte{0, 1, 2, 0, 0, 2})
	f.Add(5, 10, int32(0), true, []byte("\x01\x02\x03\x00\x01\x02\x03\x00\x01\x02\x04\x00"))
	f.Fuzz(func(t *testing.T, order, vocabulary int, end int32, single bool, tokens []byte) {
		if len(tokens) > 500 || vocabulary > 1000 {
			return
		}
		text := make([]int32, len(tokens))
		valid := order >= 1 && order <= MaxOrder && vocabulary >= 1 && end >= 0 && int(end) < vocabulary && len(text) > 0
		for i, b := range tokens {
			text[i] = int32(int8(b))
			valid = valid && text[i] >= 0 && int(text[i]) < vocabulary
		}
		m, err := Train(Config{order, vocabulary, end, single}, text)
		if valid != (err == nil) {
			t.Fatalf("have error %v, want one: %v", err, !valid)
		}
		if err != nil {
			return
		}
		probs, err := m.Probs(text)
		if err != nil {
			t.Fatal(err)
		}
		if ppl, err := Perplexity(probs); err != nil || !(ppl > 1-1e-12) {
			t.Fatalf("have perplexity %v, %v, want at least 1", ppl, err)
		}
		for i := 0; i <= len(text); i += 1 + len(text)/10 {
			sum := 0.0
			for w := range int32(vocabulary) {
				sum += m.Prob(text[:i], w)
			}
			if !near(sum, 1) {
				t.Fatalf("sum of the probabilities of token %d: have %v, want 1", i, sum)
			}
		}
	})
}
