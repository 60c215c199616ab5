package golden

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// The keys of the scalars of a validation, as golden files write them.
const (
	RateKey = "lr"         // the learning rate after the validation
	LossKey = "valid-loss" // the loss of the validation, mean nats
)

// Thinned summarises all points of a run, so that a trajectory that keeps only some of its
// points can still be compared as a whole. See Trajectory.Thin.
type Thinned struct {
	Points int          // the number of all points
	SHA256 string       // of the text of all points (Point.text), as 64 hex digits
	Curve  []Validation // the validations among all points
}

// A Validation is a point of a validation curve.
type Validation struct {
	Update Step
	Loss   float64 // to six significant digits
}

// Thin returns t with only those points that help to locate where two runs diverge: the
// first point, the points at powers of ten, the points Best and End, and the validations
// that changed the learning rate. Thin also keeps the first validation of the parameters
// that the run returns, which it recognises by their digest.
//
// The field Thinned of the result has the losses of all validations, to six digits, and one
// SHA-256 over the text of all points, which Point.text gives.
func (t Trajectory) Thin() Trajectory {
	if t.Thinned != nil {
		return t
	}
	result := t.Result()
	thin := Trajectory{Name: t.Name, Origin: t.Origin, Thinned: &Thinned{Points: len(t.Points)}}
	all := sha256.New()
	rate, rated := 0.0, false
	for i, p := range t.Points {
		io.WriteString(all, p.text()+"\n")
		keep := i == 0 || p.At >= Best || p.At.Decade()
		if loss, ok := p.Scalar(LossKey); ok && p.At < Best {
			thin.Thinned.Curve = append(thin.Thinned.Curve, Validation{p.At, Round6(loss)})
			if p.SHA256 == result {
				keep, result = true, ""
			}
		}
		if now, ok := p.Scalar(RateKey); ok {
			keep = keep || rated && now != rate
			rate, rated = now, true
		}
		if keep {
			thin.Points = append(thin.Points, p)
		}
	}
	thin.Thinned.SHA256 = fmt.Sprintf("%x", all.Sum(nil))
	return thin
}

// Curve returns the validations among the points of t, those that are not kept included. Their losses
// have all digits unless t is thinned.
func (t Trajectory) Curve() (curve []Validation) {
	if t.Thinned != nil {
		return t.Thinned.Curve
	}
	for _, p := range t.Points {
		if loss, ok := p.Scalar(LossKey); ok && p.At < Best {
			curve = append(curve, Validation{p.At, loss})
		}
	}
	return curve
}

// Result returns the digest of the parameters that a run returns. They are
// those at Best if t has that point, else those at End.
func (t Trajectory) Result() (digest string) {
	for _, p := range t.Points {
		if p.At == Best || p.At == End && digest == "" {
			digest = p.SHA256
		}
	}
	return digest
}

// Round6 rounds v to six significant digits, the precision of verdicts and validation
// curves.
func Round6(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return v
}

// Decade reports whether s is a power of ten: 1, 10, 100 and so on. Runs have digests at such updates.
func (s Step) Decade() bool {
	for s >= 10 && s%10 == 0 {
		s /= 10
	}
	return s == 1
}

// text returns the text of the point that the digest of all points covers, without a newline:
//
//	update=1000 sha256=<64 digits> state=<64 digits> lr=0x1p-10 valid-loss=0x1.8p-03
func (p Point) text() string {
	fields := []Field{{"update", p.At.String()}, {"sha256", p.SHA256}}
	if p.State != "" {
		fields = append(fields, Field{"state", p.State})
	}
	for _, x := range p.Extra {
		fields = append(fields, Field{x.Key, hexFloat(x.Value)})
	}
	return JoinFields(fields)
}

// Scalar returns the value of the scalar with the given key in Extra, and reports
// whether there is one.
func (p Point) Scalar(key string) (float64, bool) {
	for _, x := range p.Extra {
		if x.Key == key {
			return x.Value, true
		}
	}
	return 0, false
}

