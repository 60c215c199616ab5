package dyck

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// answers lists the examples of batch i of whole strings: the pair that each
// one predicts, found by walking the packed rows.
func answers(t *testing.T, corpus *formal.Corpus, s *Strings, size, i int, b *train.Batch) []pair {
	t.Helper()
	var order []int // strings of the batch, longest first, ties by index
	for j := i * size; j < min((i+1)*size, corpus.Len()); j++ {
		order = append(order, j)
	}
	slices.SortStableFunc(order, func(x, y int) int { return len(corpus.Body(y)) - len(corpus.Body(x)) })
	distances := suitetest.Must(s.Distances(i, nil))(t)
	if len(distances) != len(b.Pick) || len(b.Target) != len(b.Pick) {
		t.Fatalf("batch %d has %d examples, %d targets and %d distances", i, len(b.Pick), len(b.Target), len(distances))
	}
	var list []pair
	row := 0
	for step, n := range b.Active {
		for _, text := range order[:n] {
			if have, want := b.Token[row], int32(corpus.Body(text)[step]); have != want {
				t.Fatalf("batch %d, row %d: token %d, want %d of string %d at %d", i, row, have, want, text, step)
			}
			if k := len(list); k < len(b.Pick) && int(b.Pick[k]) == row {
				list = append(list, pair{text, step + 1, distances[k]})
			}
			row++
		}
	}
	if len(list) != len(b.Pick) || row != len(b.Token) {
		t.Fatalf("batch %d: %d of %d examples stand in row order, %d rows of %d", i, len(list), len(b.Pick), row, len(b.Token))
	}
	return list
}

// TestStrings: the examples of all batches are all closing brackets, each once,
// with type and distance.
func TestStrings(t *testing.T) {
	for _, c := range []struct{ k, m, strings, size int }{{2, 4, 50, 8}, {1, 1, 9, 9}, {3, 5, 13, 1}, {2, 3, 7, 100}} {
		lang, corpus := small(t, c.k, c.m, c.strings)
		s := NewStrings(lang, corpus, c.size)
		var have []pair
		var most train.Bounds
		var b train.Batch
		for i := range s.Len() {
			b.Reset()
			s.Fill(i, &b)
			list := answers(t, corpus, s, c.size, i, &b)
			for j, p := range list {
				if want := int32(corpus.Body(p.text)[p.at]) - int32(lang.K); b.Target[j] != want {
					t.Errorf("batch %d, example %d: type %d, want %d", i, j, b.Target[j], want)
				}
			}
			have = append(have, list...)
			most.Strings, most.Rows = max(most.Strings, b.Active[0]), max(most.Rows, len(b.Token))
			most.Steps, most.Examples = max(most.Steps, len(b.Active)), max(most.Examples, len(b.Pick))
		}
		slices.SortFunc(have, func(x, y pair) int {
			if x.text != y.text {
				return x.text - y.text
			}
			return x.at - y.at
		})
		if diff := cmp.Diff(pairs(t, lang, corpus), have, cmp.AllowUnexported(pair{})); diff != "" {
			t.Errorf("closing brackets of %d strings by %d (-want +have):\n%s", c.strings, c.size, diff)
		}
		// A batch reaches each bound, but for the rows that predict nothing.
		if bounds := s.Bounds(); bounds != most {
			t.Errorf("bounds %+v of %d strings by %d, want %+v", bounds, c.strings, c.size, most)
		}
	}
}

// prefixSet lets the prefixes of an epoch be evaluated.
type prefixSet struct{ train.Source }

func (s prefixSet) Len() int { return s.PerEpoch() }

// TestPrefixesAndStringsAgree: a model says the same of a bracket, bit for bit,
// whether it reads the prefix alone or the whole string once, and in whatever
// company.
func TestPrefixesAndStringsAgree(t *testing.T) {
	lang, corpus := small(t, 2, 3, 40)
	dev := suite.Open(t)
	for _, c := range cells {
		t.Run(c.name, func(t *testing.T) {
			model := suitetest.Must(c.model())(t)
			source := suitetest.Must(NewPrefixes(lang, corpus, 16, 3))(t)
			whole := NewStrings(lang, corpus, 7)
			res, err := train.Run(&train.Experiment{
				Name: c.name, Build: model.Build, Train: source, Valid: whole,
				Seed: 3, Rule: resurgence(3).Rule, MaxUpdates: 12,
			}, train.Options{Device: dev})
			if err != nil {
				t.Fatal(err)
			}
			said := map[pair][3]uint32{} // loss and probabilities
			bits := func(o *train.Outcome, i int) [3]uint32 {
				prob := suitetest.Must(o.Output(models.OutputProb, 2))(t)
				return [3]uint32{math.Float32bits(o.Loss[i]), math.Float32bits(prob[2*i]), math.Float32bits(prob[2*i+1])}
			}
			evaluate(t, model, whole, res, func(o *train.Outcome) {
				for i, p := range answers(t, corpus, whole, 7, o.Index, o.Batch) {
					said[pair{p.text, p.at, 0}] = bits(o, i)
				}
			})
			compared, all := 0, pairs(t, lang, corpus)
			perm := make([]int32, len(all))
			rng.New(3, "order").Perm(perm, 0)
			evaluate(t, model, prefixSet{source}, res, func(o *train.Outcome) {
				drawn := perm[16*o.Index:][:16]
				slices.SortStableFunc(drawn, func(x, y int32) int { return all[y].at - all[x].at })
				for i, j := range drawn {
					e := pair{all[j].text, all[j].at, 0}
					if have, want := bits(o, i), said[e]; have != want {
						t.Fatalf("string %d, bracket at %d: loss and probabilities %x from the prefix, %x from the string", e.text, e.at, have, want)
					}
					compared++
				}
			})
			if compared != source.PerEpoch()*16 {
				t.Errorf("%d predictions compared, want %d", compared, source.PerEpoch()*16)
			}
		})
	}
}

// evaluate shows what a model says of a set.
func evaluate(t *testing.T, model *models.Model, set train.Set, res *train.Result, visit func(*train.Outcome)) {
	t.Helper()
	ev := suitetest.Must(train.NewEvaluator(model.Build, suite.Open(t), set, 3))(t)
	defer ev.Close()
	if _, err := ev.Run(res.Params, func(o *train.Outcome) error { visit(o); return nil }); err != nil {
		t.Fatal(err)
	}
}
