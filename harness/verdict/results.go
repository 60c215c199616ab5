package verdict

import (
	"fmt"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Results finds what golden files have on the printed numbers and the claims of the papers.
// It is what pages in any format are made from.
type Results struct {
	files   []*golden.File
	file    map[golden.Name]*golden.File // the first file that has runs of a group
	verdict map[string]golden.Verdict
	variant map[string][]inFile // the variants of each printed row at paper scale
}

// inFile is a group of a golden file.
type inFile struct {
	file  *golden.File
	group golden.Name
}

// NewResults returns the results of the given golden files. If several files have runs of a
// group, the first of them counts.
func NewResults(files ...*golden.File) *Results {
	r := &Results{files: files, file: make(map[golden.Name]*golden.File), verdict: make(map[string]golden.Verdict), variant: make(map[string][]inFile)}
	for _, f := range files {
		for _, v := range f.Verdicts {
			r.verdict[v.Key] = v
		}
		for _, row := range f.Rows {
			if g := row.Name.Group(); r.file[g] == nil {
				r.file[g] = f
			}
		}
		if f.Scale != "paper" {
			continue
		}
		for _, g := range f.Groups() {
			if row, ok := VariantOf(g); ok {
				r.variant[string(row)] = append(r.variant[string(row)], inFile{f, g})
			}
		}
	}
	return r
}

// Files returns the golden files.
func (r *Results) Files() []*golden.File { return r.files }

// Verdict returns the verdict on a printed number, and whether there is one.
func (r *Results) Verdict(k papers.Key) (golden.Verdict, bool) {
	v, ok := r.verdict[k.String()]
	return v, ok
}

// FileOf returns the first file that has runs of a group, or nil if there is none.
func (r *Results) FileOf(group golden.Name) *golden.File { return r.file[group] }

// Counts gives the number of printed numbers with each outcome.
type Counts struct {
	Printed, Shown, Unfinished int
	ByOutcome                  map[golden.Outcome]int
}

// Differs returns how many of the printed numbers differ from our results.
func (c Counts) Differs() int { return c.ByOutcome[golden.Better] + c.ByOutcome[golden.Worse] }

// Open returns how many of the printed numbers are undecided, because there are too few
// runs or because the runs vary too much.
func (c Counts) Open() int { return c.ByOutcome[golden.OpenRuns] + c.ByOutcome[golden.OpenSpread] }

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
			n = &Counts{ByOutcome: make(map[golden.Outcome]int)}
			counts[key] = n
		}
		n.Printed++
		v, judged := r.Verdict(c.Key)
		switch {
		case judged:
			n.ByOutcome[v.Outcome]++
		case c.Quantity.Shown && r.FileOf(golden.Name(c.Group())) != nil:
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
	for _, f := range r.files {
		for _, v := range f.Verdicts {
			k, err := papers.ParseKey(v.Key)
			c, ok := papers.Published().Number(k)
			if err != nil || !ok || v.Outcome != golden.Matches {
				continue
			}
			matches++
			u, _ := f.UnitOf(c.Quantity.Unit)
			switch {
			case u.Exact:
				sizes++
			case isShare(c.Quantity.Unit, c.Quantity.Higher) && c.Published <= 1.5:
				low++
			}
		}
	}
	return fmt.Sprintf("Of the %d matches, %d are shares of at most 1.5 per cent, mostly of networks that do not learn, and %d are counts of parameters.", matches, low, sizes)
}

// ExpectedByChance returns a sentence that says how many numbers differ, and how many would differ by
// chance. A 95 per cent interval misses the result of the next experiment in one case out of
// twenty. The sentence is empty if no number is judged by an interval.
func (r *Results) ExpectedByChance() string {
	judged, differ := 0, 0
	for _, f := range r.files {
		for _, v := range f.Verdicts {
			if !strings.Contains(v.Evidence, "low=") {
				continue
			}
			judged++
			if v.Outcome == golden.Better || v.Outcome == golden.Worse {
				differ++
			}
		}
	}
	if judged == 0 {
		return ""
	}
	return fmt.Sprintf("Of %d numbers that are judged by an interval %d differ. If every number were reproduced and runs were normal, about %.0f would differ by chance alone; "+
		"more where runs either succeed or fail completely, and of bests. A number that is printed in several tables counts in each.", judged, differ, float64(judged)/20)
}