// like thins t for a comparison with the thinned trajectory other. It keeps the points that
// Thin keeps, and also all points that other has. If t ends before the end of the run, Thin
// does not know which parameters the run returns, so it may drop a point that other has.
func (t Trajectory) like(other Trajectory) Trajectory {
	if t.Thinned != nil {
		return t
	}
	thin := t.Thin()
	has := func(points []Point, at Step) bool {
		return slices.ContainsFunc(points, func(p Point) bool { return p.At == at })
	}
	kept := thin.Points
	thin.Points = nil
	for _, p := range t.Points {
		if has(kept, p.At) || has(other.Points, p.At) {
			thin.Points = append(thin.Points, p)
		}
	}
	return thin
}

// thinnedDivergence is divergence for trajectories of which at least one is thinned.
func thinnedDivergence(golden, run Trajectory) (d Difference, diverged bool) {
	golden = golden.like(run)
	run = run.like(golden)
	want, have := golden.Thinned, run.Thinned
	from := ""
	for i := range min(len(want.Curve), len(have.Curve)) {
		if want.Curve[i] != have.Curve[i] {
			from = fmt.Sprintf("; the validation curves part at update %v", min(want.Curve[i].Update, have.Curve[i].Update))
			break
		}
	}
	d, diverged = pointDivergence(golden, run)
	if diverged {
		d.Note += ", of the updates kept" + from
		return d, true
	}
	if !golden.complete() || !run.complete() || want.Points == have.Points && want.SHA256 == have.SHA256 && slices.Equal(want.Curve, have.Curve) {
		return Difference{}, false
	}
	if want.Points == have.Points && want.SHA256 == have.SHA256 {
		return Difference{
			Kind: Digest, Name: string(run.Name), Golden: fmt.Sprintf("%d validations", len(want.Curve)), Run: fmt.Sprintf("%d validations", len(have.Curve)),
			Note: "the digests are the same" + from + ": one of the curves was edited",
		}, true
	}
	return Difference{
		Kind: Digest, Name: string(run.Name),
		Golden: fmt.Sprintf("%d points %s", want.Points, want.SHA256), Run: fmt.Sprintf("%d points %s", have.Points, have.SHA256),
		Note: "the digest of all points differs, though the updates kept agree" + from,
	}, true
}

// check returns an error if n is inconsistent with the kept points.
func (n *Thinned) check(kept []Point) error {
	if n.Points < len(kept) {
		return fmt.Errorf("points: have %d, want at least the %d kept", n.Points, len(kept))
	}
	if !digest(n.SHA256) {
		return fmt.Errorf("points: have %q, want 64 lower-case hex digits", abbreviate(n.SHA256))
	}
	at := make(map[Step]float64)
	for i, v := range n.Curve {
		switch {
		case i > 0 && n.Curve[i-1].Update >= v.Update || v.Update >= Best:
			return fmt.Errorf("curve: update %v: have it out of order, want update numbers rising", v.Update)
		case Round6(v.Loss) != v.Loss || math.IsInf(v.Loss, 0): // this case also finds NaN
			return fmt.Errorf("curve: update %v: have %v, want a finite number of six digits", v.Update, v.Loss)
		}
		at[v.Update] = v.Loss
	}
	checks := 0
	for _, p := range kept {
		loss, ok := p.Scalar(LossKey)
		if !ok || p.At >= Best {
			continue
		}
		checks++
		switch have, ok := at[p.At]; {
		case !ok:
			return fmt.Errorf("curve: update %v: have none, want %v as the update kept has it", p.At, Round6(loss))
		case have != Round6(loss):
			return fmt.Errorf("curve: update %v: have %v, want %v as the update kept has it", p.At, have, Round6(loss))
		}
	}
	if rest := n.Points - len(kept); len(n.Curve)-checks > rest {
		return fmt.Errorf("curve: have %d validations that are not kept, want no more than the %d points that are not", len(n.Curve)-checks, rest)
	}
	if n.Points == len(kept) {
		if sum := (Trajectory{Points: kept}).Thin().Thinned.SHA256; sum != n.SHA256 {
			return fmt.Errorf("points: have %s, want %s, all being kept", n.SHA256, sum)
		}
	}
	return nil
}
