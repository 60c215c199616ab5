package trial

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A noise returns random logarithms of the speeds of successive runs, in units of the
// standard deviation of the noise. The parameter runs is the number of runs.
type noise func(r *rand.Rand, runs int) []float64

func normal(r *rand.Rand, runs int) []float64 {
	x := make([]float64, runs)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// heavy is noise whose distribution is Student's t with three degrees of freedom, scaled
// to variance 1.
func heavy(r *rand.Rand, runs int) []float64 {
	x := normal(r, runs)
	for i := range x {
		x[i] /= math.Hypot(math.Hypot(r.NormFloat64(), r.NormFloat64()), r.NormFloat64())
	}
	return x
}

// disturbed is normal noise, but one run in twenty is slowed further, on average by ten
// times the standard deviation of the noise.
func disturbed(r *rand.Rand, runs int) []float64 {
	x := normal(r, runs)
	for i := range x {
		if r.IntN(20) == 0 {
			x[i] -= 10 * r.ExpFloat64()
		}
	}
	return x
}

// drifting is the sum of three parts: independent noise of each run, a wandering speed
// whose correlation decays over twenty runs, and a linear slowdown. The noise and the
// wandering speed each have half of the variance. The slowdown is ten times the standard
// deviation of the noise in 200 rounds.
func drifting(r *rand.Rand, runs int) []float64 {
	x, wander, keep := normal(r, runs), r.NormFloat64(), math.Exp(-1./20)
	for i := range x {
		wander = keep*wander + math.Sqrt(1-keep*keep)*r.NormFloat64()
		x[i] = math.Sqrt(0.5)*(x[i]+wander) - float64(i)/40
	}
	return x
}

// sides gives one run of each pair in x to base and the other to head, in the order that
// FirstSide says, and returns the speeds of the runs. The speeds of head are lower by the
// given loss, such as 0.05 for 5 %.
func sides(x []float64, sigma, loss float64) (base, head []float64) {
	for i := 0; i+1 < len(x); i += 2 {
		b, h := math.Exp(sigma*x[i]), math.Exp(sigma*x[i+1])
		if FirstSide(i/2) == 1 {
			b, h = h, b
		}
		base, head = append(base, b), append(head, h*(1-loss))
	}
	return base, head
}

// enough makes a trial from the first 16 rounds in x. Like command compare, it then adds
// rounds until Need asks for no more. It returns false if x does not have enough
// rounds.
func enough(x []float64, sigma, loss float64) (tr *Trial, ok bool) {
	base, head := sides(x, sigma, loss)
	for n, most := 16, len(base); ; {
		tr = New(base[:n], head[:n], 1)
		need := tr.Need(loss5, comparisons)
		if need <= n || n == most {
			return tr, need <= n
		}
		n = min(most, (min(need, 2*n)+Rounds-1)/Rounds*Rounds)
	}
}

// least is the smallest loss that package regression reports, MinLoss.
const least = 0.01

// large reports whether the estimated loss of tr is so large that package regression reports
// it, provided that it is significant.
func large(tr *Trial) bool { return min(tr.Change(), tr.Mean()) <= -least }

// TestRates simulates runs of command compare and checks the rates of two kinds of errors.
// At most 1 % of the losses of loss5 or more may be missed. If the speeds are equal, at
// most 1 % of the runs may report a loss in any of their comparisons. Every significant
// difference counts as an alarm here, even a tiny one, although package regression also
// requires an estimate of MinLoss.
//
// The test also simulates runs in which head is slower by a fifth of MinLoss in
// all comparisons. In at most 1 % of these runs, the mean may raise an alarm where the
// median raises none. Alarms of the median are only logged.
func TestRates(t *testing.T) {
	draws, runs := 1000, 60
	if strings.Contains(os.Getenv("PUSHDOWN_REQUIRE"), "long") {
		draws, runs = 2000, 200
	}
	if testing.Short() {
		draws, runs = 300, 10
	}
	const promised = 0.01
	share := Alarm / float64(comparisons)
	allRuns, allAlarms, allSlight, allMore := 0, 0, 0, 0
	for _, c := range []struct {
		name string
		make noise
	}{{"normal", normal}, {"heavy", heavy}, {"disturbed", disturbed}, {"drifting", drifting}} {
		for i, sigma := range []float64{0.01, 0.02, 0.05} {
			most := []int{64, 96, 240}[i] // the simulation stops at this number of rounds
			r := rand.New(rand.NewPCG(uint64(i), 8))
			missed := map[float64]float64{}
			rounds, judged := 0, 0
			for _, loss := range []float64{0.03, 0.05, 0.1} {
				misses, told := 0, 0
				for range draws {
					tr, ok := enough(c.make(r, 2*most), sigma, loss)
					if !ok {
						continue
					}
					told++
					if tr.Slower() > share {
						misses++
					}
					rounds += tr.Runs()
				}
				judged += told
				missed[loss] = float64(misses) / float64(told)
				if loss >= loss5 && missed[loss] > promised {
					t.Errorf("%s noise of %g %%: %d of %d losses of %g %% are missed, want at most 1 %%", c.name, 100*sigma, misses, told, 100*loss)
				}
			}
			alarms := 0
			for range runs {
				for range comparisons {
					if tr, ok := enough(c.make(r, 2*most), sigma, 0); ok && tr.Slower() <= share {
						alarms++
						break
					}
				}
			}
			for range runs {
				slight, more := false, false
				for range comparisons {
					if tr, ok := enough(c.make(r, 2*most), sigma, least/5); ok && tr.Slower() <= share {
						slight = slight || tr.Change() <= -least
						more = more || large(tr)
					}
				}
				if slight {
					allSlight++
				}
				if more && !slight {
					allMore++
				}
			}
			allRuns, allAlarms = allRuns+runs, allAlarms+alarms
			if told := float64(judged) / float64(3*draws); told < 0.95 {
				t.Errorf("%s noise of %g %%: %.1f %% have enough with %d rounds, want 95 %%", c.name, 100*sigma, 100*told, most)
			}
			t.Logf("%-9s %g %%: misses of 3, 5, 10 %%: %.2f %.2f %.2f %%, false alarms: %d of %d runs, %.0f rounds, %.1f %% enough",
				c.name, 100*sigma, 100*missed[0.03], 100*missed[0.05], 100*missed[0.1], alarms, runs, float64(rounds)/float64(judged), 100*float64(judged)/float64(3*draws))
		}
	}
	if rate := float64(allAlarms) / float64(allRuns); rate > promised {
		t.Errorf("%d of %d runs raise a false alarm, want at most 1 %%", allAlarms, allRuns)
	} else {
		t.Logf("false alarms in all: %d of %d runs, %.2f %%", allAlarms, allRuns, 100*rate)
	}
	t.Logf("alarms where all has lost %g %%: %d of %d runs by the median, %d more by the mean", 100*least/5, allSlight, allRuns, allMore)
	if rate := float64(allMore) / float64(allRuns); rate > promised {
		t.Errorf("the mean makes an alarm of %d of %d runs with slight losses, want at most 1 %%", allMore, allRuns)
	}
}
