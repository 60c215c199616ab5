package plot

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestTicks checks the positions and labels of ticks.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		want string
	}{
		{Axis{Max: 100}, "0 20 40 60 80 100"},
		{Axis{Max: 122}, "0 50 100"},
		{Axis{Max: 6}, "0 1 2 3 4 5 6"},
		{Axis{Max: 1.5}, "0 0.5 1 1.5"},
		{Axis{Min: -3, Max: 3}, "-3 -2 -1 0 1 2 3"},
		{Axis{Max: 90, Step: 30}, "0 30 60 90"},
		{Axis{Min: 0.5, Max: 1e6, Log: true}, "1 10 100 1000 10000 100000 1000000"},
		{Axis{Min: 0.05, Max: 2, Log: true}, "0.1 1"},
		{Axis{Min: 10, Max: 99, Log: true}, "10"},
	} {
		var have []string
		for _, tick := range c.axis.ticks() {
			have = append(have, tick.Label)
			if x := number(t, tick.Label); math.Abs(x-tick.Value) > 1e-9*math.Abs(x) {
				t.Errorf("%+v: the tick at %v is called %s", c.axis, tick.Value, tick.Label)
			}
		}
		if have := strings.Join(have, " "); have != c.want {
			t.Errorf("%+v: ticks %s, want %s", c.axis, have, c.want)
		}
	}
}

// TestSnap checks that snap moves a position by less than a step. It also checks
// that a rounding error in a position near a simple fraction does not change the
// result.
func TestSnap(t *testing.T) {
	for _, denominator := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 100, 128} {
		for i := range 2000 {
			x := float64(i) / denominator
			have := snap(vg.Length(x))
			if math.Abs(float64(have)-x) >= 1.0/stepsPerPoint || float64(have*stepsPerPoint) != math.Trunc(float64(have*stepsPerPoint)) {
				t.Fatalf("%v goes to %v", x, have)
			}
			for _, off := range []float64{-1e-9, 1e-9} {
				if other := snap(vg.Length(x + off)); other != have {
					t.Fatalf("%v goes to %v, but %v more to %v", x, have, off, other)
				}
			}
		}
	}
}

// TestSpread checks that Spread returns the mean with the lowest and the highest value.
func TestSpread(t *testing.T) {
	c, err := Spread("c", Blue, []float64{1, 2}, [][]float64{{1, 0.1}, {2, 0.1}, {6, 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Y[0] != 3 || c.Low[0] != 1 || c.High[0] != 6 || c.Y[1] != 0.1 || c.Low[1] != 0.1 || c.High[1] != 0.1 {
		t.Errorf("%+v, want 3 in 1 to 6 and 0.1 alone", c)
	}
	if _, err := Spread("c", Blue, nil, nil); err == nil || err.Error() != `plot: curve "c": have no runs, want one or more` {
		t.Errorf("no runs: error %v", err)
	}
	if _, err := Spread("c", Blue, []float64{1}, [][]float64{{1}, {1, 2}}); err == nil || err.Error() != `plot: curve "c": have 2 values in run 2, want 1 as of x` {
		t.Errorf("unequal runs: error %v", err)
	}
}
