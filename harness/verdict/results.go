package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Results derives from the rows of golden files what they say on the printed numbers and the claims
// of the papers. It is what pages in any format are made from. It must not be used by several
// goroutines at a time.
type Results struct {
	files    []*golden.File
	measures map[string]Measure
	file     map[golden.Name]*golden.File // the first file that has runs of a group
	verdicts map[question]Verdict         // those derived so far; without runs if there are none
	claims   map[string]ClaimVerdict      // those decided so far
	pools    map[[3]string]Pool           // those asked for so far, by suite, paper and unit
}

// A question asks what the runs of a group say on a printed number. The unit is not always that of
// the number: a page may compare it with runs in another one, or times a factor.
type question struct {
	key    papers.Key
	unit   string
	factor float64
	group  golden.Name
}

// NewResults returns the results of the given golden files. If several files have runs of a
// group, the first of them counts. The rows must have the paper's own size, as those at scale smoke do
// not. The measures decide claims that no printed table covers; without its measure, such a claim is
// not decided. NewResults panics if a measure is invalid or if a claim has two.
func NewResults(files []*golden.File, measures ...Measure) *Results {
	r := &Results{
		files: files, measures: make(map[string]Measure), file: make(map[golden.Name]*golden.File),
		verdicts: make(map[question]Verdict), claims: make(map[string]ClaimVerdict), pools: make(map[[3]string]Pool),
	}
	for _, m := range measures {
		m.check()
		if _, twice := r.measures[m.Claim]; twice {
			panic(fmt.Sprintf("verdict: measure: claim %s: have a second measure, want one", m.Claim))
		}
		r.measures[m.Claim] = m
	}
	for _, f := range files {
		for _, row := range f.Rows {
			if g := row.Name.Group(); r.file[g] == nil {
				r.file[g] = f
			}
		}
	}
	return r
}

// Files returns the golden files.
func (r *Results) Files() []*golden.File { return r.files }

// Judge compares a printed number with the runs of a group, which may be a variant of the row that
// the paper prints. The result ok is false if there are no such runs.
func (r *Results) Judge(n papers.Number, group golden.Name) (v Verdict, ok bool) {
	q := question{n.Key, n.Quantity.Unit, n.Quantity.Factor, group}
	if v, ok = r.verdicts[q]; !ok {
		if f := r.FileOf(group); f != nil {
			if s := sampleOf(f, group, q.unit, n.Quantity.ChosenBy); len(s.values) > 0 {
				if q.factor != 0 {
					for i := range s.values {
						s.values[i] *= q.factor
					}
				}
				u, _ := f.UnitOf(q.unit)
				var p Pool
				if pools(n.Quantity) {
					if p = r.pool(f.Suite, paperOf(group), q.unit); q.factor != 0 && !p.Relative {
						p.Deviation *= q.factor
					}
				}
				v = judge(n, s, u.Exact, p)
			}
		}
		r.verdicts[q] = v
	}
	return v, v.Runs > 0
}

// Verdict returns the verdict on a printed number, and whether there is one. There is none if the
// number is only shown, or if no run has measured it.
func (r *Results) Verdict(k papers.Key) (v Verdict, ok bool) {
	n, ok := papers.Published().Number(k)
	if !ok || n.Quantity.Unit == "" || n.Quantity.Shown {
		return v, false
	}
	group := r.GroupOf(n)
	if v, ok = r.Judge(n, group); !ok && n.Quantity.Untrained() {
		v, ok = r.Judge(n, FirstEpochOf(group))
	}
	if list := r.Readings(n); ok && list != nil && v.Outcome != Misprinted {
		v.Outcome = underAll(list)
	}
	return v, ok
}

// GroupOf returns the row whose runs a printed number is compared with. If the number has several readings,
// it is the row of the first.
func (r *Results) GroupOf(n papers.Number) golden.Name {
	if list := n.Readings(); list != nil {
		return r.rowOf(list[0])
	}
	return golden.Name(n.Group())
}

// FileOf returns the first file that has runs of a group, or nil if there is none.
func (r *Results) FileOf(group golden.Name) *golden.File { return r.file[group] }

// Counts gives the number of printed numbers with each outcome.
type Counts struct {
	Printed, Shown, Unfinished int
	ByOutcome                  map[Outcome]int
}

// Differs returns how many of the printed numbers differ from our results.
func (c Counts) Differs() int { return c.ByOutcome[Better] + c.ByOutcome[Worse] }

