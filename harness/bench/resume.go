package bench

import (
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

// ResumeCommand returns the shell command that goes on with the present test:
// the same package, test, build and environment, with PUSHDOWN_RESUME=1 and no
// limit of time. It works in every folder of the module.
func ResumeCommand(t testing.TB) string {
	pkg, flags, env := buildOf(readBuild())
	if testing.Short() {
		flags = append(flags, "-short")
	}
	if testing.Verbose() {
		flags = append(flags, "-v")
	}
	return resumeCommand(pkg, t.Name(), flags, append(env, set()...))
}

func readBuild() *debug.BuildInfo {
	info, _ := debug.ReadBuildInfo()
	return info
}

// buildOf returns the package that a test binary tests, and the flags and
// variables that select its build. State may be tied to the build.
func buildOf(info *debug.BuildInfo) (pkg string, flags, env []string) {
	if info == nil {
		return ".", nil, nil
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "-tags" && s.Value != "":
			flags = append(flags, "-tags="+s.Value)
		case s.Key == "-race" && s.Value == "true":
			flags = append(flags, "-race")
		case s.Key == "GOAMD64" && s.Value != "v1":
			env = append(env, "GOAMD64="+s.Value)
		}
	}
	return strings.TrimSuffix(info.Path, ".test"), flags, env
}

func resumeCommand(pkg, test string, flags, env []string) string {
	words := []string{"PUSHDOWN_RESUME=1"}
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); name != "PUSHDOWN_RESUME" {
			words = append(words, name+"="+quote(value))
		}
	}
	words = append(words, "go", "test", quote(pkg), "-run", quote(runPattern(test)), "-timeout=0", "-count=1")
	for _, f := range flags {
		words = append(words, quote(f))
	}
	return strings.Join(words, " ")
}

// runPattern is the -run pattern that matches one test and no other.
func runPattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,+@%-]+$`)

// quote makes s one word of a POSIX shell.
func quote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
