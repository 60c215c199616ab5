package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"pushdown/ci/gate/regression"
)

// A speed holds benchmark results by point of time.
type speed struct {
	Points     []point
	Benchmarks []*benchmark // in order of appearance
	Files      []string
	ByTime     bool // whether the commits are in the order of their times
	Left       int  // number of older commits that are left out
	results    int  // number of results read so far

	environment *benchproc.Projection
	machines    []benchproc.Key   // in order of appearance
	time        map[string]string // of a commit
}

// A point is a commit, or a file without commit lines, on a machine.
type point struct {
	Commit  string // empty for a file
	File    string
	Machine int // counted from 1 in order of appearance; 0 for a table of ci/baselines/run
}

// column returns the point without its machine.
func (p point) column() point {
	p.Machine = 0
	return p
}

// String returns the first digits of the commit, or the name of the file.
func (p point) String() string {
	if p.Commit != "" {
		return p.Commit[:min(len(p.Commit), 8)]
	}
	return strings.TrimSuffix(filepath.Base(p.File), ".txt")
}

// Label returns the beginning of the name, for an axis.
func (p point) Label() string {
	name := []rune(p.String())
	return string(name[:min(len(name), 14)])
}

// A benchmark holds the results of a benchmark in one unit.
type benchmark struct {
	Name, Unit string
	Higher     bool                           // whether higher values are better
	Peers      []string                       // in order of appearance
	values     map[point]map[string][]float64 // of ours, peak and the peers
}

// The names of results of a benchmark that are no peer's.
const (
	ours = "ours"
	peak = "peak-%"
)

// ownLines are the configuration lines that do not describe a machine.
const ownLines = "pkg,peer," + regression.Varying

// readSpeed reads files of benchmark text, and those in folders.
func readSpeed(given []string) (*speed, error) {
	s := &speed{time: make(map[string]string)}
	var parser benchproc.ProjectionParser
	if _, err := parser.Parse(ownLines+",.fullname", nil); err != nil {
		return nil, err
	}
	s.environment = parser.Residue()
	names, err := s.expand(given)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		before := s.results
		if err := cmp.Or(s.readText(name, text), s.readBaselines(name, text)); err != nil {
			return nil, fmt.Errorf("-bench: %w", err)
		}
		if s.results == before {
			return nil, fmt.Errorf("-bench %s: have no benchmark result, want lines such as \"BenchmarkTrain/case=d 100 1234 ns/op\", or a table of ci/baselines/run", name)
		}
	}
	s.sort()
	s.shorten()
	return s, nil
}

// expand replaces folders by the files below them whose names end in .txt, in the order of
// their names. It lists in s.Files what is read.
func (s *speed) expand(given []string) (names []string, err error) {
	for _, name := range given {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			names, s.Files = append(names, name), append(s.Files, filepath.Base(name))
			continue
		}
		before := len(names)
		err := fs.WalkDir(os.DirFS(name), ".", func(path string, d fs.DirEntry, err error) error { // of a link, too
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".txt") {
				names = append(names, filepath.Join(name, filepath.FromSlash(path)))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(names) == before {
			return nil, fmt.Errorf("-bench %s: have no file *.txt in this folder, want benchmark text", name)
		}
		s.Files = append(s.Files, fmt.Sprintf("%s (%d files)", filepath.Base(name), len(names)-before))
	}
	return names, nil
}

// at returns the benchmark with a name and a unit, to which a result at the point p is added.
func (s *speed) at(name, unit string, p point) *benchmark {
	s.results++
	s.Points = with(s.Points, p)
	for _, b := range s.Benchmarks {
		if b.Name == name && b.Unit == unit {
			return b
		}
	}
	b := &benchmark{Name: name, Unit: unit, Higher: strings.HasSuffix(unit, "/s"), values: make(map[point]map[string][]float64)}
	s.Benchmarks = append(s.Benchmarks, b)
	return b
}

// add adds a value of ours, peak or a peer.
func (b *benchmark) add(p point, name string, v float64) {
	if name != ours && name != peak {
		b.Peers = with(b.Peers, name)
	}
	if b.values[p] == nil {
		b.values[p] = make(map[string][]float64)
	}
	b.values[p][name] = append(b.values[p][name], v)
}

// notSpeed lists the units that are no speed. Of the other units of a benchmark, the first
// that is not the time of an iteration is shown, if there is one.
var notSpeed = []string{peak, "peak-MB", "B/op", "allocs/op"}

// readText reads the lines of a text that are benchmark results.
func (s *speed) readText(file string, text []byte) error {
	r := benchfmt.NewReader(bytes.NewReader(text), file)
	for r.Scan() {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			if fault, ok := r.Result().(*benchfmt.SyntaxError); ok {
				return fault
			}
			continue
		}
		values := make(map[string]float64)
		unit := ""
		for _, v := range res.Values {
			name, x := v.Unit, v.Value
			if v.OrigUnit != "" { // benchfmt converts ns/op to sec/op
				name, x = v.OrigUnit, v.OrigValue
			}
			if math.IsInf(x, 0) || math.IsNaN(x) {
				file, line := res.Pos()
				return fmt.Errorf("%s:%d: have %v %s, want a finite number", file, line, x, name)
			}
			values[name] = x
			if !slices.Contains(notSpeed, name) && (unit == "" || unit == "ns/op") {
				unit = name
			}
		}
		if unit == "" {
			continue
		}
		name := string(res.Name.Full())
		if at := strings.LastIndexByte(name, '-'); at > 0 { // the number of processors
			if _, err := strconv.Atoi(name[at+1:]); err == nil {
				name = name[:at]
			}
		}
		p := point{Commit: res.GetConfig("commit")}
		if p.Commit == "" {
			p.File = file
		}
		if p.Machine = slices.Index(s.machines, s.environment.Project(res)) + 1; p.Machine == 0 {
			s.machines = append(s.machines, s.environment.Project(res))
			p.Machine = len(s.machines)
		}
		if p.Commit != "" {
			s.time[p.Commit] = res.GetConfig("commit-time")
		}
		b := s.at(name, unit, p)
		peer := cmp.Or(res.GetConfig("peer"), ours)
		b.add(p, peer, values[unit])
		if v := values[peak]; v > 0 && peer == ours {
			b.add(p, peak, v)
		}
	}
	return r.Err()
}

