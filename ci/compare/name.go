package main

import (
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// benchmarks lists the benchmarks in the output of a run, each once, without the
// number of processors that package testing adds.
func benchmarks(out string) []string {
	var list []string
	seen := map[string]bool{}
	reader := benchfmt.NewReader(strings.NewReader(out), "output")
	for reader.Scan() {
		if res, ok := reader.Result().(*benchfmt.Result); ok {
			if name := trimProcs(res.Name.String()); !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// procs is what package testing adds to names where GOMAXPROCS is not 1.
var procs = regexp.MustCompile(`-[1-9][0-9]*$`)

// trimProcs takes the number of processors away. With one processor there is
// none, and a name that ends as if there were loses its end: its benchmark is
// then not found, which ends the run with an error.
func trimProcs(name string) string { return name[:len(name)-len(procs.FindString(name))] }

// pattern matches one benchmark, and those whose names go on after a slash.
func pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// only drops the results of other benchmarks from the output of a run, and counts
// those that are left.
func only(out, name string) (rest string, n int) {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if list := benchmarks(line); len(list) > 0 {
			if list[0] != name {
				continue
			}
			n++
		}
		b.WriteString(line)
	}
	return b.String(), n
}
