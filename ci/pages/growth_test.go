package main

import (
	"fmt"
	"strings"
	"testing"

	"pushdown/harness/plot"
	"pushdown/suites/throughput"
)

// grown returns a printout of growth on two threads each, in which our speed is 1,000 divided by the place in the list, PyTorch's 500 and JAX's 250.
func grown() string {
	var b strings.Builder
	b.WriteString("# Some processor\n# torch 2.0.1+cpu, jax 0.4\n")
	for threads := 1; threads <= 2; threads++ {
		b.WriteString("# tokens/s  ours peak-%     MB   pytorch     MB  ratio       range way                      jax     MB  ratio       range way\n")
		n := 0
		for _, c := range throughput.Growth() {
			n++
			fmt.Fprintf(&b, "Grow/case=%s/threads=%d  %d  50.0  55  %d  246  2.000  1.90-2.10 1,any,keep,module  %d  300  4.000 3.90-4.10 1,any,any,jit\n", c.Name, threads, 1000/n, 500/n, 250/n)
		}
		for _, s := range []string{"medians of %d rounds of 0.3 s", "pytorch: geometric mean of %d ratios 2.000, least 2.000", "jax: geometric mean of %d ratios 4.000, least 4.000", "best: geometric mean of %d ratios 2.000, least 2.000"} {
			fmt.Fprintf(&b, "# "+s+"\n", n)
		}
	}
	return b.String()
}

// TestGrowth checks that each number of a printout is a point of its panel, and that damaged printouts are refused.
func TestGrowth(t *testing.T) {
	read := func(text string) (plot.Grid, error) {
		p, err := readPrintout("some/machine"+growthFile, text)
		if err == nil {
			err = p.check(text)
		}
		if err != nil {
			return plot.Grid{}, err
		}
		if have, want := p.drawing(), "some/machine-growth.svg"; have != want {
			t.Errorf("have the drawing %s, want %s", have, want)
		}
		if text := peerTables([]*printout{p}); !strings.Contains(text, "](measured/machine-growth.svg)") || !strings.Contains(text, "| Grow/case=lstm/h=16/threads=2 |") {
			t.Errorf("have the tables\n%s\nwant the drawing and the rows", text)
		}
		return p.growth()
	}
	g, err := read(grown())
	if err != nil {
		t.Fatal(err)
	}
	if err := plot.SVG(&strings.Builder{}, g); err != nil {
		t.Error(err)
	}
	points := 0
	for i, row := range g.Rows {
		if len(row) != 2 || len(row[0].Curves) != 6 || len(row[1].Curves) != 6 {
			t.Fatalf("row %d: have %d panels, want two of three sides with one and with two threads", i+1, len(row))
		}
		for k, c := range row[0].Curves {
			points += len(c.X)
			if c.Dashed != (k >= 3) || c.Dashed != strings.HasSuffix(c.Name, "2 threads") {
				t.Errorf("row %d: curve %d: have %s, dashed %v", i+1, k+1, c.Name, c.Dashed)
			}
		}
	}
	if want := 6 * len(throughput.Growth()); points != want || len(g.Rows) != 5 {
		t.Errorf("have %d points of speed in %d rows, want %d in 5", points, len(g.Rows), want)
	}
	if p := g.Rows[0][0]; p.Title != "LSTM, by units" || p.Curves[0].X[6] != 1024 || p.Curves[0].Y[6] != 142 || p.Curves[1].Name != "PyTorch" || p.Curves[1].Y[6] != 71 || p.Y.Min != 10 || p.Y.Max != 1000 {
		t.Errorf("have the first panel %+v", p)
	}
	if p := g.Rows[4][1]; p.Title != "Stack RNN, by stacks" || p.Curves[0].X[3] != 64 || p.Curves[0].Y[3] != 55 || p.Curves[2].Y[0] != 300 {
		t.Errorf("have the last panel %+v", p)
	}
	for _, c := range []struct{ old, new string }{
		{"Grow/case=lstm/V=64/threads=1", "Grow/case=lstm/V=65/threads=1"}, {"Grow/case=lstm/h=16/threads=1", "Train/case=a/threads=1"}, {"Grow/case=lstm/h=16/threads=1", "Grow/case=lstm/h=/threads=1"},
		{"Grow/case=lstm/h=16/threads=1", "Grow/case=lstm/h=32/threads=1"}, {"   pytorch ", "   tensorflow "}, {"   pytorch     MB", "   pytorch     way"}, {"h=16/threads=1  1000", "h=16/threads=1  -5"}, {"h=16/threads=1  1000", "h=16/threads=1  x"},
		{"h=16/threads=1  1000", "h=16/threads=1  100"}, {"h=16/threads=1  1000", "h=16/threads=1  -"}, {" 55  500 ", " 55  5000 "}, {" 55  500 ", " -  500 "}, {" 55  500 ", " 0  500 "},
	} {
		damaged := strings.Replace(grown(), c.old, c.new, 1)
		g, err := read(damaged)
		if err == nil {
			err = plot.SVG(&strings.Builder{}, g)
		}
		if damaged == grown() || err == nil {
			t.Errorf("%q for %q: have no error, want one", c.new, c.old)
		}
	}
}
