package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pushdown/suites/throughput"
)

// measured matches the files with what ci/baselines/run printed: for a machine one with the groups train and jobs,
// one with growth, whose name ends in growthFile, and one with gemm and edges, whose name ends in productsFile.
const measured = "ci/baselines/measured/*.txt"

// productsFile is the end of the name of a printout of the groups gemm and edges of ci/baselines/run.
const productsFile = "-products.txt"

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
	slices.SortFunc(names, func(a, b string) int { // how fast the suites are before how the cost grows
		return strings.Compare(strings.TrimSuffix(a, ".txt"), strings.TrimSuffix(b, ".txt"))
	})
	for _, name := range names {
		text, err := fs.ReadFile(r.fsys, name)
		if err != nil {
			return nil, err
		}
		p, err := readPrintout(name, string(text))
		if err == nil {
			err = p.check(string(text))
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// check returns an error unless the text is whole and says the same in its rows and below them: a row that is cut off or
// damaged would make the sentence on speed better than it is.
func (p *printout) check(text string) error {
	fail := func(n int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", p.name, n, fmt.Sprintf(format, args...))
	}
	rows := 0
	for _, c := range p.tables {
		rows += len(c.lines)
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !strings.HasPrefix(line, "# ") {
			rows--
		}
		if strings.ContainsAny(line, "|<") {
			return fail(i+1, "have %.40q, want neither | nor <", line)
		}
	}
	if rows != 0 || !strings.HasSuffix(text, "\n") {
		return fmt.Errorf("%s: have lines that are neither a row of a table nor begin with #, or no newline at the end", p.name)
	}
	must := p.wants()
	for _, name := range must.peers {
		if p.version(name.version) == "" {
			return fmt.Errorf("%s: have no version of %s before the tables, want it", p.name, name.name)
		}
	}
	seen := make(map[string]bool)
	for _, c := range p.tables {
		product, of, least := 1.0, 1.0, math.Inf(1) // product of the ratios, and of as many means
		for _, l := range c.lines {
			if len(l.words) != len(c.columns) {
				return fail(l.number, "have %d words, want the %d columns of the heading", len(l.words), len(c.columns))
			}
			kind := 0
			for _, k := range must.kinds {
				if k.benchmarks.MatchString(l.words[0]) {
					kind++
				}
			}
			if kind != 1 || seen[l.words[0]] {
				return fail(l.number, "have %s, want a benchmark of one kind, once", l.words[0])
			}
			seen[l.words[0]] = true
			ratio, err := c.ratio(p.name, l)
			if err != nil {
				return err
			}
			product, least = product*ratio, min(least, ratio)
		}
		if len(c.lines) == 0 {
			continue
		}
		if len(c.notes) == 0 || !strings.HasPrefix(c.notes[0], "medians of ") {
			return fail(c.lines[len(c.lines)-1].number, "have no line below the table of %s that begins with %q, want it, as it says what the table is from", c.columns[0], "# medians of ")
		}
		want := fmt.Sprintf("best: geometric mean of %d ratios ", len(c.lines))
		line := c.notes[len(c.notes)-min(1, len(c.notes)):]
		var mean, lowest float64
		if len(line) == 1 && strings.HasPrefix(line[0], want) {
			fmt.Sscanf(line[0][len(want):], "%f, least %f", &mean, &lowest)
		}
		for range c.lines {
			of *= mean
		}
		if math.Abs(of/product-1) > 0.002*float64(len(c.lines)) || math.Abs(lowest-least) > 0.001 {
			return fail(c.lines[len(c.lines)-1].number, "have %q below the table of %s, want %q with the mean and the least of its ratios", line, c.columns[0], want)
		}
	}
	for _, name := range must.rows {
		if !seen[name] {
			return fmt.Errorf("%s: have no row of %s, want one", p.name, name)
		}
	}
	for _, k := range must.kinds {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(seen)), k.benchmarks.MatchString) {
			return fmt.Errorf("%s: have no row of %s, want one", p.name, k.name)
		}
	}
	return nil
}

// contents is what a printout must have.
type contents struct {
	kinds  []kind     // each row is of one of them, and each of them has a row
	rows   []string   // names of rows
	peers  []peerName // those whose version a note has
	spoken bool       // whether the sentence on speed speaks of it
}

// wants returns what the printout must have, by the end of its name.
func (p *printout) wants() contents {
	switch {
	case p.isGrowth():
		var rows []string
		for _, c := range throughput.Growth() {
			rows = append(rows, "Grow/case="+c.Name+"/threads=1")
		}
		return contents{[]kind{{"growth", growing}}, rows, peerNames, false}
	case strings.HasSuffix(p.name, productsFile):
		var rows []string
		for _, s := range throughput.Shapes() {
			for _, form := range []string{"NN", "NT", "TN"} {
				rows = append(rows, fmt.Sprintf("GEMM/m=%d/k=%d/n=%d/trans=%s/threads=1", s.M, s.K, s.N, form))
			}
		}
		return contents{[]kind{{"products", regexp.MustCompile("^GEMM/")}}, rows, []peerName{{"oneDNN", regexp.MustCompile(`\boneDNN (\d+(?:\.\d+)+)`)}}, false}
	}
	return contents{spoken, nil, peerNames, true}
}