// readBaselines reads the tables of ci/baselines/run in a text.
func (s *speed) readBaselines(file string, text []byte) error {
	p, err := readPrintout(file, string(text))
	if err != nil {
		return err
	}
	for _, c := range p.tables {
		for _, l := range c.lines {
			b := s.at(l.words[0], c.columns[0], point{File: file})
			for i, column := range c.columns {
				if i == 0 || slices.Contains([]string{"MB", "ratio", "range", "way"}, column) {
					continue
				}
				v, ok, err := c.number(file, l, i)
				if err != nil {
					return err
				}
				if ok {
					b.add(point{File: file}, column, v)
				}
			}
		}
	}
	return nil
}

// sort puts the points in the order of the times of their commits, oldest first, if all have one.
// Points without a commit come last. Otherwise it keeps the order of the files.
func (s *speed) sort() {
	at := map[string]time.Time{"": time.Unix(1<<40, 0)}
	for _, p := range s.Points {
		if _, known := at[p.Commit]; !known {
			t, err := time.Parse(time.RFC3339, s.time[p.Commit])
			if err != nil {
				return
			}
			at[p.Commit] = t
		}
	}
	s.ByTime = len(at) > 1
	slices.SortStableFunc(s.Points, func(a, b point) int {
		return cmp.Or(at[a.Commit].Compare(at[b.Commit]), cmp.Compare(a.Commit, b.Commit))
	})
}

// mostCommits is the number of commits that the page shows.
const mostCommits = 60

// shorten leaves out all but the newest commits.
func (s *speed) shorten() {
	var commits []string
	for _, p := range s.Points {
		if p.Commit != "" {
			commits = with(commits, p.Commit)
		}
	}
	s.Left = max(0, len(commits)-mostCommits)
	s.Points = slices.DeleteFunc(s.Points, func(p point) bool { return slices.Contains(commits[:s.Left], p.Commit) })
	s.Benchmarks = slices.DeleteFunc(s.Benchmarks, func(b *benchmark) bool {
		return !slices.ContainsFunc(s.Points, func(p point) bool { return b.values[p] != nil })
	})
}

// machine returns the name of a machine: its processor, and all other lines in which machines
// with results differ. The name is empty for a table of ci/baselines/run.
func (s *speed) machine(n int) string {
	if n == 0 {
		return ""
	}
	key := s.machines[n-1]
	var name string
	var others []string
	for _, f := range s.environment.FlattenedFields() {
		if f.Name == "cpu" {
			name = key.Get(f)
		}
	}
	for _, f := range benchproc.NonSingularFields(s.machines) {
		if f.Name != "cpu" {
			others = append(others, f.Name+" "+cmp.Or(key.Get(f), "unknown"))
		}
	}
	return strings.Join(append([]string{cmp.Or(name, "unknown")}, others...), ", ")
}

// median returns the median of the values of ours, peak or a peer at a point, or false if there is
// none.
func (b *benchmark) median(p point, name string) (float64, bool) {
	x := slices.Sorted(slices.Values(b.values[p][name]))
	if len(x) == 0 {
		return 0, false
	}
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2, true
}

// bound returns the bound of the speed at a point, in the unit of the benchmark.
func (b *benchmark) bound(p point) (float64, bool) {
	v, ok := b.median(p, ours)
	of, known := b.median(p, peak)
	switch {
	case !ok || !known || of <= 0:
		return 0, false
	case b.Higher:
		return float64(v * 100 / of), true
	}
	return float64(v * of / 100), true
}