// Misprints returns a text for each misprint in a table. It says what contradicts the
// number.
func (r *Results) Misprints(s papers.Shape) (texts []string) {
	for _, m := range papers.Misprints() {
		if strings.HasPrefix(m.Key, "["+s.Paper+":"+s.Table+":") && r.verdict[m.Key].Outcome == golden.Misprinted {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// Interpretations returns the readings of a table that were tried, if one of our results differs
// from a number of the table.
func (r *Results) Interpretations(s papers.Shape) (list []papers.Interpretations) {
	for _, x := range papers.TableInterpretations() {
		if x.Paper == s.Paper && x.Table == s.Table && r.differs(s) {
			list = append(list, x)
		}
	}
	return list
}

// differs reports whether one of our results differs from a number of a table.
func (r *Results) differs(s papers.Shape) bool {
	for key, v := range r.verdict {
		if strings.HasPrefix(key, "["+s.Paper+":"+s.Table+":") && (v.Outcome == golden.Better || v.Outcome == golden.Worse) {
			return true
		}
	}
	return false
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
	Judged  bool                // whether a suite has judged the claim
	Verdict golden.ClaimVerdict // the zero value if not
	Suite   string              // the suite that has
	InPaper string              // holds or fails, according to the paper's own tables, or "no table"
	Why     []Phrase            // the evidence in a few words
}

// A Phrase is a part of a text that can be a link: Group is the row that it names, or empty.
type Phrase struct {
	Text  string
	Group golden.Name
}

// Claims returns a line for each claim, by paper and then in the order of their list.
func (r *Results) Claims() (lines []ClaimLine) {
	found := make(map[string]golden.ClaimVerdict)
	suite := make(map[string]string)
	for _, f := range r.files {
		for _, c := range f.Claims {
			found[c.ID], suite[c.ID] = c, f.Suite
		}
	}
	for _, c := range papers.Published().Claims {
		l := ClaimLine{Claim: c, Suite: suite[c.ID], InPaper: inPaper(c)}
		if l.Verdict, l.Judged = found[c.ID]; l.Judged {
			l.Why = because(l.Verdict)
		}
		at := len(lines)
		for i, other := range lines {
			if other.Paper == l.Paper {
				at = i + 1
			}
		}
		lines = slices.Insert(lines, at, l)
	}
	return lines
}

// because explains the evidence of a claim in a few words.
func because(v golden.ClaimVerdict) []Phrase {
	fields, _ := golden.SplitFields(v.Evidence)
	value := make(map[string]string)
	for _, f := range fields {
		value[f.Key] = f.Value
	}
	if draws, trues := value["draws"], value["true"]; draws != "" && trues != "" {
		text := fmt.Sprintf("true in %s of %s draws from our runs", trues, draws)
		if void := value["void"]; void != "" {
			text += "; in " + void + " the networks drawn do not do what the claim presumes"
		}
		return []Phrase{{Text: text}}
	}
	few, more, what := "no runs of ", ", and too few or no runs of ", value["missing"]
	if what == "" {
		few, more, what = "too few runs of ", ", and of ", value["short"]
	}
	what, seeds, _ := strings.Cut(what, ": ") // how many there are, where there are too few
	group, unit, ok := strings.Cut(what, " ")
	if !ok {
		return []Phrase{{Text: strings.ReplaceAll(v.Evidence, "`", "'")}}
	}
	rest := " (" + MetricName(unit) + ")"
	if seeds != "" {
		rest += ": " + seeds
	}
	if n := value["more"]; n != "" {
		rest += more + others(n)
	}
	return []Phrase{{Text: few}, {Text: Title(golden.Name(group)), Group: golden.Name(group)}, {Text: rest}}
}

// plain returns phrases as text without links.
func plain(list []Phrase) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.Text)
	}
	return b.String()
}

// others names a number of further numbers that a claim depends on.
func others(n string) string {
	if n == "1" {
		return "one other number"
	}
	return n + " other numbers"
}
