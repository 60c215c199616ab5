package verdict

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

var suiteName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// WritePublished writes the published values of the given groups as a benchmark file,
// which benchstat can show in a separate column:
//
//	benchstat -table suite -row .name,/paper,/table,/section,/row,/task -ignore /seed \
//		paper=paper.txt golden=golden/dyck/ci.txt run=run.txt
//
// A group of which the papers print nothing has no line. If a paper prints both the mean
// and the best of several runs, the file has the mean, because it is closest to the summary
// that benchstat computes from our seeds.
func WritePublished(w io.Writer, suite string, groups ...golden.Name) error {
	if !suiteName.MatchString(suite) {
		return fmt.Errorf("suite: have %q, want a name such as dyck", suite)
	}
	groups = slices.Clone(groups)
	slices.SortFunc(groups, golden.CompareNames)
	var units []string
	var lines bytes.Buffer
	for _, group := range slices.Compact(groups) {
		if _, err := golden.ParseGroup(string(group)); err != nil {
			return err
		}
		values := ""
		for _, c := range distinct(papers.Published().At(string(group))) {
			if q := c.Quantity; !q.Best {
				values += " " + golden.Number(c.Published) + " " + q.Unit
				units = append(units, q.Unit)
			}
		}
		if values != "" {
			fmt.Fprintf(&lines, "%s%s 1%s\n", "BenchmarkTrain/", group, values)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "suite: %s\n\n", suite)
	slices.Sort(units)
	for _, unit := range slices.Compact(units) {
		better := "lower"
		if higher, _ := papers.Published().Unit(unit); higher {
			better = "higher"
		}
		fmt.Fprintf(&b, "Unit %s better=%s\n", unit, better)
	}
	b.WriteByte('\n')
	b.Write(lines.Bytes())
	_, err := w.Write(b.Bytes())
	return err
}

// distinct returns the cells without those that repeat the number of an earlier one, as
// tables 7 and 8 of the paper diffstk repeat numbers of table 1.
func distinct(cells []papers.Cell) (list []papers.Cell) {
	for _, c := range cells {
		if !slices.ContainsFunc(list, func(o papers.Cell) bool {
			return o.Quantity.Unit == c.Quantity.Unit && o.Quantity.Best == c.Quantity.Best && o.Published == c.Published
		}) {
			list = append(list, c)
		}
	}
	return list
}
