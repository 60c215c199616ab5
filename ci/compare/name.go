package main

import (
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// benchmarks returns the names of the benchmarks in the output of a run, each once,
// without the number of processors that package testing appends.
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

// procs matches the suffix that package testing appends to names if GOMAXPROCS is
// not 1.
var procs = regexp.MustCompile(`-[1-9][0-9]*$`)

// trimProcs removes the number of processors from a name. If GOMAXPROCS is 1, the name
// does not have this number. Then trimProcs cuts a name such as "n-8" by mistake: the
// benchmark is not found, and the command fails.
func trimProcs(name string) string { return name[:len(name)-len(procs.FindString(name))] }

// pattern returns the -bench pattern for one benchmark. It also matches
// sub-benchmarks of that benchmark.
func pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// only is a filter: from the output of a run it removes the results of all benchmarks except
// the one with the given name. It returns the rest of the output and the number of results
// that are left.
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
