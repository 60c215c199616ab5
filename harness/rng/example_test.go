package rng_test

import (
	"fmt"

	"pushdown/harness/rng"
)

// This example uses one stream for one purpose. Each element of a tensor has its
// own coordinate.
func Example() {
	s := rng.New(1, "init/W_o")
	for row := range uint32(2) {
		var w [3]float32
		for col := range w {
			w[col] = s.Uniform(rng.At{Unit: uint32(col), Row: row}, -1, 1)
		}
		fmt.Printf("%.5f\n", w)
	}
	// Output:
	// [0.34386 0.30835 0.22152]
	// [0.27383 -0.28306 -0.48289]
}

// This example permutes the examples of epoch 3. The order does not depend on
// earlier epochs.
func ExampleStream_Perm() {
	order := make([]int32, 8)
	rng.New(1, "order").Perm(order, 3)
	fmt.Println(order)
	// Output:
	// [4 5 0 2 3 1 6 7]
}

// This example samples string 41, which does not depend on the strings before it. A
// sampler may read as many draws as it needs.
func ExampleStream_Seq() {
	q := rng.New(1, "corpus/train").Seq(41, 0)
	for range 10 {
		fmt.Print(q.IntN(6)+1, " ")
	}
	fmt.Println()
	// Output:
	// 6 6 6 4 2 1 6 5 4 4
}
