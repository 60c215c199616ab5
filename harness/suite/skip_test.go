package suite

import (
	"errors"
	"fmt"
	"testing"

	"pushdown/harness/train"
)

func TestSkipText(t *testing.T) {
	for _, c := range []struct {
		require              []string
		need, reason, remedy string
		fail                 bool
		want                 string
	}{
		{nil, "ptb", "no PTB corpus in /c", "set PUSHDOWN_CORPORA", false,
			"ptb: no PTB corpus in /c; to run it with -count=1: set PUSHDOWN_CORPORA"},
		{[]string{"gpu"}, "ptb", "r", "m", false, "ptb: r; to run it with -count=1: m"},
		{[]string{"gpu", "ptb"}, "ptb", "no PTB corpus in /c", "set PUSHDOWN_CORPORA", true,
			"PUSHDOWN_REQUIRE=gpu,ptb requires ptb: no PTB corpus in /c; to run it: set PUSHDOWN_CORPORA"},
		{nil, "pbt", "r", "m", true,
			`suite: have the need "pbt", want one of avx2, avx512, cc, chromium, clang, git, gpu, lm-syneval, long, neon, network, numpy, ptb, python, qemu, torch, trained, wikitext-2`},
		{nil, "ptb", "", "m", true, `suite: have a skip for ptb with reason "" and remedy "m", want both`},
		{nil, "ptb", "r", "", true, `suite: have a skip for ptb with reason "r" and remedy "", want both`},
	} {
		got, fail := skipText(c.require, c.need, c.reason, c.remedy)
		if got != c.want || fail != c.fail {
			t.Errorf("have %v %q\nwant %v %q", fail, got, c.fail, c.want)
		}
	}
}

func TestSkipEndsTheTest(t *testing.T) {
	if e := endOf(func() { Skip(&fake{}, "unknown", "r", "m") }); e.how != "fatal" {
		t.Errorf("an unknown need %s: %s", e.how, e.text)
	}
	stdout, _, status := again(t, nil, "-test.run=^TestNeedsNetwork$", "-test.v")
	if status != 0 || !contains(stdout, "--- SKIP: TestNeedsNetwork", "network: this test never has one; to run it with -count=1: not at all") {
		t.Errorf("without PUSHDOWN_REQUIRE: exit status %d\n%s", status, stdout)
	}
	stdout, _, status = again(t, []string{"PUSHDOWN_REQUIRE=network"}, "-test.run=^TestNeedsNetwork$")
	if status != 1 || !contains(stdout, "--- FAIL: TestNeedsNetwork", "skip_test.go:", "PUSHDOWN_REQUIRE=network requires network: this test never has one; to run it: not at all") {
		t.Errorf("with PUSHDOWN_REQUIRE: exit status %d\n%s", status, stdout)
	}
}

// TestNeedsNetwork is run by TestSkipEndsTheTest in another process.
func TestNeedsNetwork(t *testing.T) {
	for _, need := range Current().Require {
		if need == "network" && !child() {
			t.Skip("subject of another test")
		}
	}
	Skip(t, "network", "this test never has one", "not at all")
}

// TestBuilt checks that a row whose corpus is missing is skipped, except at paper
// scale, where it fails.
func TestBuilt(t *testing.T) {
	missing := fmt.Errorf("row: %w", &Missing{Need: "ptb", Reason: "no text", Remedy: "get it"})
	x := new(train.Experiment)
	old := *Current()
	t.Cleanup(func() { *Current() = old })
	Current().Require = nil
	for _, c := range []struct {
		scale     Scale
		err       error
		how, text string
	}{
		{CI, nil, "returned", ""},
		{Paper, nil, "returned", ""},
		{CI, missing, "skip", "ptb: no text; to run it with -count=1: get it"},
		{Smoke, missing, "skip", "ptb: no text; to run it with -count=1: get it"},
		{Paper, missing, "fatal", "row: ptb: no text; get it"},
		{CI, errors.New("bad row"), "fatal", "bad row"},
	} {
		var have *train.Experiment
		Current().Scale = c.scale
		if e := endOf(func() { have = Built(&fake{}, x, c.err) }); e.how != c.how || e.text != c.text || (have == x) != (c.err == nil) {
			t.Errorf("scale %s, error %v: have %s %q, want %s %q", c.scale, c.err, e.how, e.text, c.how, c.text)
		}
	}
}
