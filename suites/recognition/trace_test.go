package recognition

import (
	"testing"

	"pushdown/harness/suite/suitetest"
)

// sample traces as they are and as text, with a blank before the word of the run.
var sampleTrace = Trace{
	3, []float64{66.6667, 99.9914}, []Share{{100, 50, 1}, {200, 50, 0}},
	[]Step{{"(", 0.3333, 0.3333, 0.3333, 0}, {")", 0, 1, 0, -0.9}, {".", 0, 1, 0, 1}},
}

const sampleLines = `epoch 1 66.6667
epoch 2 99.9914
length 100 50 1
length 200 50 0
step ( 0.3333:0.3333:0.3333:0
step ) 0:1:0:-0.9
step . 0:1:0:1
`

func TestTrace(t *testing.T) {
	suitetest.Trace(t, sampleTrace, 3, sampleLines, Trace.lines, parseTrace, [][3]string{
		{"epoch 1", "epochs 1", `have the kind "epochs", want epoch, length or step`},
		{"epoch 2", "epoch 3", `seed 3: "epoch 3": have epoch "3", want 2`},
		{"99.9914", "100.1", `have "100.1", want a number from 0 to 100`},
		{"length 200", "length 100", `have length "100", want ascending ones`},
		{"200 50 0", "200 0 0", `have "0" cases, want 1 or more`},
		{"200 50 0", "200 50 51", `have "51" right answers, want 0 to 50`},
		{"0:1:0:1", "0:1:0", `have 3 numbers in "0:1:0", want push, pop, no-op and top`},
		{"0:1:0:-0.9", "-0.1:1:0:-0.9", `have "-0.1", want a number from 0 to 1`},
		{"0:1:0:-0.9", "0:1:0:-1.1", `have "-1.1", want a number from -1 to 1`},
		{"length 100 50 1\nlength 200 50 0\n", "", "have 2 epochs and 0 lengths"},
	})
}
