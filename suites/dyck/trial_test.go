package dyck

import (
	"fmt"
	"testing"
	"time"

	"pushdown/corpora/formal"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/train"
)

func TestTrial(t *testing.T) {
	for i, e := range Table2()[2:] {
		e.MaxUpdates = 1500
		dev, _ := cpu.New(cpu.Options{ISA: cpu.Best()})
		began := time.Now()
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		setup := time.Since(began)
		res, err := train.Run(x, train.Options{Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		tr := time.Since(began)
		acc, err := e.Measure(dev, res.Params, 1, formal.Test, e.Test)
		if err != nil {
			t.Fatal(err)
		}
		w, _ := acc.LDPA.Worst(1)
		fmt.Println(i, x.Name, "setup", setup, "train", tr, "total", time.Since(began), "updates", res.Updates, res.Stopped, "epochs", res.Epochs(x), "wcpa", w, "loss", acc.Loss, "ns/row", float64(res.Took.Nanoseconds())/float64(res.Rows), "rows", res.Rows)
		for _, c := range res.Checks {
			if c.Update%5000 == 0 {
				fmt.Println("   ", c)
			}
		}
	}
}
