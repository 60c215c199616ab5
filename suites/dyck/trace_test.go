package dyck

import (
	"testing"

	"pushdown/harness/metric"
	"pushdown/harness/suite/suitetest"
)

// sampleTrace is that of an invented run, and sampleLines are the same as text.
func sampleTrace() Trace {
	t := Trace{
		Seed: 3, WCPA: []float64{66.6667, 99.9914}, Random: []float64{32.2754, 90}, Angles: []float64{30.6209, 75},
		Cells: []Cell{{"(a", 2, 0.5312}, {"END", 2, 1}},
	}
	for i, right := range []int64{199, 0, 1} {
		t.LDPA = append(t.LDPA, metric.Count{Distance: []int{1, 3, 121}[i], Share: metric.Share{Correct: right, Cases: []int64{200, 40, 1}[i]}})
	}
	return t
}

const sampleLines = `ldpa 1 200 199
ldpa 3 40 0
ldpa 121 1 1
wcpa 1 66.6667
wcpa 2 99.9914
angle 1 32.2754 30.6209
angle 2 90 75
cell (a 2:0.5312
cell END 2:1
`

func TestTrace(t *testing.T) {
	suitetest.Trace(t, sampleTrace(), 3, sampleLines, Trace.lines, parseTrace, [][3]string{
		{"wcpa 1", "wpca 1", `have the kind "wpca", want ldpa, wcpa, angle or cell`},
		{"ldpa 3", "ldpa 1", `seed 3: "ldpa 1 40": have distance "1", want ascending ones`},
		{"ldpa 3 40", "ldpa 3 0", `have "0" cases, want 1 or more`},
		{"40 0", "40 41", `have "41" right answers, want 0 to 40`},
		{"wcpa 2", "wcpa 3", `have place "3", want 2`},
		{"99.9914", "100.1", `have "100.1", want a number from 0 to 100`},
		{"99.9914", "NaN", `have "NaN"`},
		{"90 75", "90 91", `have "91", want a number from 0 to 90`},
		{"angle 2", "angle 1", `have place "1", want 2`},
		{"2:0.5312", "0:0.5312", `have cell "0", want one from 1`},
		{"2:0.5312", "2", `have "", want a number from 0 to 1`},
		{"wcpa 1 66.6667\nwcpa 2 99.9914\n", "", "have 3 distances and 0 epochs"},
	})
}