// Open returns how many of the printed numbers are undecided, because there are too few
// runs or because the runs vary too much.
func (c Counts) Open() int { return c.ByOutcome[OpenRuns] + c.ByOutcome[OpenSpread] }

// Count counts the outcomes of measured cells by key. keyOf maps a cell to its key,
// such as the name of its paper. The keys are returned in the order in which they
// occur.
func (r *Results) Count(keyOf func(papers.Key) string) (keys []string, counts map[string]*Counts) {
	counts = make(map[string]*Counts)
	for _, c := range papers.Published().Numbers {
		if c.Quantity.Unit == "" {
			continue
		}
		key := keyOf(c.Key)
		n := counts[key]
		if n == nil {
			keys = append(keys, key)
			n = &Counts{ByOutcome: make(map[Outcome]int)}
			counts[key] = n
		}
		n.Printed++
		v, judged := r.Verdict(c.Key)
		switch {
		case judged:
			n.ByOutcome[v.Outcome]++
		case c.Quantity.Shown && r.FileOf(r.GroupOf(c)) != nil:
			n.Shown++
		default:
			n.Unfinished++
		}
	}
	return keys, counts
}

// TrivialMatches returns a sentence that says how many of the matches are no surprise, because they are
// shares near 0 or counts of parameters.
func (r *Results) TrivialMatches() string {
	matches, low, sizes := 0, 0, 0
	for _, n := range papers.Published().Numbers {
		v, ok := r.Verdict(n.Key)
		if !ok || v.Outcome != Matches {
			continue
		}
		matches++
		switch {
		case v.Exact:
			sizes++
		case IsShare(n.Quantity.Unit, n.Quantity.Higher) && n.Published <= 1.5:
			low++
		}
	}
	return fmt.Sprintf("Of the %d matches, %d are shares of at most 1.5 per cent, mostly of networks that do not learn, and %d are counts of parameters.", matches, low, sizes)
}

// ExpectedByChance returns a sentence that says how many numbers differ, and how many would differ by
// chance. A 95 per cent interval misses the result of the next experiment in one case out of
// twenty, but a number with several readings differs only if it does so under each. The sentence is empty if no number is judged by an interval.
func (r *Results) ExpectedByChance() string {
	judged, differ := 0, 0
	for _, n := range papers.Published().Numbers {
		if v, ok := r.Verdict(n.Key); ok && v.Interval {
			judged++
			if v.Outcome.Differs() {
				differ++
			}
		}
	}
	if judged == 0 {
		return ""
	}
	return fmt.Sprintf("Of %d numbers that are judged by an interval %d differ. If every number were reproduced and runs were normal, about %.0f would differ by chance alone; fewer, because a number with several readings differs only if it does so under each, "+
		"but more where runs either succeed or fail completely, and of bests and chosen runs. A number that is printed in several tables counts in each.", judged, differ, float64(judged)/20)
}

