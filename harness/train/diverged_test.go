package train

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel/cpu"
)

// silentEpoch is a stream without predictions in its first epoch.
type silentEpoch struct{ Stream }

func (s silentEpoch) Fill(i int, p *StreamString) {
	if s.Stream.Fill(i, p); i < s.PerEpoch() {
		for t := range p.Target {
			p.Target[t] = -1
		}
	}
}

// TestBestIfDiverged checks a run whose loss becomes NaN after the first validation. The
// run must fail by default, and end with its best parameters if BestIfDiverged is set.
func TestBestIfDiverged(t *testing.T) {
	diverging := func(ends bool) *Experiment {
		e := onlineProblem()
		e.Online.Stream, e.Online.BestIfDiverged = silentEpoch{e.Online.Stream}, ends
		e.Rule.LR = 1e25
		return e
	}
	if _, err := Run(diverging(false), Options{Device: device(t, cpu.Best())}); err == nil || !strings.Contains(err.Error(), "chatter: update 368: mean cross-entropy: the sum over 1 rows is NaN, want a finite number") {
		t.Errorf("error %v, want one that says that the loss of update 368 is not finite", err)
	}
	want := run(t, diverging(true), Options{})
	points := map[golden.Step]string{}
	for _, p := range want.Trajectory.Points {
		points[p.At] = p.SHA256
	}
	digest := want.Params.Digest()
	if want.Stopped != byDivergence || !want.Complete || want.Updates != 367 || len(want.Checks) != 6 ||
		points[0] != digest || points[golden.End] != digest || points[golden.Best] != digest {
		t.Errorf("ended by %s after %d updates and %d validations with %s of %v, want divergence, 367, 6 and the parameters from before the first update", want.Stopped, want.Updates, len(want.Checks), digest, points)
	}
	if end := want.Trajectory.Points[len(want.Trajectory.Points)-2]; end.At != golden.End || !slices.Equal(end.Extra, []golden.Scalar{{Key: keyDiverged, Value: 1}}) {
		t.Errorf("%v with %v, want the end, which says that the run diverged", end.At, end.Extra)
	}
	if _, err := Run(diverging(true), Options{Device: device(t, cpu.Best()), Updates: 500}); err == nil {
		t.Error("a beginning that diverges is taken for a whole run")
	}
}

// TestDivergedCheckpoint checks that parameters that are not finite are not written to a
// checkpoint. With BestIfDiverged this is an error before the first validation, and not
// after it.
func TestDivergedCheckpoint(t *testing.T) {
	e := onlineProblem()
	e.Online.BestIfDiverged = true
	path := state(t)
	r, err := newRunner(e, Options{Device: device(t, cpu.Best()), State: path, SaveEvery: every})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if err := r.pause(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r.now.read(r.vm, r.vm.Layout().Params)
	r.now.Data[0][0] = float32(math.Inf(1))
	r.now.write(r.vm, r.vm.Layout().Params)
	if err := r.pause(); err == nil {
		t.Error("infinite before a validation: no error")
	}
	r.res.Checks = []Validation{{Best: true}}
	if err := r.pause(); err != nil {
		t.Errorf("infinite after a validation: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the checkpoint of before is not there as it was (%v)", err)
	}
}
