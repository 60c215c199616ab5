package suite

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pushdown/harness/train"
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
	trainToys(t, s, "trained", "first run")
	if have := s.paces(t, part); len(have) != 0 {
		t.Errorf("have %q of runs with results, want nothing", have)
	}
	if err := os.Remove(results(t)[0]); err != nil {
		t.Fatal(err)
	}
	says("1")
}

// slow is a row that takes a second whenever it is built, as it is twice: to look for its
// result, and to measure it.
type slow struct {
	toy
	name string
}

func (r slow) ID() RowID { return RowID{Paper: "resurgence", Section: "6.2", Row: r.name} }

func (r slow) Build(seed uint64) (*train.Experiment, error) {
	time.Sleep(time.Second)
	return r.toy.Build(seed)
}

// TestPacesTakeATenthOfTheTimeout checks that no row is measured after a tenth of -timeout.
func TestPacesTakeATenthOfTheTimeout(t *testing.T) {
	s, r := toys(t)
	Current().Device = emulatedDevice
	limit := flag.Lookup("test.timeout").Value
	old := limit.String()
	t.Cleanup(func() { limit.Set(old) })
	part := Part{Runs: append(Seeds(1, slow{r, "first"}), Seeds(1, slow{r, "second"})...)}
	for timeout, measured := range map[string]bool{"0": true, "30s": false, "30.01s": true} {
		if err := limit.Set(timeout); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) { // only the sleep takes time
			have := s.paces(t, part)
			if len(have) != 2 || strings.Contains(have[0], "too short") || strings.Contains(have[1], "too short") == measured {
				t.Errorf("-timeout %s: have %q, want the first measured, and the second: %v", timeout, have, measured)
			}
		})
	}
}
