package formal

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/metric"
)

func TestPending(t *testing.T) {
	const a, b, A, B = 0, 1, 2, 3 // capitals close
	lang := BoundedDyck{K: 2, M: 2, Min: 0, Max: 100}
	got, err := lang.Pending(nil, []uint8{a, b, B, a, A, A, b, B})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Closing{{0, 0}, {1, 1}, {2, 0}, {3, 3}, {4, 0}, {6, 6}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := lang.Pending(nil, []uint8{a, B}); err == nil || err.Error() != "position 1: b), want a) for the bracket opened at 0" {
		t.Errorf("got error %v", err)
	}
}

// TestTrueSamplerHasLDPAOne checks the LDPA, the long-distance prediction accuracy, of two
// models. It does so by two rules: that of the papers on bounded Dyck languages and that of
// the public code of these languages. The first model is the sampler itself: its LDPA is 1
// at every distance, although it also gives probability to opening brackets and END. The
// second model knows the depth but not the types: its LDPA is 0.
func TestTrueSamplerHasLDPAOne(t *testing.T) {
	for _, m := range []int{4, 6, 8} {
		lang := NewBoundedDyck(2, m)
		chain, err := lang.Chain()
		if err != nil {
			t.Fatal(err)
		}
		c := sample(t, lang, 2, Test, 100)
		for _, v := range []struct {
			rule      metric.Rule
			positions func([]Closing, []uint8) ([]Closing, error)
		}{{metric.Paper, lang.Closings}, {metric.PublicCode, lang.Pending}} {
			sampler, blind := metric.NewLDPA(v.rule, lang.Max), metric.NewLDPA(v.rule, lang.Max)
			for i := range c.Len() {
				list, err := v.positions(nil, c.Body(i))
				if err != nil {
					t.Fatal(err)
				}
				depths := depthsOf(lang, c.Body(i))
				for _, p := range list {
					read := int(p.At) // tokens before the prediction
					if v.rule.Strict {
						read++
					}
					closes := float32(1 - chain.Opens(read, depths[read]))
					kind := int(c.Body(i)[p.Open])
					row := make([]float32, lang.K)
					row[kind] = closes
					sampler.AddRow(p.Distance(), row, kind)
					for k := range row {
						row[k] = closes / float32(lang.K)
					}
					blind.AddRow(p.Distance(), row, kind)
				}
			}
			if sampler.Undefined() != 0 || sampler.Total().Percent() != 100 || blind.Total().Percent() != 0 {
				t.Errorf("m=%d %v: sampler has %v, types unknown has %v; want all and none", m, v.rule, sampler.Total(), blind.Total())
			}
			worst, err := sampler.Worst(1)
			if err != nil {
				t.Fatal(err)
			}
			guess, err := blind.Worst(1)
			if err != nil {
				t.Fatal(err)
			}
			if worst.Percent() != 100 || guess.Percent() != 0 {
				t.Errorf("m=%d %v: WCPA is %v and %v, want 100 and 0", m, v.rule, worst, guess)
			}
		}
	}
}

// depthsOf returns the depth after 0, 1, 2 ... brackets.
func depthsOf(lang BoundedDyck, brackets []uint8) []int {
	depths := make([]int, 1, len(brackets)+1)
	for i, t := range brackets {
		if int(t) < lang.K {
			depths = append(depths, depths[i]+1)
		} else {
			depths = append(depths, depths[i]-1)
		}
	}
	return depths
}
