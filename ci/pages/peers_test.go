package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/suites/throughput"
)

func TestPeers(t *testing.T) {
	text := read(t, filepath.Join("testdata", "measured.txt"))
	p, err := readPrintout("some/machine.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.check(text); err != nil {
		t.Error(err)
	}
	have, err := speedSentence([]*printout{p})
	const want = "* **fast**: 2.1 times as fast as the faster of PyTorch 2.0.1 and JAX 0.4 in trainings and evaluations of the suites, 25 times for an LSTM of 12 units and a Stack RNN of 40 units, " +
		"3 times for an mmLSTM and networks with stacks on words, 0.99 times for other networks of 125 to 1,038 units ([measured](ci/baselines/README.md) on one thread: machine)\n"
	if err != nil || have != want {
		t.Errorf("have %q, %v, want %q", have, err, want)
	}
	tables := peerTables([]*printout{p})
	for _, want := range []string{"### machine\n", "* Some processor\n* torch 2.0.1+cpu, jax 0.4\n", "| tokens/s | ours | peak-% | MB | pytorch | MB | ratio | range | way |",
		"\nmedians of 3 rounds of 0.3 s, commit 0123456789ab; pytorch: geometric mean of 3 ratios 4.240, least 0.996; jax", "| Job/job=dyck/threads=1 | 233 | - | 10.2 | 22.843 | 22.80-22.90 | 1,any,keep,eager | 110 | 2.118 | 2.10-2.20 | 1,any,any,jit |\n"} {
		if !strings.Contains(tables, want) {
			t.Errorf("have no %q in\n%s", want, tables)
		}
	}
	if _, err := speedSentence(nil); err == nil {
		t.Error("without tables: have no error, want one")
	}
}

// TestDamagedPrintouts checks that what is cut off, edited or damaged is refused, because it would make the sentence on
// speed better than it is.
func TestDamagedPrintouts(t *testing.T) {
	text := read(t, filepath.Join("testdata", "measured.txt"))
	for _, c := range []struct{ old, new string }{
		{" 0.996 ", " -0.996 "}, {" 0.996 ", " 0 "}, {" 0.996 ", " 0x1p-3 "}, {" 0.996 ", " - "}, {" 0.996 ", " 9.960 "}, {" 0.996 ", " NaN "},
		{" 0.996  0.95-1.01 ", " 1.996  1.95-2.01 "}, {"least 0.996\n# updates", "least 1.996\n# updates"}, {"of 3 ratios 4.240, least 0.996\n# updates", "of 2 ratios 4.240, least 0.996\n# updates"},
		{"    55      1010 ", "    55\n"}, {"ours peak-%     MB", "ours peak%     MB"}, {"# updates/s ", "# "}, {"Train/case=a", "BenchmarkTrain/case=a"}, {"Train/case=a", "Train/case=z"},
		{"Train/case=h", "Train/case=a"}, {"torch 2.0.1", "torch"}, {"jax 0.4", ""}, {"# medians of 3 rounds of 0.3 s, commit 0123456789ab\n# pytorch: geometric mean of 3", "# pytorch: geometric mean of 3"}, {"1,any,keep,module", "a|b"}, {"# best: geometric mean of 1 ratios 2.118, least 2.118\n", ""},
		{text[strings.Index(text, "# updates"):], ""}, {"1 ratios 2.118, least 2.118\n# best", "1 ratios 2.118, least 2.118\n\n# best"}, {"least 2.118\n# best: geometric mean of 1 ratios 2.118, least 2.118\n", "least 2.118\n# best: geometric mean of 1 ratios 2.118, least 2.118"},
	} {
		damaged := strings.Replace(text, c.old, c.new, 1)
		p, err := readPrintout("x.txt", damaged)
		if err == nil {
			err = p.check(damaged)
		}
		if damaged == text || err == nil || !strings.Contains(err.Error(), "x.txt") {
			t.Errorf("%q for %q: have %v, want an error", c.new, c.old, err)
		}
	}
}

// TestProducts checks that a printout of products has all shapes, and no part in the sentence on speed.
func TestProducts(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Some processor\n# scipy 1.1, oneDNN 3.1\n# GFLOP/s  ours peak-%  onednn  ratio  range  way  openblas  ratio  range  way\n")
	n := 0
	for _, s := range throughput.Shapes() {
		for _, form := range []string{"NN", "NT", "TN"} {
			n++
			fmt.Fprintf(&b, "GEMM/m=%d/k=%d/n=%d/trans=%s/threads=1  90  50.0  100  0.900  0.85-0.95  1,any  45  2.000  1.90-2.10  1,any\n", s.M, s.K, s.N, form)
		}
	}
	fmt.Fprintf(&b, "# medians of 3 rounds of 0.1 s\n# onednn: geometric mean of %d ratios 0.900, least 0.900\n# best: geometric mean of %[1]d ratios 0.900, least 0.900\n", n)
	parse := func(text string) (*printout, error) {
		p, err := readPrintout("some/machine"+productsFile, text)
		if err == nil {
			err = p.check(text)
		}
		return p, err
	}
	text := b.String()
	products, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if tables := peerTables([]*printout{products}); !strings.HasPrefix(tables, "### machine-products\n") || !strings.Contains(tables, "| GEMM/m=10/k=12/n=48/trans=TN/threads=1 | 90 |") {
		t.Errorf("have the tables\n%s", tables)
	}
	suites, err := readPrintout("some/machine.txt", read(t, filepath.Join("testdata", "measured.txt")))
	if err != nil {
		t.Fatal(err)
	}
	want, err := speedSentence([]*printout{suites})
	if have, fault := speedSentence([]*printout{suites, products}); err != nil || fault != nil || have != want {
		t.Errorf("have %q, %v, want %q as without products", have, fault, want)
	}
	for _, c := range []struct{ old, new string }{
		{"GEMM/m=10/k=12/n=48/trans=TN/threads=1", "GEMM/m=11/k=12/n=48/trans=TN/threads=1"}, {"GEMM/m=10/k=12/n=48/trans=TN/threads=1", "GEMM/m=10/k=12/n=48/trans=NT/threads=1"},
		{"GEMM/m=10/k=12/n=48/trans=TN/threads=1", "Train/case=a/threads=1"}, {"  0.900  ", "  1.100  "}, {", oneDNN 3.1", ""},
	} {
		damaged := strings.Replace(text, c.old, c.new, 1)
		if _, err := parse(damaged); damaged == text || err == nil {
			t.Errorf("%q for %q: have no error, want one", c.new, c.old)
		}
	}
}
