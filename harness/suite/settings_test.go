package suite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel/cpu"
)

// clean unsets every PUSHDOWN_ variable and sets a new cache folder for the duration of
// a test.
func clean(t *testing.T) (cache string) {
	t.Helper()
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); strings.HasPrefix(name, prefix) {
			t.Setenv(name, "") // restores the value after the test
			os.Unsetenv(name)
		}
	}
	cache = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("LocalAppData", cache)
	return cache
}

func TestParse(t *testing.T) {
	folder := t.TempDir()
	defaults := Settings{Scale: CI, Device: "cpu", ISA: cpu.Best(), Threads: 1, Shard: Shard{1, 1}}
	with := func(change func(*Settings)) Settings {
		s := defaults
		change(&s)
		return s
	}
	for _, c := range []struct {
		name  string
		env   []string
		short bool
		want  Settings
	}{
		{"nothing", nil, false, defaults},
		{"short", nil, true, with(func(s *Settings) { s.Scale = Smoke })},
		{"short and smoke", []string{"SCALE=smoke"}, true, with(func(s *Settings) { s.Scale = Smoke })},
		{"smoke", []string{"SCALE=smoke"}, false, with(func(s *Settings) { s.Scale = Smoke })},
		{"ci", []string{"SCALE=ci"}, false, defaults},
		{"paper resumes", []string{"SCALE=paper"}, false, with(func(s *Settings) { s.Scale, s.Resume = Paper, true })},
		{"paper anew", []string{"SCALE=paper", "RESUME=0"}, false, with(func(s *Settings) { s.Scale = Paper })},
		{"only results", []string{"RESUME=only"}, false, with(func(s *Settings) { s.Resume, s.Only = true, true })},
		{"resume", []string{"RESUME=1"}, false, with(func(s *Settings) { s.Resume = true })},
		{"cpu", []string{"DEVICE=cpu", "ISA=generic", "THREADS=256"}, false, with(func(s *Settings) { s.ISA, s.Threads = cpu.Generic, 256 })},
		{"shard", []string{"SHARD=3/10"}, false, with(func(s *Settings) { s.Shard = Shard{3, 10} })},
		{"require", []string{"REQUIRE=wikitext-2,network,ptb"}, false, with(func(s *Settings) { s.Require = []string{"network", "ptb", "wikitext-2"} })},
		{"corpora", []string{"CORPORA=" + folder + "/."}, false, with(func(s *Settings) { s.Corpora = folder })},
		{"state", []string{"STATE=" + folder + "/new"}, false, with(func(s *Settings) { s.State = folder + "/new" })},
		{"empty is unset", []string{"SCALE=", "DEVICE=", "ISA=", "THREADS=", "SHARD=", "REQUIRE=", "RESUME=", "STATE=", "CORPORA="}, false, defaults},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := clean(t)
			for _, v := range c.env {
				name, value, _ := strings.Cut(v, "=")
				t.Setenv(prefix+name, value)
			}
			got, err := Parse(c.short)
			if err != nil {
				t.Fatal(err)
			}
			if c.want.State == "" {
				if !strings.HasPrefix(got.State, cache) {
					t.Errorf("state is in %s, want it below %s", got.State, cache)
				}
				got.State = ""
			}
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env   string
		short bool
		want  string
	}{
		{"SCALE=big", false, `PUSHDOWN_SCALE: have "big", want smoke, ci or paper`},
		{"SCALE=CI", false, `PUSHDOWN_SCALE: have "CI", want smoke, ci or paper`},
		{"SCALE=ci ", false, `PUSHDOWN_SCALE: have "ci ", want smoke, ci or paper`},
		{"SCALE=ci", true, `PUSHDOWN_SCALE: have ci together with -short, want smoke or no -short`},
		{"SCALE=paper", true, `PUSHDOWN_SCALE: have paper together with -short, want smoke or no -short`},
		{"DEVICE=rocm", false, `PUSHDOWN_DEVICE: have "rocm", want cpu or cuda or cuda-graphs or emulated or emulated-graphs`},
		{"DEVICE=gpu", false, `PUSHDOWN_DEVICE: have "gpu", want cpu`},
		{"ISA=sse", false, `PUSHDOWN_ISA: have "sse", which is no instruction set; want one of generic`},
		{"THREADS=0", false, `PUSHDOWN_THREADS: have "0", want a number from 1 to 256`},
		{"THREADS=257", false, `PUSHDOWN_THREADS: have "257", want a number from 1 to 256`},
		{"THREADS=-1", false, `PUSHDOWN_THREADS: have "-1", want a number from 1 to 256`},
		{"THREADS=+1", false, `PUSHDOWN_THREADS: have "+1", want a number from 1 to 256`},
		{"THREADS=01", false, `PUSHDOWN_THREADS: have "01", want a number from 1 to 256`},
		{"THREADS=1.0", false, `PUSHDOWN_THREADS: have "1.0", want a number from 1 to 256`},
		{"THREADS=99999999999999999999", false, `PUSHDOWN_THREADS: have "99999999999999999999", want a number from 1 to 256`},
		{"SHARD=0/4", false, `PUSHDOWN_SHARD: have "0/4", want i/n with 1 <= i <= n <= 10000`},
		{"SHARD=5/4", false, `PUSHDOWN_SHARD: have "5/4", want i/n`},
		{"SHARD=1", false, `PUSHDOWN_SHARD: have "1", want i/n`},
		{"SHARD=/", false, `PUSHDOWN_SHARD: have "/", want i/n`},
		{"SHARD=1/2/3", false, `PUSHDOWN_SHARD: have "1/2/3", want i/n`},
		{"SHARD=1/0", false, `PUSHDOWN_SHARD: have "1/0", want i/n`},
		{"SHARD=1/10001", false, `PUSHDOWN_SHARD: have "1/10001", want i/n`},
		{"SHARD=1 / 2", false, `PUSHDOWN_SHARD: have "1 / 2", want i/n`},
		{"REQUIRE=tpu", false, `PUSHDOWN_REQUIRE: have "tpu", want names out of avx2, avx512, cc, chromium, clang, git, gpu, lm-syneval, long, neon, network, numpy, ptb, python, qemu, torch, trained, wikitext-2, separated by commas`},
		{"REQUIRE=gpu,", false, `PUSHDOWN_REQUIRE: have "", want names out of`},
		{"REQUIRE=gpu, ptb", false, `PUSHDOWN_REQUIRE: have " ptb", want names out of`},
		{"REQUIRE=gpu,ptb,gpu", false, `PUSHDOWN_REQUIRE: have gpu twice, want it once`},
		{"RESUME=yes", false, `PUSHDOWN_RESUME: have "yes", want 0, 1 or only`},
		{"STATE=state", false, `PUSHDOWN_STATE: have "state", want an absolute path`},
		{"STATE=" + file, false, `PUSHDOWN_STATE: have "` + file + `", which is a file, want a folder`},
		{"CORPORA=corpora", false, `PUSHDOWN_CORPORA: have "corpora", want an absolute path`},
		{"CORPORA=" + file + "2", false, `PUSHDOWN_CORPORA: have stat ` + file + `2: no such file or directory, want a folder`},
		{"CORPORA=" + file, false, `PUSHDOWN_CORPORA: have "` + file + `", which is a file, want a folder`},
		{"SCAEL=ci", false, `PUSHDOWN_SCAEL: have an unknown variable, want PUSHDOWN_SCALE or another of`},
		{"=1", false, `PUSHDOWN_: have an unknown variable, want PUSHDOWN_`},
	} {
		t.Run(c.env, func(t *testing.T) {
			clean(t)
			name, value, _ := strings.Cut(c.env, "=")
			t.Setenv(prefix+name, value)
			s, err := Parse(c.short)
			if err == nil {
				t.Fatalf("accepted as %+v, want the error %s", s, c.want)
			}
			if s != nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("have %v\nwant %s and no settings", err, c.want)
			}
		})
	}
}

