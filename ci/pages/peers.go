package main

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// measured matches the files with what ci/baselines/run printed, one for each machine.
const measured = "ci/baselines/measured/*.txt"

// A printout is what ci/baselines/run printed on a machine.
type printout struct {
	name   string
	notes  []string // the lines before the tables that begin with #, without it
	tables []*comparison
}

// A comparison is a table of ci/baselines/run.
type comparison struct {
	columns []string // the first one is the unit
	lines   []comparisonLine
	notes   []string // the lines behind it that begin with #
}

type comparisonLine struct {
	number int // in the file
	words  []string
}

// readPrintout reads the tables of ci/baselines/run in a text. A table starts with a heading
// such as
//
//	# tokens/s      ours peak-%     MB   pytorch     MB  ratio       range way
//
// Each of its lines has the name of a benchmark and a word for each column, "-" if it is
// missing. A table ends at the next line that starts with #.
func readPrintout(file, text string) (*printout, error) {
	p := &printout{name: file}
	var now *comparison
	n := 0
	for line := range strings.Lines(text) {
		n++
		words := strings.Fields(line)
		switch {
		case len(words) > 3 && words[0] == "#" && words[2] == ours && words[3] == peak:
			now = &comparison{columns: words[1:]}
			p.tables = append(p.tables, now)
			continue
		case len(words) > 1 && words[0] == "#":
			to := &p.notes
			if n := len(p.tables); n > 0 {
				to = &p.tables[n-1].notes
			}
			*to = append(*to, strings.Join(words[1:], " "))
			now = nil
		case len(words) == 0 || words[0] == "#" || strings.HasPrefix(line, "Benchmark"):
			now = nil
		}
		if now == nil {
			continue
		}
		if len(words) < 3 || len(words) > len(now.columns) {
			return nil, fmt.Errorf("%s:%d: have %d words, want at most the %d columns of the heading", file, n, len(words), len(now.columns))
		}
		now.lines = append(now.lines, comparisonLine{n, words})
	}
	return p, nil
}

// number returns the number in a column of a line, or false if the column has none.
func (c *comparison) number(file string, line comparisonLine, column int) (float64, bool, error) {
	if column >= len(line.words) || line.words[column] == "-" {
		return 0, false, nil
	}
	v, err := strconv.ParseFloat(line.words[column], 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false, fmt.Errorf("%s:%d: %s: have %q, want a finite number", file, line.number, c.columns[column], line.words[column])
	}
	return v, true, nil
}

// readMeasured reads the files in ci/baselines/measured.
func (r *report) readMeasured() (list []*printout, err error) {
	names, err := fs.Glob(r.fsys, measured)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(r.fsys, name)
		if err != nil {
			return nil, err
		}
		p, err := readPrintout(name, string(text))
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// peerTables returns the tables of printouts in Markdown.
func peerTables(list []*printout) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "### %s\n\n", strings.TrimSuffix(path.Base(p.name), ".txt"))
		for _, note := range p.notes {
			fmt.Fprintf(&b, "* %s\n", note)
		}
		for _, c := range p.tables {
			lines := [][]string{c.columns}
			for _, l := range c.lines {
				words := append([]string(nil), l.words...)
				for len(words) < len(c.columns) {
					words = append(words, "")
				}
				lines = append(lines, words)
			}
			b.WriteString("\n" + markdownRows(lines))
			if len(c.notes) > 0 {
				b.WriteString("\n" + strings.Join(c.notes, "; ") + ".\n")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// kinds are the kinds of work of which the sentence on speed speaks, each with the benchmarks that are of it.
var kinds = []struct {
	name       string
	benchmarks *regexp.Regexp
}{
	{"whole trainings and evaluations of the suites", regexp.MustCompile(`^Job/`)},
	{"networks of 12 to 40 units", regexp.MustCompile(`^Train/case=[df]/`)},
	{"an mmLSTM and networks with stacks on words", regexp.MustCompile(`^Train/case=[hij]/`)},
	{"large networks", regexp.MustCompile(`^Train/case=[abcegkl]/`)},
}

// peerNames are the names of peers whose version a note has.
var peerNames = []struct {
	name    string
	version *regexp.Regexp
}{
	{"PyTorch", regexp.MustCompile(`\btorch ([\d.]+)`)},
	{"JAX", regexp.MustCompile(`\bjax ([\d.]+)`)},
}

// speedSentence returns the sentence of README.md on speed: for each kind of work the least and the
// greatest ratio of our speed to that of the best peer.
func speedSentence(list []*printout) (string, error) {
	ratios := make(map[string][]float64)
	var peers []string
	for _, p := range list {
		for _, name := range peerNames {
			for _, note := range p.notes {
				if m := name.version.FindStringSubmatch(note); m != nil {
					peers = with(peers, name.name+" "+strings.TrimSuffix(m[1], "."))
				}
			}
		}
		for _, c := range p.tables {
			for _, l := range c.lines {
				least := math.Inf(1)
				for i, column := range c.columns {
					if column != "ratio" {
						continue
					}
					v, ok, err := c.number(p.name, l, i)
					if err != nil {
						return "", err
					}
					if ok {
						least = min(least, v)
					}
				}
				for _, k := range kinds {
					if k.benchmarks.MatchString(l.words[0]) && !math.IsInf(least, 1) {
						ratios[k.name] = append(ratios[k.name], least)
					}
				}
			}
		}
	}
	var parts []string
	for _, k := range kinds {
		if v := ratios[k.name]; len(v) > 0 {
			least, most := short(slices.Min(v)), short(slices.Max(v))
			if least != most {
				least += " to " + most
			}
			parts = append(parts, least+" times for "+k.name)
		}
	}
	if len(parts) == 0 {
		return "", fmt.Errorf("%s: have no ratio to a peer, want some", measured)
	}
	parts[0] = strings.Replace(parts[0], " times for ", " times as fast as the faster of "+strings.Join(peers, " and ")+" for ", 1)
	return fmt.Sprintf("* **fast**: %s ([measured](ci/baselines/README.md))\n", strings.Join(parts, ", ")), nil
}

// short returns a ratio with two digits, or as a whole number.
func short(v float64) string {
	if v >= 10 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}
