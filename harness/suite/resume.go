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

// command returns the shell command that runs the given tests, of which there must be at least one. The
// command has the same package, build and environment, and no time limit. If resume is set, it has
// PUSHDOWN_RESUME=1. It works in every folder of the module.
func command(resume bool, tests ...string) string {
	pkg, flags, env := invocation()
	return commandOf(pkg, resume, tests, flags, env)
}

// invocation returns the package under test, and the flags and variables that were
// given to go test.
func invocation() (pkg string, flags, env []string) {
	info, _ := debug.ReadBuildInfo()
	pkg, flags, env = buildOf(info)
	if mode := testing.CoverMode(); mode != "" {
		flags = append(flags, "-covermode="+mode)
	}
	for _, profile := range []string{"blockprofile", "cpuprofile", "memprofile", "mutexprofile"} { // with a profile, go test keeps symbols in the binary
		if file := value("test." + profile); file != "" {
			flags = append(flags, "-"+profile+"="+file)
		}
	}
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "update" || f.Name == "commit" {
			flags = append(flags, "-"+f.Name+"="+f.Value.String())
		}
	})
	if testing.Short() {
		flags = append(flags, "-short")
	}
	if testing.Verbose() {
		flags = append(flags, "-v")
	}
	return pkg, flags, append(env, set()...)
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
		case s.Key == "vcs":
			flags = append(flags, "-buildvcs=true")
		case slices.Contains([]string{"-asmflags", "-gcflags", "-ldflags", "-tags"}, s.Key):
			flags = append(flags, s.Key+"="+s.Value)
		case s.Key == "CGO_ENABLED" && s.Value == "0", s.Key == "GOAMD64" && s.Value != "v1", s.Key == "GOARM64" && s.Value != "v8.0",
			strings.HasPrefix(s.Key, "CGO_") && strings.HasSuffix(s.Key, "FLAGS"), s.Key == "GOEXPERIMENT", s.Key == "GOFIPS140":
			env = append(env, s.Key+"="+s.Value)
		}
	}
	return strings.TrimSuffix(info.Path, ".test"), flags, env
}

func commandOf(pkg string, resume bool, tests, flags, env []string) string {
	var words []string
	if resume {
		words = append(words, "PUSHDOWN_RESUME=1")
	}
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); !resume || name != "PUSHDOWN_RESUME" {
			words = append(words, name+"="+quote(value))
		}
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
	return "^" + strings.ReplaceAll(regexp.QuoteMeta(test), "/", "$/^") + "$"
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,+@%-]+$`)

// quote quotes s as one word of a POSIX shell, if needed.
func quote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
