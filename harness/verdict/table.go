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

// Table returns aligned text that shows a golden file and a run beside the published values.
// It has one line for each group and unit, or two lines if the paper prints both a mean and
// a best. Lines for the claims follow, and a line or two that explain the columns. If the
// parameter run is nil, the table has no column for the run; otherwise it has only the groups
// that ran and the claims that depend on them. It is "" if nothing ran. The parameter g can be
// nil, too.
//
// The outcomes are those in the golden file. Only the outcomes of variants are computed by
// Table. A variant is a group of runs that the paper does not have and that is compared with
// one of the paper's rows.
func Table(g *golden.File, run *golden.Run) string {
	heading := []string{"row", "metric", "paper", "golden", "run", "verdict"}
	claims := [][]string{{"claim", "", "paper", "", "", "verdict"}}
	if g == nil {
		g = new(golden.File)
	}
	r := new(golden.File)
	if run != nil {
		r = run.File()
	}
	rows := [][]string{heading}
	if run != nil {
		heading[4] = column(run)
	}
	ran := r.Groups()
	for _, l := range sideBySide(g, r) {
		if run != nil && !slices.Contains(ran, l.group) {
			continue
		}
		rows = append(rows, []string{string(l.group), l.metric, l.paper, l.golden, l.run, l.verdict})
	}
	for _, c := range g.Claims {
		if run != nil && !dependsOn(c.ID, ran) {
			continue
		}
		published, _ := papers.Published().Claim(c.ID)
		claims = append(claims, []string{c.ID, "", inPaper(published), "", "", string(c.Outcome) + " (" + plain(because(c)) + ")"})
	}
	if len(rows) == 1 {
		return ""
	}
	key := rowKey
	if len(claims) > 1 {
		rows = append(rows, claims...)
		key += claimKey
	}
	if run == nil {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 4, 5)
		}
	}
	return align(rows) + key
}

// The lines below a table that explain its columns.
const (
	rowKey   = "±: standard deviation over n runs; -: there is no such number; shown: a time, which is not judged\n"
	claimKey = "draws: samples of the runs with replacement; true: those in which the claim is true; it holds if nearly all are\n"
)

// dependsOn reports whether the verdict on a claim depends on one of the groups.
func dependsOn(claim string, groups []golden.Name) bool {
	basis, err := Rules.Basis(claim)
	return err == nil && slices.ContainsFunc(basis, func(b golden.Basis) bool { return slices.Contains(groups, b.Group) })
}

// A line is the text of one line of a Table.
type line struct {
	group                               golden.Name
	metric, paper, golden, run, verdict string
}

// sideBySide returns a line for each group and unit that g or r has.
func sideBySide(g, r *golden.File) []line {
	groups := append(g.Groups(), r.Groups()...)
	slices.SortFunc(groups, golden.CompareNames)
	groups = slices.Compact(groups)
	verdict := make(map[string]golden.Verdict)
	for _, v := range g.Verdicts {
		verdict[v.Key] = v
	}
	var units []string
	for _, u := range append(slices.Clone(g.Units), r.Units...) {
		units = append(units, u.Name)
	}
	slices.Sort(units)
	units = slices.Compact(units)

	var lines []line
	for _, group := range groups {
		for _, unit := range units {
			inGolden, inRun := g.Values(group, unit), r.Values(group, unit)
			if len(inGolden) == 0 && len(inRun) == 0 {
				continue
			}
			cells, variant := cellsBeside(group, unit, g, r)
			percent := isShare(unit, betterOf(unit, g, r) == "higher")
			if len(cells) == 0 {
				lines = append(lines, line{group: group, metric: unit, paper: "-",
					golden: summary(sample{values: inGolden}, nil, percent), run: summary(sample{values: inRun}, nil, percent), verdict: "-"})
			}
			for _, c := range cells {
				by := c.Quantity.ChosenBy
				l := line{group: group, metric: unit, paper: inUnit(c), verdict: "-",
					golden: summary(sampleOf(g, group, unit, by), c.Quantity, percent), run: summary(sampleOf(r, group, unit, by), c.Quantity, percent)}
				switch {
				case by != "":
					l.metric += fmt.Sprintf(" (best of %d by %s)", c.Quantity.Trials, by)
				case c.Quantity.Best:
					l.metric += fmt.Sprintf(" (best of %d)", c.Quantity.Trials)
				case c.Quantity.Trials > 1:
					l.metric += fmt.Sprintf(" (mean of %d)", c.Quantity.Trials)
				}
				v, judged := verdict[c.Key.String()]
				switch {
				case c.Quantity.Shown:
					l.verdict = "shown"
				case variant && len(inGolden) > 0:
					u, _ := g.UnitOf(unit)
					outcome, _ := reproduce(c, sampleOf(g, group, unit, by), u.Exact)
					l.verdict = "variant: " + outcome.Description()
				case judged && !variant:
					l.verdict = v.Outcome.Description()
				}
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// cellsBeside returns the printed cells to show beside a group in a unit. If the paper does
// not print the group, but the group is a variant of a printed row, it returns the cells of
// that row and sets the result variant. It recognises variants only if one of the files has
// scale paper.
func cellsBeside(group golden.Name, unit string, files ...*golden.File) (cells []papers.Number, variant bool) {
	cells = distinct(papers.Published().Measured(string(group), unit))
	if len(cells) > 0 || !slices.ContainsFunc(files, func(f *golden.File) bool { return f.Scale == "paper" }) {
		return cells, false
	}
	row, ok := VariantOf(group)
	if !ok {
		return nil, false
	}
	return distinct(papers.Published().Measured(string(row), unit)), true
}

// distinct returns the cells without those that repeat the number of an earlier one, as
// tables 7 and 8 of the paper diffstk repeat numbers of table 1.
func distinct(cells []papers.Number) (list []papers.Number) {
	for _, c := range cells {
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

// betterOf returns which direction of a unit is better, from the first file that
// has the unit.
func betterOf(unit string, files ...*golden.File) string {
	for _, f := range files {
		if u, ok := f.UnitOf(unit); ok {
			return u.Better
		}
	}
	return ""
}

// summary formats the values of the seeds as one number. If the paper prints the best of
// several runs, this is the best value. If the paper chooses a run by its loss, it is the
// value of the seed with the smallest loss. Otherwise it is the mean with the standard
// deviation. If a mean of shares has seeds on both sides of the middle, summary adds the
// number of seeds above the middle.
func summary(s sample, q *papers.Quantity, percent bool) string {
	values, n := s.values, len(s.values)
	if n == 0 {
		return "-"
	}
	seeds := fmt.Sprintf(" (n=%d)", n)
	switch {
	case q != nil && q.ChosenBy != "":
		return short(s.chosen()) + seeds
	case q != nil && q.Best:
		return short(best(values, q.Higher)) + seeds
	}
	if n, both := above(values); percent && both {
		seeds = fmt.Sprintf(" (n=%d, %d above %d)", len(values), n, middle)
	}
	if sd := Deviation(values); sd != 0 {
		return short(golden.Mean(values)) + " ± " + strconv.FormatFloat(sd, 'g', 2, 64) + seeds
	}
	return short(values[0]) + seeds
}

// short formats a number with five significant digits, but whole numbers in full.
func short(v float64) string {
	if v == float64(int64(v)) && max(v, -v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	return golden.Number(r)
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
		if _, ok := r.Origins[row.Name]; ok {
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
