package suite

import (
	"os"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// TestForecast checks which runs a forecast counts, and their minutes. Runs with a
// result are not counted as runs to train, and runs of other shards are not counted
// at all. A run that the golden file does not have takes the mean time of its row.
func TestForecast(t *testing.T) {
	s, _ := toys(t)
	var g *golden.File
	says := func(want string) {
		t.Helper()
		t.Run("forecast", func(t *testing.T) {
			part := s.Tables[0].At(Paper)
			if have := s.forecast(t, part, g); have != want {
				t.Errorf("have %q, want %q", have, want)
			}
		})
	}
	says("2 of 2 runs to train; no estimate")
	trainToys(t, s, "trained", "first run")
	g = must(s.Golden(Paper))
	says("0 of 2 runs to train")
	if err := os.Remove(results(t)[0]); err != nil {
		t.Fatal(err)
	}
	says("1 of 2 runs to train: less than 0.1 hours of training as measured in the golden file, less than 0.1 h on 1 processor")
	if mean, ok := trainMinutes(g, toy{}.ID().Group(), 3); !ok || !(mean > 0) {
		t.Errorf("a third seed takes %v minutes, %v, want the mean of the two", mean, ok)
	}
	for i, r := range g.Rows { // the same minutes, as those of first epochs
		g.Rows[i].Name = verdict.FirstEpochOf(r.Name.Group()).WithSeed(r.Name.Seed())
	}
	says("1 of 2 runs to train; no estimate; the first epochs of 1 of them take less than 0.1 hours")
	settings := Current()
	settings.Resume = false
	for i := range 2 {
		settings.Shard = Shard{i + 1, 2}
		own := 0
		for seed := 1; seed <= 2; seed++ {
			if settings.Shard.Owns(string(toy{}.ID().Group().WithSeed(seed))) {
				own++
			}
		}
		if f := s.forecast(t, s.Tables[0].At(Paper), nil); f != (&ahead{runs: own, train: own}).text(1, 1, 1) {
			t.Errorf("shard %v: have %q, want %d runs", settings.Shard, f, own)
		}
	}
	settings.Only = true
	says("")
	settings.Only, settings.Scale = false, CI
	says("")
}

// TestForecastText checks the number of processors and the hours in a forecast. The
// number of processors is the number of concurrent runs times the threads of each, but
// no more than the machine has. The hours are no fewer than those of the longest run.
func TestForecastText(t *testing.T) {
	for _, c := range []struct {
		f                             ahead
		parallel, threads, processors int
		want                          string
	}{
		{ahead{500, 480, 460, 498, 60, 0, 0}, 2, 1, 2, "480 of 500 runs to train: 460 of them about 8.3 hours of training as measured in the golden file, about 4.2 h on 2 processors; no estimate for the other 20"},
		{ahead{3, 3, 1, 90, 90, 0, 0}, 2, 1, 2, "3 of 3 runs to train: 1 of them about 1.5 hours of training as measured in the golden file, about 1.5 h on 1 processor; no estimate for the other 2"},
		{ahead{30, 30, 0, 0, 0, 22, 150}, 2, 1, 2, "30 of 30 runs to train; no estimate; the first epochs of 22 of them take about 2.5 hours"},
		{ahead{3, 3, 3, 120, 90, 0, 0}, 8, 1, 16, "3 of 3 runs to train: about 2.0 hours of training as measured in the golden file, about 1.5 h on 3 processors"},
		{ahead{3, 3, 3, 120, 90, 0, 0}, 8, 4, 4, "3 of 3 runs to train: about 2.0 hours of training as measured in the golden file, about 0.5 h on 4 processors"},
		{ahead{1, 1, 1, 90, 90, 0, 0}, 8, 1, 8, "1 of 1 runs to train: about 1.5 hours of training as measured in the golden file, about 1.5 h on 1 processor"},
	} {
		if have := c.f.text(c.parallel, c.threads, c.processors); have != c.want {
			t.Errorf("have %q, want %q", have, c.want)
		}
	}
}

// TestSelected checks that the function matches selects the same tests for a -run
// pattern as package testing does.
func TestSelected(t *testing.T) {
	const test = "TestWCPA/paper=resurgence/table=2/row=dyck-m4/seed=1"
	for pattern, want := range map[string][2]bool{ // whether the pattern matches if whole is false, and if it is true
		"WCPA":                          {true, true},
		"^WCPA":                         {},
		"WCPA/resurgence//m4/seed=1":    {true, true},
		"WCPA/resurgence//m6":           {},
		"WCPA/////more":                 {true, false},
		"Other|WCPA/(a|resurgence)":     {true, true},
		"WCPA/other|Other/resurgence":   {},
		`WCPA/[/|]/table|^TestW/\w+=r`:  {true, true},
		`WCPA/paper=r\w+$/table=2/(|x)`: {true, true},
	} {
		if have := [2]bool{matches(pattern, test, false), matches(pattern, test, true)}; have != want {
			t.Errorf("%s: have %v, want %v", pattern, have, want)
		}
	}
}
