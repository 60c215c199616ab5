package regression

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"regexp"
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

// A benchmark holds the samples of one benchmark from all texts.
type benchmark struct {
	pkg, name    string
	of           []samples       // by text
	environments []benchproc.Key // of all texts, each once
}

// title returns the name of the benchmark for messages.
func (b *benchmark) title() string {
	return "Benchmark" + b.name + " of " + cmp.Or(b.pkg, "no package")
}

// The samples of a benchmark in one text.
type samples struct {
	units  []string             // in order of appearance
	values map[string][]float64 // by unit
	rounds []string             // the round line of each sample, "" if it has none
}

// A reading holds the benchmarks of some texts.
type reading struct {
	rep         *Report
	texts       []Text
	benchmarks  []*benchmark // in order of appearance
	by          map[[2]string]*benchmark
	units       benchfmt.UnitMetadataMap // as declared in the first text
	environment *benchproc.Projection
}

// Varying lists the configuration lines in which the two sides of a comparison may differ.
// Together with pkg they are the lines that do not describe the environment.
const Varying = "commit,commit-time,round"

// failure matches the first line that a failed run prints.
var failure = regexp.MustCompile(`(?m)^[ \t]*(FAIL|--- FAIL|panic: |fatal error: |exit status ).*`)

// read parses texts, and warns of what it finds wrong. It uses the same reader for all, because a
// reader reports Unit lines that contradict each other. The Unit lines of the first text apply to
// all.
func (rep *Report) read(texts ...Text) *reading {
	r := &reading{rep: rep, texts: texts, by: map[[2]string]*benchmark{}}
	var parser benchproc.ProjectionParser
	if _, err := parser.Parse("pkg,.fullname,"+Varying, nil); err != nil {
		panic(err) // the expression is constant
	}
	r.environment = parser.Residue()
	reader := new(benchfmt.Reader)
	for i, t := range texts {
		if at := failure.FindIndex(t.Data); at != nil {
			rep.Warn(Unusable, "%s:%d: %q: the run failed", t.Name, 1+bytes.Count(t.Data[:at[0]], []byte("\n")), bytes.TrimSpace(t.Data[at[0]:at[1]]))
		}
		if len(t.Data) > 0 && !bytes.HasSuffix(t.Data, []byte("\n")) {
			rep.Warn(Unusable, "%s: have a last line without an end, want a whole file", t.Name)
		}
		reader.Reset(bytes.NewReader(t.Data), t.Name)
		any := false
		for reader.Scan() {
			switch rec := reader.Result().(type) {
			case *benchfmt.SyntaxError:
				rep.Warn(Unusable, "%v, want benchmark text", rec)
			case *benchfmt.Result:
				any = true
				r.add(i, rec)
			}
		}
		if err := reader.Err(); err != nil {
			rep.Warn(Unusable, "%v", err)
		}
		if !any {
			rep.Warn(Missing, "%s: no benchmark results, want some", t.Name)
		}
		if i == 0 {
			r.units = maps.Clone(reader.Units())
		}
	}
	for _, b := range r.benchmarks {
		for _, f := range benchproc.NonSingularFields(b.environments) {
			var have []string
			for _, key := range b.environments {
				if value := cmp.Or(key.Get(f), "none"); !slices.Contains(have, value) {
					have = append(have, value)
				}
			}
			rep.Warn(Environment, "%s: have %s, want the same for all results", f.Name, strings.Join(have, " and "))
		}
	}
	return r
}

// add records a sample of text i.
func (r *reading) add(i int, res *benchfmt.Result) {
	key := [2]string{res.GetConfig("pkg"), res.Name.String()}
	b := r.by[key]
	if b == nil {
		b = &benchmark{pkg: key[0], name: key[1], of: make([]samples, len(r.texts))}
		r.by[key], r.benchmarks = b, append(r.benchmarks, b)
	}
	s := &b.of[i]
	if s.values == nil {
		s.values = map[string][]float64{}
	}
	file, line := res.Pos()
	if res.Iters < 1 {
		r.rep.Warn(Unusable, "%s:%d: have %d iterations, want at least 1", file, line, res.Iters)
	}
	seen := map[string]bool{}
	for _, v := range res.Values {
		_, unit := benchunit.Tidy(v.Value, v.Unit) // the reader does not tidy the unit of a zero value
		twice := seen[unit]
		seen[unit] = true
		switch positive := isTime(unit) || isRate(unit) || unit == share; {
		case twice:
			r.rep.Warn(Unusable, "%s:%d: %s twice in one sample, want it once", file, line, unit)
			continue
		case math.IsNaN(v.Value), math.IsInf(v.Value, 0), positive && v.Value <= 0:
			r.rep.Warn(Unusable, "%s:%d: have %v %s, want a number%s", file, line, v.Value, unit, map[bool]string{true: " above 0"}[positive])
			continue
		}
		if !slices.Contains(s.units, unit) {
			s.units = append(s.units, unit)
		}
		s.values[unit] = append(s.values[unit], v.Value)
	}
	s.rounds = append(s.rounds, res.GetConfig("round"))
	if env := r.environment.Project(res); !slices.Contains(b.environments, env) {
		b.environments = append(b.environments, env)
		for _, name := range []string{"goos", "goarch", "cpu"} {
			if res.GetConfig(name) == "" {
				r.rep.Warn(Environment, "%s:%d: no line %q above the result, want one to check that all ran on the same machine", file, line, name+":")
			}
		}
	}
}
