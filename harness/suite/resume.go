package suite

import (
	"flag"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// ResumeCommand returns the shell command that resumes test t. The command has the
// same package, test, build and environment, with PUSHDOWN_RESUME=1 and no time
// limit. It works in every folder of the module.
func ResumeCommand(t testing.TB) string { return resumeCommandOf(t.Name()) }

// resumeCommandOf returns the shell command that resumes the given tests.
func resumeCommandOf(tests ...string) string {
	pkg, flags, env := invocation()
	return resumeCommand(pkg, tests, flags, env)
}

// runCommand returns the shell command that runs the given tests, in the current
// build and environment and without a time limit. There must be at least one test.
func runCommand(tests ...string) string {
	pkg, flags, env := invocation()
	return command(pkg, tests, flags, env)
}

// invocation returns the package under test, and the flags and variables that were
// given to go test.
func invocation() (pkg string, flags, env []string) {
	pkg, flags, env = buildOf(readBuild())
	if mode := testing.CoverMode(); mode != "" {
		flags = append(flags, "-covermode="+mode)
	}
	for _, profile := range []string{"blockprofile", "cpuprofile", "memprofile", "mutexprofile"} { // with a profile, go test keeps symbols in the binary
		if file := flag.Lookup("test." + profile).Value.String(); file != "" {
			flags = append(flags, "-"+profile+"="+file)
		}
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() != "" {
		flags = append(flags, "-update="+f.Value.String())
	}
	if testing.Short() {
		flags = append(flags, "-short")
	}
	if testing.Verbose() {
		flags = append(flags, "-v")
	}
	return pkg, flags, append(env, set()...)
}

func readBuild() *debug.BuildInfo {
	info, _ := debug.ReadBuildInfo()
	return info
}

// buildOf returns the package that a test binary tests, and the flags and variables
// of its build that the binary records. The resume command repeats these flags and
// variables, because only the same build finds the state that a run has saved. The
// binary does not record the packages of -coverpkg, a -pgo profile outside the
// package or, with -trimpath, the value of -ldflags. If they were given, the
// resumed run reports that the state is from another build.
func buildOf(info *debug.BuildInfo) (pkg string, flags, env []string) {
	if info == nil {
		return ".", nil, nil
	}
	for _, s := range info.Settings {
		switch {
		case s.Value == "":
		case slices.Contains([]string{"-asan", "-msan", "-race", "-trimpath"}, s.Key) && s.Value == "true":
			flags = append(flags, s.Key)
		case slices.Contains([]string{"-asmflags", "-gcflags", "-ldflags", "-tags"}, s.Key):
			flags = append(flags, s.Key+"="+s.Value)
		case s.Key == "CGO_ENABLED" && s.Value == "0", s.Key == "GOAMD64" && s.Value != "v1", s.Key == "GOARM64" && s.Value != "v8.0",
			strings.HasPrefix(s.Key, "CGO_") && strings.HasSuffix(s.Key, "FLAGS"), s.Key == "GOEXPERIMENT", s.Key == "GOFIPS140":
			env = append(env, s.Key+"="+s.Value)
		}
	}
	return strings.TrimSuffix(info.Path, ".test"), flags, env
}

func resumeCommand(pkg string, tests, flags, env []string) string {
	words := []string{"PUSHDOWN_RESUME=1"}
	for _, v := range env {
		if name, _, _ := strings.Cut(v, "="); name != "PUSHDOWN_RESUME" {
			words = append(words, v)
		}
	}
	return command(pkg, tests, flags, words)
}

func command(pkg string, tests, flags, env []string) string {
	var words []string
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		words = append(words, name+"="+quote(value))
	}
	words = append(words, "go", "test", quote(pkg), "-run", quote(runPatterns(tests)), "-timeout=0", "-count=1")
	for _, f := range flags {
		words = append(words, quote(f))
	}
	return strings.Join(words, " ")
}

// runPatterns returns the -run pattern that matches exactly the given tests. The pattern
// has one alternative for all tests that differ only in their last element, such as the
// seeds of a row.
func runPatterns(tests []string) string {
	var parents []string
	last := map[string][]string{}
	for _, test := range tests {
		parent, name := path.Split(test)
		if last[parent] == nil {
			parents = append(parents, parent)
		}
		last[parent] = append(last[parent], regexp.QuoteMeta(name))
	}
	var list []string
	for _, p := range parents {
		pattern := "^" + last[p][0] + "$"
		if len(last[p]) > 1 {
			pattern = "^(" + strings.Join(last[p], "|") + ")$"
		}
		if p != "" {
			pattern = runPattern(strings.TrimSuffix(p, "/")) + "/" + pattern
		}
		list = append(list, pattern)
	}
	return strings.Join(list, "|")
}

// runPattern returns the -run pattern that matches exactly the given test.
func runPattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,+@%-]+$`)

// quote quotes s as one word of a POSIX shell, if needed.
func quote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