// TestStateNeedsAFolder checks that settings with which runs save or read state are refused if
// there is no folder for it, and others are not.
func TestStateNeedsAFolder(t *testing.T) {
	for _, c := range []struct {
		env     []string
		refused bool
	}{
		{nil, false},
		{[]string{"RESUME=0"}, false},
		{[]string{"SCALE=smoke"}, false},
		{[]string{"RESUME=1"}, true},
		{[]string{"RESUME=only"}, true},
		{[]string{"SCALE=paper"}, true},
		{[]string{"SCALE=paper", "RESUME=0"}, true}, // saves results and checkpoints all the same
	} {
		clean(t)
		for _, v := range c.env {
			name, value, _ := strings.Cut(v, "=")
			t.Setenv(prefix+name, value)
		}
		for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
			t.Setenv(name, "")
		}
		s, err := Parse(false)
		const want = "want an absolute path in PUSHDOWN_STATE"
		switch {
		case c.refused && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%v without a cache folder: have the error %v, want one with %q", c.env, err, want)
		case !c.refused && (err != nil || s.State != ""):
			t.Errorf("%v without a cache folder: have %+v (%v), want settings without a state folder", c.env, s, err)
		}
	}
}

func TestRequiringAMissingInstructionSet(t *testing.T) {
	clean(t)
	for _, isa := range cpu.AllISAs()[1:] { // generic is never missing
		t.Setenv("PUSHDOWN_REQUIRE", isa.String())
		_, err := Parse(false)
		if has := slices.Contains(cpu.Available(), isa); has != (err == nil) {
			t.Errorf("%s: available %v, but error %v", isa, has, err)
		}
	}
}

func TestNearestName(t *testing.T) {
	for have, want := range map[string]string{
		"PUSHDOWN_SCAEL":     "PUSHDOWN_SCALE",
		"PUSHDOWN_THREAD":    "PUSHDOWN_THREADS",
		"PUSHDOWN_REQUIRES":  "PUSHDOWN_REQUIRE",
		"PUSHDOWN_STAET":     "PUSHDOWN_STATE",
		"PUSHDOWN_CORPUS":    "PUSHDOWN_CORPORA",
		"PUSHDOWN_ISA2":      "PUSHDOWN_ISA",
		"PUSHDOWN_DEVICE_ID": "PUSHDOWN_DEVICE",
	} {
		if got := nearest(have); got != want {
			t.Errorf("nearest to %s is %s, want %s", have, got, want)
		}
	}
}

func TestVariablesAreSortedAndComplete(t *testing.T) {
	list := Variables()
	if !slices.IsSortedFunc(list, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("variables are not in order")
	}
	for _, v := range list {
		if !strings.HasPrefix(v.Name, prefix) || v.Values == "" || v.Default == "" || v.Meaning == "" {
			t.Errorf("incomplete: %+v", v)
		}
	}
}
