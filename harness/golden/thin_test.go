package golden

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThin(t *testing.T) {
	full := ranThrough(m4One)
	thin := full.Thin()
	var steps []string
	for _, p := range thin.Points {
		steps = append(steps, p.At.String())
		if d := cmp.Diff(*full.point(p.At), p); d != "" {
			t.Errorf("update %v (-run +kept)\n%s", p.At, d)
		}
	}
	if have, want := strings.Join(steps, " "), "1 10 100 400 750 900 1000 best end"; have != want {
		t.Errorf("kept: have %s, want %s", have, want)
	}
	text := ""
	for _, p := range full.Points {
		text += p.text() + "\n"
	}
	if have, want := thin.Thinned.SHA256, fmt.Sprintf("%x", sha256.Sum256([]byte(text))); have != want || thin.Thinned.Points != 28 {
		t.Errorf("all points: have %d, %s, want 28, %s", thin.Thinned.Points, have, want)
	}
	// This text must never change, because golden files have its digest.
	for at, want := range map[Step]string{
		10:   "update=10 sha256=" + sum(m4One, 10),
		400:  "update=400 sha256=" + sum(m4One, 400) + " state=" + sum(m4One, "state", 400) + " lr=0x1.999999999999ap-05 temperature=0x1.47ae147ae147bp-09 valid-loss=0x1.a3a9f42cc8c65p-04",
		Best: "update=best sha256=" + sum(m4One, "best"),
	} {
		if have := full.point(at).text(); have != want {
			t.Errorf("text: have %s, want %s", have, want)
		}
	}
	curve := thin.Thinned.Curve
	if len(curve) != 24 || curve[0] != (Validation{50, 0.117544}) || curve[14] != (Validation{750, 0.1}) {
		t.Errorf("curve: have %v", curve)
	}
	if d := cmp.Diff(thin, thin.Thin()); d != "" {
		t.Errorf("thinned again\n%s", d)
	}
	// Without the point Best, the result of the run is its last state, the point End. The
	// first validation with the digest of End must then be kept.
	full.Points = slices.DeleteFunc(full.Points, func(p Point) bool { return p.At == Best })
	if have := full.Thin().Points; len(have) != 8 || have[6].At != 1200 || have[7].At != End {
		t.Errorf("without a best: have %v", have)
	}
	if have := (Trajectory{Points: []Point{{At: 0, SHA256: sum("0")}}}).Thin(); len(have.Points) != 1 {
		t.Errorf("initial state alone: have %v", have)
	}
}

func TestCompareThinned(t *testing.T) {
	g := filed(t, ofTable2())
	upTo := func(tr *Trajectory, m Step) {
		tr.Points = slices.DeleteFunc(tr.Points, func(p Point) bool { return p.At > m })
	}
	for _, test := range []struct {
		name   string
		change func(*Trajectory)
		want   string // a part of the only difference; empty if there is none
	}{
		{"same", func(*Trajectory) {}, ""},
		{"prefix", func(tr *Trajectory) { upTo(tr, 600) }, ""},
		{"prefix up to a validation that the result alone keeps", func(tr *Trajectory) { upTo(tr, 750) }, ""},
		{"kept", func(tr *Trajectory) { tr.point(400).SHA256 = sum("x") }, "sha256 differs first at update 400; equal up to update 100, of the updates kept"},
		{"kept validation", func(tr *Trajectory) { tr.point(400).Extra[1].Value = 2 }, "temperature differs first at update 400; equal up to update 100"},
		{"prefix, kept", func(tr *Trajectory) { upTo(tr, 600); tr.point(400).State = sum("x") }, "state differs first at update 400; equal up to update 100"},
		{"prefix, the best", func(tr *Trajectory) { upTo(tr, 750); tr.point(750).SHA256 = sum("x") }, "sha256 differs first at update 750; equal up to update 400"},
		{"curve", func(tr *Trajectory) {
			for m := Step(250); m <= 1200; m += 50 {
				tr.point(m).Extra[2].Value *= 1.5
			}
		}, "valid-loss differs first at update 400; equal up to update 100, of the updates kept; the validation curves part at update 250"},
		{"not kept", func(tr *Trajectory) { tr.point(450).SHA256 = sum("x") }, "golden 28 points "},
		{"prefix, not kept", func(tr *Trajectory) { upTo(tr, 600); tr.point(450).SHA256 = sum("x") }, ""},
		{"loss not kept", func(tr *Trajectory) { tr.point(450).Extra[2].Value = 7 }, "the digest of all points differs, though the updates kept agree; the validation curves part at update 450"},
		{"last digit of a loss not kept", func(tr *Trajectory) { tr.point(450).Extra[2].Value += 1e-15 }, "the digest of all points differs"},
		{"a point less", func(tr *Trajectory) {
			tr.Points = slices.DeleteFunc(tr.Points, func(p Point) bool { return p.At == 450 })
		}, "run 27 points"},
		{"another cut", func(tr *Trajectory) { tr.point(200).Extra[0].Value = 0.07 }, "golden update 400, run update 200: the runs have different points from there on; equal up to update 100"},
		{"ended early", func(tr *Trajectory) {
			tr.Points = slices.DeleteFunc(tr.Points, func(p Point) bool { return p.At > 600 && p.At < Best })
		}, "golden update 750, run update best"},
		{"thinned", func(tr *Trajectory) { *tr = tr.Thin() }, ""},
		{"thinned, not kept", func(tr *Trajectory) { tr.point(450).SHA256 = sum("x"); *tr = tr.Thin() }, "the digest of all points differs"},
		{"thinned, with an edited curve", func(tr *Trajectory) { *tr = tr.Thin(); tr.Thinned.Curve[2].Loss = 0.5 }, "one of the curves was edited"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := ofTable2()
			test.change(&run.Trajectories[0])
			if test.want == "" {
				wantDifferences(t, g, run)
				return
			}
			differences, _ := Compare(g, run)
			wantDifferences(t, g, run, test.want)
			if len(differences) == 1 && (differences[0].Kind != Digest || differences[0].Name != string(m4One)) {
				t.Errorf("have %v, want a digest of %s", differences[0], m4One)
			}
		})
	}
	// A golden prefix is compared with a run that is longer.
	run := ofTable2()
	upTo(&run.Trajectories[0], 600)
	wantDifferences(t, filed(t, run), ofTable2(), string(m4One)+": golden nothing, run update 750: the golden trajectory stops before it")
	// Whole trajectories, of which none is thinned, are compared point by point.
	whole := ranThrough(m4One)
	whole.point(450).SHA256 = sum("x")
	if have := FirstDifference(ranThrough(m4One), whole); !strings.Contains(have, "sha256 differs first at update 450; equal up to update 400") {
		t.Errorf("whole trajectories: have %q", have)
	}
}
