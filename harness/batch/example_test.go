package batch_test

import (
	"fmt"

	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// This example reads a long text in two columns, three tokens at a time. Each
// column continues from its states in the previous batch. A string of the dataset
// is the part of a column that one batch reads.
func Example() {
	const columns, length, steps = 2, 5, 3
	text := []int32{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	data := batch.Dataset[int32]{
		Text: func(i int) []int32 { return text[i%columns*length+i/columns*steps:] },
		Fill: func(p *batch.Packed[int32], b *train.Batch) {
			batch.PredictNext(p, b)
			b.Continue = p.List[0].String >= columns
		},
	}
	for i := int32(0); i/columns*steps < length; i++ {
		data.List = append(data.List, batch.Prefix{String: i, Len: min(steps, length-i/columns*steps)})
	}
	set := data.Set(columns)
	var b train.Batch
	for i := range set.Len() {
		b.Reset()
		set.Fill(i, &b)
		fmt.Println("strings at each step", b.Active, "read", b.Token, "predict", b.Target, "goes on:", b.Continue)
	}
	// Output:
	// strings at each step [2 2 2] read [10 15 11 16 12 17] predict [11 16 12 17 13 18] goes on: false
	// strings at each step [2 2] read [13 18 14 19] predict [14 19 15 20] goes on: true
}
