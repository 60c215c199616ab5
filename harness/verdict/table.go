package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Table returns aligned text that shows g, a golden file of r, and a run beside the printed numbers.
// It has one line for each group and unit of the run, or two lines if the paper prints both a mean and
// a best. Lines for the claims that depend on these groups follow, and a line or two that explain
// the columns. A claim for which r has too few runs has a line only at scale paper. The table is "" if nothing ran.
//
// The outcomes are those of the golden rows. At scale smoke there is none, and no claim, because networks of
// another size say nothing about a paper. A variant is a group of runs that the paper does not
// have and that is compared with one of the paper's rows.
func Table(r *Results, g *golden.File, run *golden.Run) string {
	claims := [][]string{{"claim", "", "paper", "", "", "verdict"}}
	rows := [][]string{{"row", "metric", "paper", "golden", column(run), "verdict"}}
	now := run.File()
	ran := now.Groups()
	rows = append(rows, r.sideBySide(g, now)...)
	for _, c := range papers.Published().Claims {
		if !slices.ContainsFunc(r.groups(c), func(g golden.Name) bool { return slices.Contains(ran, g) }) {
			continue
		}
		if v, _ := r.Claim(c); g.Scale == "paper" || g.Scale != "smoke" && len(v.Lacking) == 0 {
			claims = append(claims, []string{c.ID, "", inPaper(c), "", "", string(v.Outcome) + " (" + plain(v.because()) + ")"})
		}
	}
	if len(rows) == 1 {
		return ""
	}
	key := rowKey
	if len(claims) > 1 {
		rows = append(rows, claims...)
		key += claimKey
	}
	return align(rows) + key
}

// The lines below a table that explain its columns.
const (
	rowKey   = "±: standard deviation over n runs; -: there is no such number; shown: a time, which is not judged\n"
	claimKey = "draws: samples of the runs with replacement; true: those in which the claim is true; it holds if nearly all are\n"
)

// sideBySide returns the fields of a line for each group and unit of the groups of run.
func (r *Results) sideBySide(g, run *golden.File) (lines [][]string) {
	var units []string
	for _, u := range slices.Concat(g.Units, run.Units) {
		units = append(units, u.Name)
	}
	slices.Sort(units)
	units = slices.Compact(units)
	for _, group := range run.Groups() {
		for _, unit := range units {
			if len(g.Values(group, unit)) == 0 && len(run.Values(group, unit)) == 0 {
				continue
			}
			numbers, variant := numbersBeside(group, unit, g)
			if len(numbers) == 0 {
				u, ok := g.UnitOf(unit)
				if !ok {
					u, _ = run.UnitOf(unit)
				}
				q := &papers.Quantity{Unit: unit, Higher: u.Better == "higher"}
				lines = append(lines, []string{string(group), unit, "-", summary(g, group, q), summary(run, group, q), "-"})
			}
			for _, n := range numbers {
				q, metric := n.Quantity, unit+of(n.Quantity)
				outcome := "-"
				switch v, judged := r.Judge(n, group); {
				case q.Shown:
					outcome = "shown"
				case !judged || g.Scale == "smoke":
				case variant:
					outcome = "variant: " + v.Outcome.Description()
				default:
					outcome = v.Outcome.Description()
				}
				lines = append(lines, []string{string(group), metric, inUnit(n), summary(g, group, q), summary(run, group, q), outcome})
			}
		}
	}
	return lines
}

// of says of which runs a paper prints a number.
func of(q *papers.Quantity) string {
	switch {
	case q.ChosenBy != "":
		return fmt.Sprintf(" (best of %d by %s)", q.Trials, q.ChosenBy)
	case q.Best:
		return fmt.Sprintf(" (best of %d)", q.Trials)
	case q.Trials > 1:
		return fmt.Sprintf(" (mean of %d)", q.Trials)
	}
	return ""
}

// External returns aligned text with the lines of [ExternalLines], and a key. At scale paper, lines with the other rows of
// the paper's table follow.
func External(r *Results, g, theirs *golden.File, group golden.Name) string {
	text := align(ExternalLines(r, g, theirs, group, func(unit string) string { return unit })) + externalKey
	if rows := r.otherRows(g, theirs, group); len(rows) > 1 {
		text += "\n" + align(rows)
	}
	return text
}

