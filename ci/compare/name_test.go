package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBenchmarksAreFoundInOutput(t *testing.T) {
	out := "goos: linux\nBenchmarkA\nBenchmarkA-2 \t 1\t 7 ns/op\nBenchmarkB/a=1/b=x_y-16 1 7 ns/op 3 x/s\n--- BENCH: BenchmarkC-2\nBenchmarkA-2 1 8 ns/op\nBenchmarkD 1 7 ns/op\nPASS\n"
	if diff := cmp.Diff([]string{"A", "B/a=1/b=x_y", "D"}, benchmarks(out)); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

func TestOnlyKeepsOneBenchmark(t *testing.T) {
	out := "cpu: x\nBenchmarkA-2 1 7 ns/op\nBenchmarkA/b-2 1 7 ns/op\nBenchmarkA/b#01-2 1 7 ns/op\nlog\nPASS\n"
	have, n := only(out, "A/b")
	if want := "cpu: x\nBenchmarkA/b-2 1 7 ns/op\nlog\nPASS\n"; have != want || n != 1 {
		t.Errorf("have %d results in %q, want 1 in %q", n, have, want)
	}
	if _, n := only(out, "B"); n != 0 {
		t.Errorf("have %d results of a benchmark that did not run", n)
	}
}

// FuzzPattern checks the pattern for the name of a benchmark. Package testing splits the
// name at slashes, and the pattern at slashes outside of brackets. Then it matches them
// part by part. So each part of the pattern must match the same part of the name. It must
// not match that part with an x before or after it.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"A", "GEMM/m=1/k=2", "A/(b|c)/[d]", `A\/b`, "A//b", "A/", "ü/^$", "A/b#01", "A/[x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ContainsAny(name, "\x00\n\xff") || strings.ToValidUTF8(name, "") != name {
			return // package testing escapes these characters in names
		}
		parts := strings.Split("Benchmark"+name, "/")
		patterns := split(pattern(name))
		if len(patterns) != len(parts) {
			t.Fatalf("%q: have %d parts %q, want %d as in %q", name, len(patterns), patterns, len(parts), parts)
		}
		for i, p := range patterns {
			re, err := regexp.Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			if !re.MatchString(parts[i]) || re.MatchString(parts[i]+"x") || re.MatchString("x"+parts[i]) {
				t.Errorf("%q: pattern %q does not match %q alone", name, p, parts[i])
			}
		}
	})
}

// split splits a pattern at slashes as package testing does. It returns nil for a
// pattern with alternatives, that is, with an unquoted | outside of brackets.
func split(s string) (parts []string) {
	square, round, from := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			square++
		case ']':
			square = max(0, square-1)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round--
			}
		case '\\':
			i++
		case '/', '|':
			if square == 0 && round == 0 {
				if s[i] == '|' {
					return nil
				}
				parts, from = append(parts, s[from:i]), i+1
			}
		}
	}
	return append(parts, s[from:])
}

func TestArgumentsOfCompare(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "have no arguments after the flags, want base head [package...]"},
		{"HEAD", 2, `have the argument "HEAD" after the flags, want base head [package...]`},
		{"a b -bench c", 2, `have the arguments ["a" "b" "-bench" "c"] after the flags, want base head [package...]; flags come first`},
		{"-rounds 3 a b", 2, "have -rounds 3, want at least 4"},
		{"-bench ( a b", 2, `have -bench "(", want a regular expression`},
		{"-benchtime abc a b", 2, `have -benchtime "abc", want a time such as 100ms`},
		{"-benchtime -1s a b", 2, `have -benchtime "-1s", want`},
		{"-benchtime 0x a b", 2, `have -benchtime "0x", want`},
		{"-rounds 20 -most 19 a b", 2, "have -rounds 20 and -most 19, want -most 20 or more, or lower -rounds"},
		{"-alarm 1 a b", 2, "alarm: have 1"},
		{"-x a b", 2, "flag provided but not defined"},
		{"-h", 0, "usage: compare"},
	} {
		var out, err strings.Builder
		if status := run(t.Context(), &out, &err, strings.Fields(c.args)); status != c.status || !strings.Contains(err.String(), c.want) {
			t.Errorf("%q: status %d, want %d with %q in\n%s", c.args, status, c.status, c.want, err.String())
		}
	}
}

func TestTailIsShort(t *testing.T) {
	have := tail(strings.Repeat("x\n", 30) + "last\n\n")
	if lines := strings.Split(have, "\n"); len(lines) != 21 || !slices.Contains(lines, "\tlast") {
		t.Errorf("have %d lines, want an empty one and the last 20: %q", len(lines), have)
	}
	if have := tail(" \n"); have != "" {
		t.Errorf("have %q of nothing", have)
	}
}
