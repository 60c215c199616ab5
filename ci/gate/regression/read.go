package regression

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"
)

// A Text is the output of benchmarks. Name is the name of its file, for messages.
type Text struct {
	Name string
	Data []byte
}

// sides names the two texts of a comparison: 0 is base, 1 is head.
var sides = [2]string{"base", "head"}

// A benchmark holds the samples of one benchmark from all texts.
type benchmark struct {
	pkg, name string
	side      []side // by text
}

// title returns the name of the benchmark for messages.
func (b *benchmark) title() string {
	if b.pkg == "" {
		return "Benchmark" + b.name
	}
	return "Benchmark" + b.name + " of " + b.pkg
}

// A side holds the samples of a benchmark in one text.
type side struct {
	units        []string             // in order of appearance
	values       map[string][]float64 // by unit
	samples      int
	rounds       []string // the round line of each sample, "" if it has none
	environments []benchproc.Key
}

// A reading holds the benchmarks of some texts and the faults found so far.
type reading struct {
	texts       []Text
	identity    *benchproc.Projection // pkg and name
	environment *benchproc.Projection
	pkg, name   *benchproc.Field
	benchmarks  []*benchmark // in order of appearance
	by          map[benchproc.Key]*benchmark
	units       benchfmt.UnitMetadataMap // as declared in the first text
	faults      []Fault
}

// fault records a fault.
func (r *reading) fault(s Status, format string, args ...any) {
	r.faults = append(r.faults, Fault{s, fmt.Sprintf(format, args...)})
}

// Varying lists the configuration lines in which the two sides of a comparison may differ.
// Together with pkg they are the lines that do not describe the environment.
const Varying = "commit,commit-time,round"

// read parses the texts. It uses the same reader for all, because a reader reports
// Unit lines that contradict each other. The Unit lines of the first text apply to all.
func read(texts ...Text) *reading {
	r := &reading{texts: texts, by: map[benchproc.Key]*benchmark{}}
	var parser benchproc.ProjectionParser
	for _, p := range []struct {
		expression string
		to         **benchproc.Projection
	}{{"pkg,.fullname", &r.identity}, {Varying, new(*benchproc.Projection)}} {
		var err error
		if *p.to, err = parser.Parse(p.expression, nil); err != nil {
			panic(err) // the expressions are constant
		}
	}
	r.pkg, r.name = r.identity.Fields()[0], r.identity.Fields()[1]
	r.environment = parser.Residue()

	reader := new(benchfmt.Reader)
	for i, t := range r.texts {
		if line, text := failure(t.Data); line > 0 {
			r.fault(Unusable, "%s:%d: %q: the run failed", t.Name, line, text)
		}
		if n := len(t.Data); n > 0 && t.Data[n-1] != '\n' {
			r.fault(Unusable, "%s: have a last line without an end, want a whole file", t.Name)
		}
		reader.Reset(bytes.NewReader(t.Data), t.Name)
		any := false
		for reader.Scan() {
			switch rec := reader.Result().(type) {
			case *benchfmt.SyntaxError:
				r.fault(Unusable, "%v, want benchmark text", rec)
			case *benchfmt.UnitMetadata:
				r.declare(i, rec)
			case *benchfmt.Result:
				any = true
				r.add(i, rec)
			}
		}
		if err := reader.Err(); err != nil {
			r.fault(Unusable, "%v", err)
		}
		if !any {
			r.fault(Missing, "%s: no benchmark results, want some", t.Name)
		}
		if i == 0 {
			r.units = maps.Clone(reader.Units())
		}
	}
	return r
}

// add records a sample of text i.
func (r *reading) add(i int, res *benchfmt.Result) {
	key := r.identity.Project(res)
	b := r.by[key]
	if b == nil {
		b = &benchmark{pkg: key.Get(r.pkg), name: key.Get(r.name), side: make([]side, len(r.texts))}
		r.by[key] = b
		r.benchmarks = append(r.benchmarks, b)
	}
	s := &b.side[i]
	if s.values == nil {
		s.values = map[string][]float64{}
	}
	file, line := res.Pos()
	if res.Iters < 1 {
		r.fault(Unusable, "%s:%d: have %d iterations, want at least 1", file, line, res.Iters)
	}
	var seen []string
	for _, v := range res.Values {
		_, unit := benchunit.Tidy(v.Value, v.Unit) // the reader does not tidy the unit of a zero value
		if slices.Contains(seen, unit) {
			r.fault(Unusable, "%s:%d: %s twice in one sample, want it once", file, line, unit)
			continue
		}
		seen = append(seen, unit)
		switch {
		case math.IsNaN(v.Value) || math.IsInf(v.Value, 0):
			r.fault(Unusable, "%s:%d: have %v %s, want a number", file, line, v.Value, unit)
		case v.Value <= 0 && strings.HasSuffix(unit, "/s"):
			r.fault(Unusable, "%s:%d: have %v %s, want a number above 0", file, line, v.Value, unit)
		case v.Value < 0 && (isCost(unit) || unit == share):
			r.fault(Unusable, "%s:%d: have %v %s, want 0 or more", file, line, v.Value, unit)
		}
		if !slices.Contains(s.units, unit) {
			s.units = append(s.units, unit)
		}
		s.values[unit] = append(s.values[unit], v.Value)
	}
	s.samples++
	s.rounds = append(s.rounds, res.GetConfig("round"))
	env := r.environment.Project(res)
	if !slices.Contains(s.environments, env) {
		s.environments = append(s.environments, env)
		for _, name := range []string{"goos", "goarch", "cpu"} {
			if res.GetConfig(name) == "" {
				r.fault(Environment, "%s:%d: no line %q above the result, want one to check that all ran on the same machine", file, line, name+":")
			}
		}
	}
}

// failures are the prefixes of lines that a failed run prints.
var failures = []string{"FAIL", "--- FAIL", "panic: ", "fatal error: ", "exit status "}

// failure returns the number and the text of the first line that shows a failed run.
// The number is 0 if there is no such line.
func failure(text []byte) (line int, what string) {
	n := 0
	for l := range bytes.Lines(text) {
		n++
		s := strings.TrimSpace(string(l))
		for _, f := range failures {
			if strings.HasPrefix(s, f) {
				return n, s
			}
		}
	}
	return 0, ""
}