// version returns the version that a note before the tables has, or "".
func (p *printout) version(pattern *regexp.Regexp) string {
	for _, note := range p.notes {
		if m := pattern.FindStringSubmatch(note); m != nil {
			return m[1]
		}
	}
	return ""
}

// ratioWord matches a ratio.
var ratioWord = regexp.MustCompile(`^\d+\.\d{3}$`)

// ratio returns the ratio of a line to its fastest peer. It returns an error unless the line has one to each peer, within
// its quartiles and about that of the speeds.
func (c *comparison) ratio(file string, l comparisonLine) (float64, error) {
	least := math.Inf(1)
	for i, column := range c.columns {
		if column != "ratio" {
			continue
		}
		v, err := strconv.ParseFloat(l.words[i], 64)
		var low, high float64
		if i+1 < len(l.words) {
			fmt.Sscanf(l.words[i+1], "%f-%f", &low, &high)
		}
		if err != nil || !ratioWord.MatchString(l.words[i]) || v <= 0 || v < low-0.006 || v > high+0.006 {
			return 0, fmt.Errorf("%s:%d: have the ratio %s with the range %s, want one such as 1.234 within its quartiles", file, l.number, l.words[i], strings.Join(l.words[i+1:min(i+2, len(l.words))], ""))
		}
		its := i - 1
		if c.columns[its] == "MB" {
			its--
		}
		a, _, err := c.number(file, l, 1)
		b, _, fault := c.number(file, l, its)
		if err = cmp.Or(err, fault); err != nil {
			return 0, err
		}
		if off := a / b / v; !(off > 1./3 && off < 3) { // medians of the rounds, as the ratio is: they differ, but not by a digit
			return 0, fmt.Errorf("%s:%d: have %s and %s %s with the ratio %s, want speeds of about this ratio", file, l.number, l.words[1], l.words[its], c.columns[its], l.words[i])
		}
		least = min(least, v)
	}
	if math.IsInf(least, 1) {
		return 0, fmt.Errorf("%s:%d: have no ratio to a peer, want one", file, l.number)
	}
	return least, nil
}

// peerTables returns the tables of printouts in Markdown.
func peerTables(list []*printout) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "### %s\n\n", strings.TrimSuffix(path.Base(p.name), ".txt"))
		if p.isGrowth() {
			fmt.Fprintf(&b, "![Speed and memory by the size of a network](measured/%s)\n\n", path.Base(p.drawing()))
		}
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

// A kind is a kind of work.
type kind struct {
	name       string
	benchmarks *regexp.Regexp // matches its benchmarks
}

// spoken are the kinds of which the sentence on speed speaks.
var spoken = []kind{
	{"trainings and evaluations of the suites", regexp.MustCompile(`^Job/`)},
	{"an LSTM of 12 units and a Stack RNN of 40 units", regexp.MustCompile(`^Train/case=[df]/`)},
	{"an mmLSTM and networks with stacks on words", regexp.MustCompile(`^Train/case=[hij]/`)},
	{"other networks of 125 to 1,038 units", regexp.MustCompile(`^Train/case=[abcegkl]/`)},
}

// A peerName is the name of a peer whose version a note has.
type peerName struct {
	name    string
	version *regexp.Regexp // its group is the version
}

// peerNames are those of which the sentence on speed speaks.
var peerNames = []peerName{
	{"PyTorch", regexp.MustCompile(`\btorch (\d+(?:\.\d+)+)`)},
	{"JAX", regexp.MustCompile(`\bjax (\d+(?:\.\d+)+)`)},
}

// speedSentence returns the sentence of README.md on speed: for each kind of work the least and the
// greatest ratio of our speed to that of the best peer, on one thread.
func speedSentence(list []*printout) (string, error) {
	ratios := make(map[string][]float64)
	var peers, machines []string
	for _, p := range list {
		if !p.wants().spoken {
			continue
		}
		machines = append(machines, strings.TrimSuffix(path.Base(p.name), ".txt"))
		for _, name := range peerNames {
			peers = with(peers, name.name+" "+p.version(name.version))
		}
		for _, c := range p.tables {
			for _, l := range c.lines {
				v, err := c.ratio(p.name, l)
				if err != nil {
					return "", err
				}
				for _, k := range spoken {
					if k.benchmarks.MatchString(l.words[0]) && strings.HasSuffix(l.words[0], "/threads=1") {
						ratios[k.name] = append(ratios[k.name], v)
					}
				}
			}
		}
	}
	var parts []string
	for _, k := range spoken {
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
	parts[0] = strings.Replace(parts[0], " times for ", " times as fast as the faster of "+strings.Join(peers, " and ")+" in ", 1)
	return fmt.Sprintf("* **fast**: %s ([measured](ci/baselines/README.md) on one thread: %s)\n", strings.Join(parts, ", "), strings.Join(machines, ", ")), nil
}

// short returns a ratio with two digits, or as a whole number. It rounds down, so that no loss looks like a tie.
func short(v float64) string {
	switch {
	case v >= 10:
		return strconv.Itoa(int(v))
	case v >= 1:
		return strconv.FormatFloat(math.Floor(v*10)/10, 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Floor(v*100)/100, 'f', -1, 64)
}
