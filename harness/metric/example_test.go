package metric_test

import (
	"fmt"
	"log"

	"pushdown/harness/metric"
)

// This example counts four closing brackets of two types. The model predicts the
// two brackets at distance 1 and one of the two at distance 5.
func Example() {
	ldpa := metric.NewLDPA(metric.Paper, 5)
	ldpa.AddRow(1, []float32{0.45, 0.05}, 0)
	ldpa.AddRow(1, []float32{0.06, 0.44}, 1)
	ldpa.AddRow(5, []float32{0.20, 0.30}, 1)
	ldpa.AddRow(5, []float32{0.26, 0.06}, 0)
	for _, c := range ldpa.Counts() {
		fmt.Println(c)
	}
	worst, err := ldpa.Worst(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("WCPA %.1f, at distance %d\n", worst.Percent(), worst.Distance)
	// Output:
	// distance 1: 2/2 (100.00%)
	// distance 5: 1/2 (50.00%)
	// WCPA 50.0, at distance 5
}