// Misprints returns a text for each misprint in a table. It says what contradicts the
// number.
func (r *Results) Misprints(s papers.Shape) (texts []string) {
	for _, m := range papers.Misprints() {
		k, _ := papers.ParseKey(m.Key)
		if v, _ := r.Verdict(k); k.Paper == s.Paper && k.Table == s.Table && v.Outcome == Misprinted {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// Interpretations returns the readings of a table that were tried, if one of our results differs
// from a number of the table, if only under one reading.
func (r *Results) Interpretations(s papers.Shape) (list []papers.Interpretations) {
	for _, x := range papers.TableInterpretations() {
		if x.Paper == s.Paper && x.Table == s.Table && r.doubtful(s.Paper, s.Table) {
			list = append(list, x)
		}
	}
	return list
}

// Doubtful reports whether our result differs from a printed number, if only under one of its readings.
func (r *Results) Doubtful(n papers.Number) bool {
	v, ok := r.Verdict(n.Key)
	return ok && (v.Outcome.Differs() || v.Outcome != Misprinted && slices.ContainsFunc(r.Readings(n), func(x Reading) bool { return x.Outcome.Differs() }))
}

// doubtful reports whether one of our results differs from a number of a table, if only under one reading.
func (r *Results) doubtful(paper, table string) bool {
	return slices.ContainsFunc(papers.Published().Numbers, func(n papers.Number) bool {
		return n.Paper == paper && n.Table == table && r.Doubtful(n)
	})
}

// PostHoc returns a text for each reading of the paper that was chosen because printed numbers
// fit, or after results were seen, and that applies to a row for which the function has
// returns true.
func PostHoc(has func(applies func(row golden.Name) bool) bool) (texts []string) {
	for _, r := range papers.PostHocReadings() {
		if has(func(row golden.Name) bool { return r.Rows.MatchString(string(row)) }) {
			texts = append(texts, r.Text)
		}
	}
	return texts
}

// A ClaimLine is a claim with its outcome in the results.
type ClaimLine struct {
	papers.Claim
	Judged  bool          // whether the claim is one about our results
	Verdict ClaimVerdict  // the zero value if not
	InPaper string        // holds or fails, according to the paper's own tables, or "no table"
	Why     []Phrase      // the reason in a few words
	Groups  []golden.Name // the rows on which the outcome depends, each once
}

// A Phrase is a part of a text that can be a link: Group is the row that it names, or empty.
type Phrase struct {
	Text  string
	Group golden.Name
}

// Claims returns a line for each claim, by paper and then in the order of their list.
func (r *Results) Claims() (lines []ClaimLine) {
	for _, c := range papers.Published().Claims {
		l := ClaimLine{Claim: c, InPaper: inPaper(c)}
		if l.Verdict, l.Judged = r.Claim(c); l.Judged {
			l.Why = l.Verdict.because()
		}
		l.Groups = r.groups(c)
		lines = append(lines, l)
	}
	first := make(map[string]int) // the index of the first claim of each paper
	for i, l := range slices.Backward(lines) {
		first[l.Paper] = i
	}
	slices.SortStableFunc(lines, func(a, b ClaimLine) int { return cmp.Compare(first[a.Paper], first[b.Paper]) })
	return lines
}

// because explains the outcome of a claim in a few words.
func (v ClaimVerdict) because() []Phrase {
	if len(v.Readings) < 2 {
		return v.first()
	}
	first, rest := v.Readings[0], v.Readings[1:]
	text := ""
	if !slices.ContainsFunc(rest, func(x ClaimReading) bool { return x.Outcome != first.Outcome || x.Lacking != first.Lacking }) {
		text = "; the same in all others"
		if len(rest) == 1 {
			text = "; the same in " + rest[0].Label
		}
		rest = nil
	}
	for _, o := range []ClaimReading{{Outcome: Holds}, {Outcome: Fails}, {Outcome: Undecided}, {Outcome: Undecided, Lacking: true}} {
		var labels []string
		for _, x := range rest {
			if x.Outcome == o.Outcome && x.Lacking == o.Lacking {
				labels = append(labels, x.Label)
			}
		}
		if labels == nil {
			continue
		}
		what := string(o.Outcome)
		if o.Lacking {
			what = "too few runs"
		}
		text += "; " + what + " in " + strings.Join(labels, ", ")
	}
	list := []Phrase{{Text: fmt.Sprintf("%s in the reading %s: ", first.Outcome, first.Label)}}
	return append(append(list, v.first()...), Phrase{Text: text})
}

// first explains the outcome under the first reading.
func (v ClaimVerdict) first() []Phrase {
	if len(v.Lacking) == 0 {
		text := fmt.Sprintf("true in %d of %d draws from our runs", v.True, Draws)
		if v.Least > v.True {
			text += fmt.Sprintf(", and the comparison that is true least often, with means moved further, in %d (of %d)", v.Least, v.Parts)
		}
		if void := Draws - v.True - v.False; void > 0 {
			text += fmt.Sprintf("; in %d the networks drawn do not do what the claim presumes", void)
		}
		return []Phrase{{Text: text}}
	}
	first := v.Lacking[0]
	before, rest, more := "no runs of ", " ("+MetricName(first.Unit)+")", ", and too few or no runs of "
	if first.Have > 0 {
		before, more = "too few runs of ", ", and of "
		rest += fmt.Sprintf(": %d of %d seeds", first.Have, first.Want)
	}
	switch n := len(v.Lacking) - 1; n {
	case 0:
	case 1:
		rest += more + "one other number"
	default:
		rest += fmt.Sprintf("%s%d other numbers", more, n)
	}
	return []Phrase{{Text: before}, {Text: Title(first.Group), Group: first.Group}, {Text: rest}}
}

// plain returns phrases as text without links.
func plain(list []Phrase) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.Text)
	}
	return b.String()
}
