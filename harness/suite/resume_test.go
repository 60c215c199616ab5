package suite

import (
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResumeCommandIsExact(t *testing.T) {
	for _, c := range []struct {
		pkg, test  string
		flags, env []string
		want       string
	}{
		{"pushdown/suites/dyck", "TestWCPA/paper=resurgence/section=6.2/row=a/seed=1", nil, nil,
			`PUSHDOWN_RESUME=1 go test pushdown/suites/dyck -run '^TestWCPA$/^paper=resurgence$/^section=6\.2$/^row=a$/^seed=1$' -timeout=0 -count=1`},
		{"p", "TestX", []string{"-tags=purego", "-race", "-short", "-v"}, []string{"GOAMD64=v3", "PUSHDOWN_SCALE=paper", "PUSHDOWN_RESUME=0", "PUSHDOWN_STATE=/a b/it's"},
			`PUSHDOWN_RESUME=1 GOAMD64=v3 PUSHDOWN_SCALE=paper PUSHDOWN_STATE='/a b/it'\''s' go test p -run '^TestX$' -timeout=0 -count=1 -tags=purego -race -short -v`},
	} {
		if diff := cmp.Diff(c.want, commandOf(c.pkg, true, []string{c.test}, c.flags, c.env)); diff != "" {
			t.Errorf("command (-want +got):\n%s", diff)
		}
	}
}

func TestBuildOf(t *testing.T) {
	info := &debug.BuildInfo{Path: "pushdown/suites/dyck.test", Settings: []debug.BuildSetting{
		{Key: "-asmflags", Value: "-D=X"}, {Key: "-buildmode", Value: "exe"}, {Key: "-gcflags", Value: "all=-N -l"}, {Key: "-ldflags", Value: "-s"},
		{Key: "-cover", Value: "true"}, // testing.CoverMode gives the mode
		{Key: "-asan", Value: "true"}, {Key: "-msan", Value: "true"}, {Key: "-race", Value: "true"}, {Key: "-tags", Value: "purego"}, {Key: "-trimpath", Value: "true"},
		{Key: "CGO_ENABLED", Value: "0"}, {Key: "CGO_CFLAGS", Value: "-O1"}, {Key: "CGO_LDFLAGS"}, {Key: "GOAMD64", Value: "v3"}, {Key: "GOARCH", Value: "amd64"}, {Key: "GOEXPERIMENT", Value: "x"},
	}}
	pkg, flags, env := buildOf(info)
	got := []any{pkg, flags, env}
	want := []any{"pushdown/suites/dyck", []string{"-asmflags=-D=X", "-gcflags=all=-N -l", "-ldflags=-s", "-asan", "-msan", "-race", "-tags=purego", "-trimpath"},
		[]string{"CGO_ENABLED=0", "CGO_CFLAGS=-O1", "GOAMD64=v3", "GOEXPERIMENT=x"}}
	usual := &debug.BuildInfo{Path: "p.test", Settings: []debug.BuildSetting{{Key: "-tags"}, {Key: "CGO_ENABLED", Value: "1"}, {Key: "GOAMD64", Value: "v1"}, {Key: "GOARM64", Value: "v8.0"}}}
	if _, flags, env := buildOf(usual); len(flags)+len(env) > 0 {
		t.Errorf("a plain build has flags %q and variables %q, want none", flags, env)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("build (-want +got):\n%s", diff)
	}
}

// TestResumeCommandSurvivesTheShell checks that a shell reads a quoted word as the
// original word.
func TestResumeCommandSurvivesTheShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this system; install a POSIX shell")
	}
	for _, value := range []string{"plain", "", "two words", "it's", `"$HOME" \ * ; & (x)`, "a\nb"} {
		out, err := exec.Command(sh, "-c", "printf %s "+quote(value)).Output()
		if err != nil || string(out) != value {
			t.Errorf("%q came out as %q, %v", value, out, err)
		}
	}
}

func TestRunPatterns(t *testing.T) {
	for want, tests := range map[string][]string{
		`^TestA$`:                   {"TestA"},
		`^(TestA|TestB)$`:           {"TestA", "TestB"},
		`^TestA$/^x=1\.5$/^seed=1$`: {"TestA/x=1.5/seed=1"},
		`^TestA$/^x=2$/^(seed=2|seed=1)$|^TestA$/^x=1$/^seed=3$`: {"TestA/x=2/seed=2", "TestA/x=1/seed=3", "TestA/x=2/seed=1"},
	} {
		if got := runPatterns(tests); got != want {
			t.Errorf("the pattern of %q is\n\t%s, want\n\t%s", tests, got, want)
		}
	}
}

func TestResumeCommandNamesTheEnvironment(t *testing.T) {
	clean(t)
	t.Setenv("PUSHDOWN_SCALE", "paper")
	t.Setenv("PUSHDOWN_RESUME", "0")
	t.Setenv("PUSHDOWN_THREADS", "")
	got := command(true, t.Name())
	if !contains(got, "PUSHDOWN_RESUME=1 ", " PUSHDOWN_SCALE=paper go test pushdown/harness/suite -run '^TestResumeCommandNamesTheEnvironment$' ") ||
		contains(got, "PUSHDOWN_RESUME=0") || contains(got, "THREADS") {
		t.Error(got)
	}
}
