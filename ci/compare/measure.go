package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"pushdown/ci/gate/regression"
	"pushdown/ci/gate/trial"
)

// A unit is a benchmark that runs in a process of its own.
type unit struct {
	pkg, name string     // the name is without "Benchmark"
	of        [2]*binary // the test binary of each side; nil if the side does not have the benchmark
	have      int        // number of rounds measured
	want      int        // number of rounds to measure
}

// A measurement takes the samples of both sides after the tests have been built.
type measurement struct {
	settings *settings
	progress io.Writer
	sides    [2]side
	units    []*unit
}

// measure takes samples and judges them. It stops measuring a benchmark that has enough
// samples for its verdict, or as many as the flag -most allows.
func (m *measurement) measure(ctx context.Context) (*regression.Report, error) {
	if err := m.find(ctx); err != nil {
		return nil, err
	}
	for {
		for _, u := range m.units {
			for u.have < u.want {
				if err := m.round(ctx, u); err != nil {
					return nil, err
				}
			}
		}
		rep := regression.Judge(m.text(0), m.text(1), *m.settings.loss)
		stop := []regression.Status{regression.Unusable, regression.Environment, regression.Missing}
		if slices.Contains(stop, rep.Status()) || !m.more(rep) {
			return rep, nil
		}
	}
}

// text returns all benchmark text that side i has printed so far.
func (m *measurement) text(i int) regression.Text {
	return regression.Text{Name: names[i] + ".txt", Data: m.sides[i].text.Bytes()}
}

// The method more decides which benchmarks need further rounds, and reports whether there
// are any. For each of them it raises u.want, the number of rounds to measure, to an
// estimate of what the verdict needs. Because this is an estimate, one call at most doubles
// the rounds. u.want is a whole number of blocks, or the limit of the flag -most. It does
// not matter whether a loss shows: stopping at a loss would cause false alarms.
func (m *measurement) more(rep *regression.Report) bool {
	units, rounds := 0, 0
	for _, u := range m.units {
		need := 0
		for _, row := range rep.Rows {
			if row.Pkg == u.pkg && row.Name == u.name {
				need = max(need, row.Need)
			}
		}
		if need > u.have && u.have < m.settings.most {
			blocks := (min(need, 2*u.have) + trial.Rounds - 1) / trial.Rounds
			u.want = min(blocks*trial.Rounds, m.settings.most)
			units, rounds = units+1, rounds+u.want-u.have
		}
	}
	if units > 0 {
		fmt.Fprintf(m.progress, "%d of %d benchmarks need more samples: %d rounds to go\n", units, len(m.units), rounds)
	}
	return units > 0
}

// round measures a benchmark once on each side that has it, and appends the results to the
// texts of the sides.
func (m *measurement) round(ctx context.Context, u *unit) error {
	first := trial.FirstSide(u.have)
	for _, i := range []int{first, 1 - first} {
		if u.of[i] == nil {
			continue
		}
		out, err := m.execute(ctx, i, u.of[i], pattern(u.name), m.settings.benchtime)
		if err != nil {
			return err
		}
		if list := benchmarks(out); !slices.Equal(list, []string{u.name}) {
			return fmt.Errorf("%s: have results of %q of %s, want one of %q%s", names[i], list, u.pkg, u.name, tail(out))
		}
		fmt.Fprintf(&m.sides[i].text, "round: %d\n%s", u.have, out)
	}
	u.have++
	return nil
}

// execute runs benchmarks of side i in one process, and returns their output.
func (m *measurement) execute(ctx context.Context, i int, b *binary, bench, benchtime string) (string, error) {
	within, cancel := context.WithTimeout(ctx, m.settings.timeout)
	defer cancel()
	out, err := output(within, b.dir, b.file, "-test.run=^$", "-test.bench="+bench, "-test.benchtime="+benchtime,
		"-test.benchmem", "-test.count=1", "-test.timeout="+m.settings.timeout.String())
	if err != nil {
		return "", fmt.Errorf("%s: a benchmark of %s failed: %w", names[i], b.pkg, err)
	}
	return out + "\n", nil
}

// find lists the benchmarks of both sides in m.units. It runs each of them for one
// iteration, which also loads programs and data into memory.
func (m *measurement) find(ctx context.Context) error {
	for i := range m.sides {
		for b := range m.sides[i].binaries {
			bin := &m.sides[i].binaries[b]
			out, err := m.execute(ctx, i, bin, m.settings.bench, "1x")
			if err != nil {
				return err
			}
			for _, name := range benchmarks(out) {
				at := slices.IndexFunc(m.units, func(u *unit) bool { return u.pkg == bin.pkg && u.name == name })
				if at < 0 {
					at = len(m.units)
					m.units = append(m.units, &unit{pkg: bin.pkg, name: name})
				}
				m.units[at].of[i] = bin
			}
		}
	}
	if len(m.units) == 0 {
		return fmt.Errorf("no benchmark matches %q in %s", m.settings.bench, strings.Join(m.settings.packages, " "))
	}
	rounds := min(first, m.settings.most)
	for _, u := range m.units {
		u.want = 1 // enough to report which side does not have it
		if u.of[0] != nil && u.of[1] != nil {
			u.want = rounds
		}
	}
	fmt.Fprintf(m.progress, "benchmarks: %d, with %d rounds each\n", len(m.units), rounds)
	return nil
}

// benchmarks returns the names of the results in the output of a run.
func benchmarks(out string) (list []string) {
	reader := benchfmt.NewReader(strings.NewReader(out), "output")
	for reader.Scan() {
		if res, ok := reader.Result().(*benchfmt.Result); ok {
			list = append(list, res.Name.String())
		}
	}
	return list
}

// procs matches the suffix that package testing appends to names if GOMAXPROCS is
// not 1.
var procs = regexp.MustCompile(`-[1-9][0-9]*$`)

// pattern returns the -bench pattern for one benchmark. It also matches benchmarks whose names
// continue that name after a slash; the command fails if there are any. If GOMAXPROCS is 1, names
// do not end in this number. Then pattern cuts a name such as "n-8" by mistake: the benchmark is
// not found, and the command fails.
func pattern(name string) string {
	parts := strings.Split("Benchmark"+procs.ReplaceAllString(name, ""), "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
