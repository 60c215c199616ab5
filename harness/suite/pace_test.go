package suite

import (
	"os"
	"regexp"
	"testing"

	"pushdown/harness/golden"
)

// TestPaces checks that the first updates of a row are measured once if the device is not the
// CPU, and no longer when its runs have results.
func TestPaces(t *testing.T) {
	s, r := toys(t)
	Current().Device = emulatedDevice
	part := s.Tables[0].At(Paper)
	says := func(runs string) {
		t.Helper()
		want := regexp.MustCompile(`^` + regexp.QuoteMeta(string(r.ID().Group())) + `: ` + runs + ` to train, less than 0.1 hours an epoch, ` +
			`less than 0.1 hours a run of all its \d+ updates, as \d+ updates took on cuda/emulated$`)
		if have := s.paces(t, part); len(have) != 1 || !want.MatchString(have[0]) {
			t.Errorf("have %q, want %s", have, want)
		}
	}
	says("2")
	*golden.Flag() = "first run"
	if !t.Run("trained", func(t *testing.T) { s.run(t, s.Tables[0]) }) {
		t.FailNow()
	}
	if have := s.paces(t, part); len(have) != 0 {
		t.Errorf("have %q of runs with results, want nothing", have)
	}
	if err := os.Remove(results(t)[0]); err != nil {
		t.Fatal(err)
	}
	says("1")
}
