package regression

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"
)

// match returns the benchmarks that can be compared, and the titles of the benchmarks that
// only head has. It records a fault for each benchmark that only base has, and for each
// difference that makes the two sides incomparable: samples of different rounds, a
// measurement that head lacks, or another environment.
func (r *reading) match() (common []*benchmark, fresh []string) {
	for _, b := range r.benchmarks {
		switch base, head := &b.side[0], &b.side[1]; {
		case base.samples == 0:
			fresh = append(fresh, b.title())
		case head.samples == 0:
			r.fault(Missing, "%s: no %s, which %s has", r.texts[1].Name, b.title(), r.texts[0].Name)
		case r.matches(b):
			common = append(common, b)
		}
	}
	r.compareEnvironments()
	return common, fresh
}

// matches reports whether the two sides of b can be compared: they must have the same
// number of samples, from the same rounds, and head must have every unit that base has.
// Head may have further units. Each unit of a side must be in all samples of that side. If
// something is missing, matches records a fault that names it.
func (r *reading) matches(b *benchmark) bool {
	before := len(r.faults)
	base, head := &b.side[0], &b.side[1]
	if base.samples != head.samples {
		r.fault(Unusable, "%s: have %d samples in %s and %d in %s, want equal numbers", b.title(), base.samples, r.texts[0].Name, head.samples, r.texts[1].Name)
		return false
	}
	for i := range base.rounds {
		if base.rounds[i] != head.rounds[i] {
			r.fault(Unusable, "%s: sample %d is of round %q in %s and of round %q in %s, want the same", b.title(), i+1,
				base.rounds[i], r.texts[0].Name, head.rounds[i], r.texts[1].Name)
			return false
		}
	}
	for i := range b.side {
		for _, unit := range b.side[i].units {
			if n := len(b.side[i].values[unit]); n != b.side[i].samples {
				r.fault(Unusable, "%s: %s: %s in %d of %d samples, want it in all", r.texts[i].Name, b.title(), unit, n, b.side[i].samples)
			}
		}
	}
	for _, unit := range base.units {
		if !slices.Contains(head.units, unit) {
			r.fault(Missing, "%s: no %s of %s, which %s has", r.texts[1].Name, unit, b.title(), r.texts[0].Name)
		}
	}
	return len(r.faults) == before
}

// compareAllEnvironments records a fault for each difference between the environments of any
// results.
func (r *reading) compareAllEnvironments() {
	var keys []benchproc.Key
	for _, b := range r.benchmarks {
		for i := range b.side {
			keys = append(keys, b.side[i].environments...)
		}
	}
	for _, f := range benchproc.NonSingularFields(keys) {
		r.fault(Environment, "history: %s: have %s, want the same in all results", f.Name, each(f, keys))
	}
}

// compareEnvironments records a fault for each difference between the environments
// of a benchmark. If several benchmarks have the same difference, it records one fault
// with the number of benchmarks.
func (r *reading) compareEnvironments() {
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
		r.fault(Environment, "%s, want the same (%s)", text, Plural(count[text], "benchmark"))
	}
}

// each lists the distinct values of a field, joined by "and".
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
