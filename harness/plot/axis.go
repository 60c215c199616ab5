package plot

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"pushdown/harness/numeric"
)

// Axis is one of the two axes of a panel. All data must be between Min and Max.
type Axis struct {
	Label    string // with the unit
	Min, Max float64
	Log      bool    // whether the axis is logarithmic; Min must then be at least 1e-12
	Step     float64 // distance between ticks; 0 for a suitable one; must be 0 if Log is set
}

// largest bounds the absolute values on an axis. With this bound, i*step differs from
// (i+1)*step in float64, so the loop over the ticks ends.
const largest = 1e12

// far returns the absolute value of the end that is farther from zero.
func (a Axis) far() float64 { return max(math.Abs(a.Min), math.Abs(a.Max)) }

// check returns an error if the axis is invalid.
func (a Axis) check(name string) error {
	switch {
	case a.Label == "":
		return fmt.Errorf("axis %s: have no label, want one with the unit", name)
	case !finite(a.Min) || !finite(a.Max) || a.Min >= a.Max:
		return fmt.Errorf("axis %s: have %v to %v, want finite ends in ascending order", name, a.Min, a.Max)
	case a.far() > largest || a.Max-a.Min < a.far()/largest:
		return fmt.Errorf("axis %s: have %v to %v, want ends up to %v that differ by more than %v of the larger", name, a.Min, a.Max, largest, 1/largest)
	case a.Log && (a.Min < 1/largest || a.Step != 0):
		return fmt.Errorf("axis %s: have a logarithmic one from %v with steps of %v, want it from %v or more and no steps", name, a.Min, a.Step, 1/largest)
	case !(a.Step >= 0) || a.Step > 0 && (a.Max-a.Min)/a.Step > 100:
		return fmt.Errorf("axis %s: have steps of %v, want none or at most 100", name, a.Step)
	}
	return nil
}

// contains reports whether a value is on the axis.
func (a Axis) contains(x float64) bool { return x >= a.Min && x <= a.Max }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// apply copies the properties of a to an axis of gonum.
func (a Axis) apply(to *plot.Axis) {
	to.Label.Text, to.Min, to.Max = a.Label, a.Min, a.Max
	to.Tick.Marker = plot.ConstantTicks(a.ticks())
	to.Label.TextStyle.Font, to.Tick.Label.Font = sans(labelSize), sans(tickSize)
	to.Padding = 2
	if a.Log {
		to.Scale = logarithmic{}
	}
}

// ticks returns the ticks of the axis: multiples of the step, or powers of ten if the
// axis is logarithmic.
func (a Axis) ticks() []plot.Tick {
	var list []plot.Tick
	add := func(x float64) {
		list = append(list, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 7, 64)})
	}
	if a.Log {
		x := 1.0
		for x > a.Min {
			x /= 10
		}
		for ; x <= a.Max; x *= 10 {
			if x >= a.Min {
				add(x)
			}
		}
		return list
	}
	step := a.step()
	for i := math.Ceil(a.Min / step); i*step <= a.Max; i++ {
		add(i * step)
	}
	return list
}

const mostTicks = 6

// step returns Step. If Step is 0, it returns the smallest product of 1, 2 or 5 and
// a power of ten that gives at most mostTicks steps on the axis.
func (a Axis) step() float64 {
	if a.Step > 0 {
		return a.Step
	}
	length := a.Max - a.Min
	unit := 1.0
	for length < 10*unit {
		unit /= 10
	}
	for ; ; unit *= 10 {
		for _, f := range []float64{1, 2, 5} {
			if length/(f*unit) <= mostTicks {
				return f * unit
			}
		}
	}
}

// logarithmic is the scale of logarithmic axes.
type logarithmic struct{}

// Normalize returns the position of x on the axis, from 0 at min to 1 at max.
func (logarithmic) Normalize(min, max, x float64) float64 {
	return numeric.Log64(x/min) / numeric.Log64(max/min)
}