// otherRows compares somebody else's runs with the other models of the paper's table. Below headings it has, for each number of the group, the
// numbers in the same column for the same data and, where models are columns, those in the same row. Their runs come last. If no
// outcome rests on the group, there are no lines: the group may have been trained on other data than the rows of the table.
func (r *Results) otherRows(g, theirs *golden.File, group golden.Name) [][]string {
	rows := [][]string{{"metric", "row or model", "printed", "measured"}}
	if g.Scale != "paper" {
		return rows
	}
	for _, u := range theirs.Units {
		numbers, _ := numbersBeside(group, u.Name, g)
		for _, n := range numbers {
			s, ok := r.scenarioOf(n, group)
			if !ok {
				continue
			}
			q, metric := n.Quantity, u.Name+of(n.Quantity)
			var others [][]string
			for _, x := range papers.Published().Numbers {
				name := x.Row
				switch {
				case x.Paper != n.Paper || x.Table != n.Table || x.Dataset != n.Dataset || x.Metric != n.Metric:
					continue
				case x.Row == n.Row && x.Model != n.Model:
					name = x.Model
				case x.Stat != n.Stat:
					continue
				}
				ours := "-"
				if at := r.groupWith(x, s); r.FileOf(at) != nil {
					ours = summary(r.FileOf(at), at, q)
				}
				others, metric = append(others, []string{metric, name, inUnit(x), ours}), ""
			}
			if len(others) > 1 { // one is the row itself
				rows = append(append(rows, others...), []string{"", "theirs", "", summary(theirs, group, q)})
			}
		}
	}
	return rows
}

// ExternalLines returns lines that show values of somebody else's runs beside what a paper prints
// for a group and what our runs of the group are. At scale paper they have the interval that our runs predict for the printed number, and the
// outcome that their runs would give it. The last column says how often chance alone would part their runs from ours as much.
// Below headings there is a line for each printed number in each unit of the file theirs, or a line without one. The file g
// is a golden file of r, and nameOf gives the name of a unit.
func ExternalLines(r *Results, g, theirs *golden.File, group golden.Name, nameOf func(unit string) string) [][]string {
	rows := [][]string{{"metric", "printed", "ours", "interval", "theirs", "to print", "p"}}
	for _, u := range theirs.Units {
		numbers, _ := numbersBeside(group, u.Name, g)
		if len(numbers) == 0 {
			q := &papers.Quantity{Unit: u.Name, Higher: u.Better == "higher"}
			rows = append(rows, []string{nameOf(u.Name), "-", summary(g, group, q), "-", summary(theirs, group, q), "-", permutationText(g, theirs, group, q)})
		}
		for _, n := range numbers {
			q, interval, outcome := n.Quantity, "-", "-"
			if v, _ := r.Judge(n, group); v.Interval && g.Scale == "paper" {
				interval = Short(v.Low) + " to " + Short(v.High)
			}
			if s := sampleOf(theirs, group, q.Unit, q.ChosenBy); len(s.values) > 0 && theirs.Scale == "paper" {
				outcome = judge(n, s, false, Pool{}).Outcome.Description()
			}
			rows = append(rows, []string{nameOf(u.Name) + of(q), inUnit(n), summary(g, group, q), interval, summary(theirs, group, q), outcome, permutationText(g, theirs, group, q)})
		}
	}
	return rows
}

// externalKey explains the columns of [External].
const externalKey = "±: standard deviation over n runs; best of k: the median of the bests of k of n runs; -: there is no such number; interval: where our runs predict the printed number with 95 per cent; " + ExternalColumns + "\n"

// ExternalColumns explains the last columns of [ExternalLines].
const ExternalColumns = "to print: what their runs say of the printed number, by the rules for ours; " +
	"p: how often chance alone parts means as much, counted over all divisions of ours and theirs into two groups of these sizes, or over 10,000; " +
	"each line is a test of its own, so a small number among many lines says little; few runs have none"

// numbersBeside returns the printed numbers to show beside a group in a unit. If the paper does
// not print the group, but the group is a variant of a printed row, it returns the numbers of
// that row and sets the result variant. It recognises variants only at scale paper.
func numbersBeside(group golden.Name, unit string, g *golden.File) (numbers []papers.Number, variant bool) {
	numbers = distinct(papers.Published().Measured(string(group), unit))
	if len(numbers) > 0 || g.Scale != "paper" {
		return numbers, false
	}
	row, ok := VariantOf(group)
	if !ok {
		return nil, false
	}
	return distinct(papers.Published().Measured(string(row), unit)), true
}

