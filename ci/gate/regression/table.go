package regression

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchunit"
)

// columns are the headings of a table.
var columns = []string{"benchmark", "unit", "base", "head", "change", "noise", "have", "need", "p", "outcome"}

// cells returns the row as text, one string per column.
func (row *Row) cells() []string {
	class := benchunit.ClassOf(row.Unit)
	cells := []string{
		row.Name, row.Unit, benchunit.Scale(row.Base, class), benchunit.Scale(row.Head, class),
		percent(row.Change, "%+.2f%%"), percent(row.Noise, "%.1f%%"), fmt.Sprint(row.Have), fmt.Sprint(row.Need),
		fmt.Sprintf("%.2g", row.Chance), row.Outcome.String(),
	}
	if row.Exact {
		cells[5], cells[7], cells[8] = "-", "-", "-"
		if row.Base == 0 {
			cells[4] = "-"
		}
	}
	return cells
}

// driftColumns are the headings of a table of a history.
var driftColumns = []string{"benchmark", "unit", "before", "newest", "change", "commits", "p", "outcome"}

// driftCells returns the row of a history as text, one string per column.
func (row *Row) driftCells() []string {
	class := benchunit.ClassOf(row.Unit)
	return []string{
		row.Name, row.Unit, benchunit.Scale(row.Base, class), benchunit.Scale(row.Head, class),
		percent(row.Change, "%+.2f%%"), fmt.Sprint(row.Have), fmt.Sprintf("%.2g", row.Chance), row.Outcome.String(),
	}
}

func percent(x float64, format string) string { return fmt.Sprintf(format, 100*x) }

// Plural formats a number of things: "1 round", "2 rounds".
func Plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Summary summarizes the outcomes: how many comparisons there are, and how many of
// them are lost, gained and so on.
func (rep *Report) Summary() string {
	s := fmt.Sprintf("%s: %d lost, %d gained, %d with too few samples", Plural(len(rep.Rows), "comparison"), rep.Count(Lost), rep.Count(Gained), rep.Count(TooFewSamples))
	if n := rep.Count(BelowMinLoss); n > 0 {
		s += fmt.Sprintf(", %d lost less than %g%%", n, 100*rep.Options.MinLoss)
	}
	return s
}

// shortage describes, among the comparisons with too few samples, the one that needs
// the most. It returns "" if all comparisons have enough.
func (rep *Report) shortage() string {
	var worst *Row
	for i := range rep.Rows {
		if row := &rep.Rows[i]; row.Outcome == TooFewSamples && (worst == nil || row.Need > worst.Need) {
			worst = row
		}
	}
	if worst == nil {
		return ""
	}
	s := fmt.Sprintf("too few samples: have %d, want about %d to see a loss of %g%% (%s, %s, noise %.1f%%)",
		worst.Have, worst.Need, 100*rep.Options.Loss, worst.Name, worst.Unit, 100*worst.Noise)
	if rep.MaxSamples > 0 && worst.Need > rep.MaxSamples {
		s += fmt.Sprintf(": the noise is too high to tell with -most %d", rep.MaxSamples)
	}
	return s
}

// mostFaults is the greatest number of faults shown. One cause often leads to many
// faults.
const mostFaults = 20

// faults returns the first mostFaults faults as text, and a line with the number of
// the others, if any.
func (rep *Report) faults() []string {
	var list []string
	for i, f := range rep.Faults {
		if i == mostFaults {
			return append(list, fmt.Sprintf("and %d more", len(rep.Faults)-i))
		}
		list = append(list, fmt.Sprintf("%s: %s", f.Status, f.Text))
	}
	return list
}

// WriteText writes the report for a terminal: the tables, then notes and faults, and
// the verdict in the last line. The tables omit exact measurements that are unchanged and
// benchmarks that have not become slower in the history; the lines below count them.
func (rep *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	pkg, any := "", false
	for i := range rep.Rows {
		row := &rep.Rows[i]
		if row.Exact && row.Outcome == Same {
			continue
		}
		if !any || row.Pkg != pkg {
			any, pkg = true, row.Pkg
			fmt.Fprintf(tw, "pkg: %s\n%s\n", pkg, strings.Join(columns, "\t"))
		}
		fmt.Fprintln(tw, strings.Join(row.cells(), "\t"))
	}
	pkg, any = "", false
	for i := range rep.Drift {
		row := &rep.Drift[i]
		if row.Outcome == Same {
			continue
		}
		if !any || row.Pkg != pkg {
			any, pkg = true, row.Pkg
			fmt.Fprintf(tw, "\nhistory of pkg: %s\n%s\n", pkg, strings.Join(driftColumns, "\t"))
		}
		fmt.Fprintln(tw, strings.Join(row.driftCells(), "\t"))
	}
	tw.Flush()
	for _, n := range rep.Notes {
		fmt.Fprintln(&b, n)
	}
	for _, f := range rep.faults() {
		fmt.Fprintln(&b, f)
	}
	if len(rep.Rows) > 0 {
		fmt.Fprintln(&b, rep.Summary())
	}
	if s := rep.shortage(); s != "" {
		fmt.Fprintln(&b, s)
	}
	fmt.Fprintf(&b, "verdict: %s (status %d)\n", rep.Status, rep.Status)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes the report for the summary of a workflow. It has one table of
// the comparisons whose outcome is not Same, a collapsed table of all comparisons, and one of
// the benchmarks that have become slower in the history.
func (rep *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Benchmarks: %s\n\n", rep.Status)
	for _, s := range append(rep.faults(), rep.shortage()) {
		if s != "" {
			fmt.Fprintf(&b, "* %s\n", escape(s))
		}
	}
	if len(rep.Rows) > 0 {
		fmt.Fprintf(&b, "\n%s\n", rep.Summary())
		rep.markdown(&b, rep.Rows, columns, (*Row).cells, func(row *Row) bool { return row.Outcome != Same })
		b.WriteString("\n<details><summary>All comparisons</summary>\n")
		rep.markdown(&b, rep.Rows, columns, (*Row).cells, func(*Row) bool { return true })
		b.WriteString("\n</details>\n")
	}
	rep.markdown(&b, rep.Drift, driftColumns, (*Row).driftCells, func(row *Row) bool { return row.Outcome != Same })
	for _, n := range rep.Notes {
		fmt.Fprintf(&b, "\n%s\n", escape(n))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes a table of the rows for which the function which returns true.
func (rep *Report) markdown(b *strings.Builder, rows []Row, columns []string, cells func(*Row) []string, which func(*Row) bool) {
	any := false
	for i := range rows {
		row := &rows[i]
		if !which(row) {
			continue
		}
		if !any {
			any = true
			fmt.Fprintf(b, "\n| package | %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)+1))
		}
		fmt.Fprintf(b, "| %s |", escape(cmp.Or(row.Pkg, "-")))
		for _, c := range cells(row) {
			fmt.Fprintf(b, " %s |", escape(c))
		}
		b.WriteString("\n")
	}
}

// escape escapes the characters that Markdown would interpret in a table cell.
var escape = strings.NewReplacer("|", `\|`, "<", "&lt;", "~", `\~`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "\n", " ", "\r", " ").Replace
