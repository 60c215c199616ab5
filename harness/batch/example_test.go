package batch_test

import (
	"fmt"

	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// A long text in two columns is read three tokens at a time. The states of a column
// go on from batch to batch.
func Example() {
	const columns, steps = 2, 3
	text := []int32{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	column := func(i int) []int32 { return text[5*i:][:6] } // and what follows its last token
	data := batch.Data[int32]{Text: column, Fill: batch.PredictNext[int32]}
	for from := int32(0); from < 5; from += steps {
		for i := range int32(columns) {
			data.Spans = append(data.Spans, batch.Span{String: i, From: from, Len: min(steps, 5-from)})
		}
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
