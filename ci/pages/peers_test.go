package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPeers(t *testing.T) {
	p, err := readPrintout("some/machine.txt", read(t, filepath.Join("testdata", "baselines.txt")))
	if err != nil {
		t.Fatal(err)
	}
	have, err := speedSentence([]*printout{p})
	const want = "* **fast**: 2.1 times as fast as the faster of PyTorch 2.0 and JAX 0.4 for whole trainings and evaluations of the suites, 26 times for networks of 12 to 40 units ([measured](ci/baselines/README.md))\n"
	if err != nil || have != want {
		t.Errorf("have %q, %v, want %q", have, err, want)
	}
	tables := peerTables([]*printout{p})
	for _, want := range []string{"### machine\n", "* Some processor, 3 rounds of 0.3 s\n* torch 2.0, jax 0.4\n", "| tokens/s | ours | peak-% | MB | pytorch | MB | ratio | range | way |\n| --- |",
		"\npytorch: geometric mean of 1 ratios 25.521, least 25.521.\n", "| Job/job=dyck/threads=1 | 233 | - | 10.2 | 22.843 | 22.80-22.90 | 1,keep,eager | 110 | 2.118 | 2.10-2.20 | 1,any,any,jit |\n"} {
		if !strings.Contains(tables, want) {
			t.Errorf("have no %q in\n%s", want, tables)
		}
	}
}

// TestSlowerThanAPeer checks that the sentence does not hide where a peer is faster.
func TestSlowerThanAPeer(t *testing.T) {
	p, err := readPrintout("x.txt", "# tokens/s ours peak-% MB a MB ratio range way b MB ratio range way\nTrain/case=a/threads=1 1 2 3 4 5 1.5 1-2 w 1 2 0.954 1-1 w\nTrain/case=b/threads=1 1 2 3 4 5 112.4 1-2 w\n")
	if err != nil {
		t.Fatal(err)
	}
	if have, err := speedSentence([]*printout{p}); err != nil || !strings.Contains(have, "0.95 to 112 times as fast as the faster of  for large networks") {
		t.Errorf("have %q, %v, want 0.95 to 112", have, err)
	}
	if _, err := speedSentence(nil); err == nil {
		t.Error("without tables: have no error, want one")
	}
}
