package verdict

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"
)

// match looks for what keeps the two sides from being compared, and returns the
// benchmarks that both have.
func (r *reading) match() (common []*benchmark, fresh []string) {
	for _, b := range r.benchmarks {
		switch base, head := &b.side[0], &b.side[1]; {
		case base.samples == 0:
			fresh = append(fresh, b.title())
		case head.samples == 0:
			r.say(Missing, "%s: no %s, which %s has", r.texts[1].Name, b.title(), r.texts[0].Name)
		case r.even(b):
			common = append(common, b)
		}
	}
	r.surroundings()
	return common, fresh
}

// even reports whether a benchmark has as many samples of everything on both
// sides.
func (r *reading) even(b *benchmark) bool {
	before := len(r.faults)
	base, head := &b.side[0], &b.side[1]
	if base.samples != head.samples {
		r.say(Unusable, "%s: %s has %d samples and %s %d, want as many", b.title(), r.texts[0].Name, base.samples, r.texts[1].Name, head.samples)
		return false
	}
	for i := range base.rounds {
		if base.rounds[i] != head.rounds[i] {
			r.say(Unusable, "%s: sample %d is of round %q in %s and of round %q in %s, want the same", b.title(), i+1,
				base.rounds[i], r.texts[0].Name, head.rounds[i], r.texts[1].Name)
			return false
		}
	}
	for i := range b.side {
		for _, unit := range b.side[i].units {
			if n := len(b.side[i].values[unit]); n != b.side[i].samples {
				r.say(Unusable, "%s: %s: %s in %d of %d samples, want it in all", r.texts[i].Name, b.title(), unit, n, b.side[i].samples)
			}
		}
	}
	for _, unit := range base.units {
		if !slices.Contains(head.units, unit) {
			r.say(Missing, "%s: no %s of %s, which %s has", r.texts[1].Name, unit, b.title(), r.texts[0].Name)
		}
	}
	return len(r.faults) == before
}

// surroundings compares the environments of each benchmark. A difference that
// many benchmarks share is said once.
func (r *reading) surroundings() {
	var said []string
	count := map[string]int{}
	for _, b := range r.benchmarks {
		if b.side[0].samples == 0 || b.side[1].samples == 0 {
			continue
		}
		for _, f := range benchproc.NonSingularFields(slices.Concat(b.side[0].environments, b.side[1].environments)) {
			text := fmt.Sprintf("%s: %s has %s, %s has %s", f.Name, sides[0], each(f, b.side[0].environments), sides[1], each(f, b.side[1].environments))
			if count[text]++; count[text] == 1 {
				said = append(said, text)
			}
		}
	}
	for _, text := range said {
		r.say(Environment, "%s, want the same (%s)", text, Plural(count[text], "benchmark"))
	}
}

// each lists the values of a field.
func each(f *benchproc.Field, keys []benchproc.Key) string {
	var values []string
	for _, k := range keys {
		v := k.Get(f)
		if v == "" {
			v = "none"
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, " and ")
}
