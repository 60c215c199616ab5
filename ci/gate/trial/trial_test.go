package trial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSidesMirrorEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 40; n++ {
		base, head := sides(normal(r, 2*n), 0.05, 0.02)
		tr, back := New(base, head, 1), New(head, base, 1)
		if tr.Slower() != back.Faster() || tr.Faster() != back.Slower() {
			t.Errorf("%d rounds: chances %v %v, exchanged %v %v", n, tr.Slower(), tr.Faster(), back.Slower(), back.Faster())
		}
		if d := (1 + tr.Change()) * (1 + back.Change()); math.Abs(d-1) > 1e-12 {
			t.Errorf("%d rounds: changes %v and %v, want the inverse", n, tr.Change(), back.Change())
		}
		if d := (1 + tr.Mean()) * (1 + back.Mean()); math.Abs(d-1) > 1e-12 {
			t.Errorf("%d rounds: means %v and %v, want the inverse", n, tr.Mean(), back.Mean())
		}
		if tr.Noise() != back.Noise() {
			t.Errorf("%d rounds: noise %v and %v, want the same", n, tr.Noise(), back.Noise())
		}
	}
}

// TestNothingDependsOnTheSpeedOfABlock multiplies all speeds of a block by the same
// factor, as a slow drift would. The results must not change.
func TestNothingDependsOnTheSpeedOfABlock(t *testing.T) {
	base, head := sides(normal(rand.New(rand.NewPCG(2, 2)), 64), 0.02, 0.03)
	want := New(base, head, 1)
	for i := range base {
		f := 1 + float64(i/Rounds*7%5)
		base[i] *= f
		head[i] *= f
	}
	have := New(base, head, 1)
	if have.Slower() != want.Slower() || have.Need(loss5, comparisons) != want.Need(loss5, comparisons) {
		t.Errorf("have %v and need %d, want %v and %d", have.Slower(), have.Need(loss5, comparisons), want.Slower(), want.Need(loss5, comparisons))
	}
	if math.Abs(have.Change()-want.Change()) > 1e-12 || math.Abs(have.Mean()-want.Mean()) > 1e-12 || math.Abs(have.Noise()-want.Noise()) > 1e-12 {
		t.Errorf("have change %v, mean %v and noise %v, want %v, %v and %v",
			have.Change(), have.Mean(), have.Noise(), want.Change(), want.Mean(), want.Noise())
	}
}

func TestClearLossesAreCertain(t *testing.T) {
	base, head := []float64{101, 102, 103, 104, 105, 106, 107, 108}, []float64{90, 91, 92, 93, 94, 95, 96, 97}
	tr := New(base, head, 1)
	if want := 1.0 / (70 * 70); math.Abs(tr.Slower()-want) > 1e-18 {
		t.Errorf("slower: have %v, want 1 in 70^2, %v", tr.Slower(), want)
	}
	if tr.Faster() != 1 {
		t.Errorf("faster: have %v, want 1", tr.Faster())
	}
}

func TestTiesAreNoLoss(t *testing.T) {
	same := slices.Repeat([]float64{100}, 16)
	tr := New(same, same, 1)
	if tr.Slower() < 0.5 || tr.Faster() < 0.5 {
		t.Errorf("all equal: slower %v, faster %v, want more than a half", tr.Slower(), tr.Faster())
	}
	if tr.Change() != 0 || tr.Mean() != 0 || tr.Noise() != 0 {
		t.Errorf("all equal: change %v, mean %v, noise %v, want 0", tr.Change(), tr.Mean(), tr.Noise())
	}
}

func TestChangeAndNoiseAreWhatWasMade(t *testing.T) {
	base, head := sides(normal(rand.New(rand.NewPCG(3, 3)), 8000), 0.03, 0.05)
	tr := New(base, head, 1)
	if have := tr.Change(); math.Abs(have+0.05) > 0.002 {
		t.Errorf("change: have %v, want -0.05", have)
	}
	if have := tr.Mean(); math.Abs(have+0.05) > 0.002 {
		t.Errorf("mean: have %v, want -0.05", have)
	}
	if have := tr.Noise(); math.Abs(have-0.03) > 0.001 {
		t.Errorf("noise: have %v, want 0.03", have)
	}
}
