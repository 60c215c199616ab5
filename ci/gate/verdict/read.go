package verdict

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

// A Text is the output of benchmarks under the name of its file.
type Text struct {
	Name string
	Data []byte
}

// sides are the two texts: 0 is base, 1 is head.
var sides = [2]string{"base", "head"}

// A benchmark is what both texts say of it.
type benchmark struct {
	pkg, name string
	side      [2]side
}

// title is what people call it.
func (b *benchmark) title() string {
	if b.pkg == "" {
		return "Benchmark" + b.name
	}
	return "Benchmark" + b.name + " of " + b.pkg
}

// A side is the samples of a benchmark in one text.
type side struct {
	units        []string             // in the order of the lines
	values       map[string][]float64 // by unit
	samples      int
	rounds       []string // their round lines, empty where there is none
	environments []benchproc.Key
}

// reading collects both texts.
type reading struct {
	texts       [2]Text
	identity    *benchproc.Projection // pkg and name
	environment *benchproc.Projection
	pkg, name   *benchproc.Field
	benchmarks  []*benchmark // as they first appear
	by          map[benchproc.Key]*benchmark
	units       benchfmt.UnitMetadataMap // what base says of them
	faults      []Fault
}

func (r *reading) say(s Status, format string, args ...any) {
	r.faults = append(r.faults, Fault{s, fmt.Sprintf(format, args...)})
}

// read parses both texts. One reader reads them, so that their Unit lines may not
// contradict each other; those of base hold for both.
func read(base, head Text) *reading {
	r := &reading{texts: [2]Text{base, head}, by: map[benchproc.Key]*benchmark{}}
	var parser benchproc.ProjectionParser
	for _, p := range []struct {
		expression string
		to         **benchproc.Projection
	}{{"pkg,.fullname", &r.identity}, {"commit,round", new(*benchproc.Projection)}} {
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
			r.say(Unusable, "%s:%d: %q: the run failed", t.Name, line, text)
		}
		reader.Reset(bytes.NewReader(t.Data), t.Name)
		any := false
		for reader.Scan() {
			switch rec := reader.Result().(type) {
			case *benchfmt.SyntaxError:
				r.say(Unusable, "%v", rec)
			case *benchfmt.UnitMetadata:
				r.declare(i, rec)
			case *benchfmt.Result:
				any = true
				r.add(i, rec)
			}
		}
		if err := reader.Err(); err != nil {
			r.say(Unusable, "%v", err)
		}
		if !any {
			r.say(Missing, "%s: no benchmark results, want those of %s", t.Name, sides[i])
		}
		if i == 0 {
			r.units = maps.Clone(reader.Units())
		}
	}
	return r
}

// add takes a sample.
func (r *reading) add(i int, res *benchfmt.Result) {
	key := r.identity.Project(res)
	b := r.by[key]
	if b == nil {
		b = &benchmark{pkg: key.Get(r.pkg), name: key.Get(r.name)}
		r.by[key] = b
		r.benchmarks = append(r.benchmarks, b)
	}
	s := &b.side[i]
	if s.values == nil {
		s.values = map[string][]float64{}
	}
	file, line := res.Pos()
	var seen []string
	for _, v := range res.Values {
		_, unit := benchunit.Tidy(v.Value, v.Unit) // the reader leaves the unit of 0 as it is
		if slices.Contains(seen, unit) {
			r.say(Unusable, "%s:%d: %s twice in one sample, want it once", file, line, unit)
			continue
		}
		seen = append(seen, unit)
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			r.say(Unusable, "%s:%d: have %v %s, want a number", file, line, v.Value, unit)
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
				r.say(Environment, "%s:%d: no line %q above it, want one to know that the machine is the same", file, line, name+":")
			}
		}
	}
}

// failures are beginnings of lines that a run prints when something went wrong.
var failures = []string{"FAIL", "--- FAIL", "panic: ", "fatal error: ", "exit status "}

// failure finds the first line that tells of a failed run; 0 is none.
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