// distinct returns the numbers without those that repeat the number of an earlier one, as
// tables 7 and 8 of the paper diffstk repeat numbers of table 1.
func distinct(numbers []papers.Number) (list []papers.Number) {
	for _, c := range numbers {
		if !slices.ContainsFunc(list, func(o papers.Number) bool {
			return o.Quantity.Unit == c.Quantity.Unit && o.Quantity.Best == c.Quantity.Best && o.Published == c.Published
		}) {
			list = append(list, c)
		}
	}
	return list
}

// VariantOf returns the printed row with which a group is compared, if the group is a variant
// of that row; otherwise ok is false. A variant in the list papers.Shapes has a name of its
// own, and the list gives the name of the row. Any other variant has the name of the row with
// a task added.
func VariantOf(group golden.Name) (row golden.Name, ok bool) {
	for _, s := range papers.Shapes() {
		for _, v := range s.Variants {
			if v.New == "" {
				continue
			}
			before, after, _ := strings.Cut("paper="+s.Paper+"/"+v.New, "{row}")
			if rest, ok := strings.CutPrefix(string(group), before); ok {
				if name, task, ok := strings.Cut(rest, after); ok {
					return golden.Name("paper=" + s.Paper + "/" + strings.ReplaceAll(v.Old, "{row}", name) + task), true
				}
			}
		}
	}
	name, _, tasked := strings.Cut(string(group), "/task=")
	return golden.Name(name), tasked
}

// inUnit formats a published number in the unit in which it is compared, with the
// printed precision.
func inUnit(c papers.Number) string {
	_, fraction, _ := strings.Cut(strings.TrimSuffix(c.Value, c.Quantity.Suffix), ".")
	return strconv.FormatFloat(c.Published, 'f', max(0, len(fraction)-c.Quantity.Shift), 64)
}

// summary formats the values of the seeds of a group as one number. If the paper prints the best of
// several runs, this is the best of as many of ours, or of all if they are fewer; see valueOf. If the paper chooses a run by its loss, it is the
// value of the seed with the smallest loss, if there are losses. Otherwise it is the mean with the standard
// deviation. If a mean of shares has seeds on both sides of the middle, summary adds the
// number of seeds above the middle.
func summary(f *golden.File, group golden.Name, q *papers.Quantity) string {
	s, note := sampleOf(f, group, q.Unit, q.ChosenBy), ""
	if len(s.values) == 0 { // no losses by which one could be chosen
		if s = sampleOf(f, group, q.Unit, ""); len(s.values) > 1 {
			q, note = &papers.Quantity{Unit: q.Unit, Higher: q.Higher}, ", none chosen"
		}
	}
	n := len(s.values)
	if n == 0 {
		return "-"
	}
	text := Short(valueOf(s, q))
	if selects(q) {
		if q.ChosenBy == "" && 1 < n && n < q.Trials {
			return text + fmt.Sprintf(" (best of %d)", n)
		}
		return text + fmt.Sprintf(" (n=%d)", n)
	}
	if sd := Deviation(s.values); sd != 0 {
		text += " ± " + strconv.FormatFloat(sd, 'g', 2, 64)
	}
	if above, both := Above(s.values); both && IsShare(q.Unit, q.Higher) {
		note += fmt.Sprintf(", %d above %d", above, Middle)
	}
	return text + fmt.Sprintf(" (n=%d%s)", n, note)
}

// Short formats a number with five significant digits, but whole numbers in full.
func Short(v float64) string {
	if v == float64(int64(v)) && max(v, -v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	text := strconv.FormatFloat(v, 'g', 5, 64)
	if x, err := strconv.ParseFloat(text, 64); err == nil && 0.001 <= max(x, -x) && max(x, -x) < 1e15 {
		text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return text
}

// inPaper returns "holds" or "fails" according to the paper's own table, or "no
// table".
func inPaper(c papers.Claim) string {
	switch {
	case c.Relation == nil && !c.Printed:
		return "no table"
	case c.Published:
		return "holds"
	}
	return "fails"
}

// align pads the columns of a table with blanks.
func align(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// column returns the heading of the column with the values of the run.
func column(r *golden.Run) string {
	back := 0
	for _, row := range r.Rows {
		if row.Origin != (golden.Origin{}) {
			back++
		}
	}
	switch {
	case back == 0:
		return "run"
	case back < len(r.Rows):
		return "run or read back"
	}
	return "read back"
}
