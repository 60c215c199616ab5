package regression

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchunit"
)

// mostWarnings is the greatest number of warnings shown. One cause often leads to many.
const mostWarnings = 40

// String returns the report as text: the tables, then warnings, and the verdict in the last
// line. The tables omit exact measurements that are unchanged and benchmarks that have not
// become slower in the history.
func (rep *Report) String() string {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	table(tw, "pkg: ", rep.Rows)
	table(tw, "history of pkg: ", rep.Drift)
	tw.Flush()
	for i, w := range rep.Warnings {
		switch {
		case i == mostWarnings:
			fmt.Fprintf(&b, "and %d more\n", len(rep.Warnings)-i)
		case i > mostWarnings:
		case w.Status == NoLoss:
			fmt.Fprintln(&b, w.Text)
		default:
			fmt.Fprintf(&b, "%s: %s\n", w.Status, w.Text)
		}
	}
	count := make([]int, TooFewSamples+1)
	for _, row := range rep.Rows {
		count[row.Outcome]++
	}
	fmt.Fprintf(&b, "comparisons: %d, of which lost %d, gained %d, lost less than %g%% %d, with too few samples %d\n",
		len(rep.Rows), count[Lost], count[Gained], 100*MinLoss, count[Slight], count[TooFewSamples])
	fmt.Fprintf(&b, "verdict: %s (status %d)\n", rep.Status(), rep.Status())
	return b.String()
}

// table writes rows, with a heading for each package.
func table(w io.Writer, title string, rows []Row) {
	var last *Row
	for i := range rows {
		row := &rows[i]
		if row.Outcome == Same && row.trial == nil {
			continue
		}
		if last == nil || row.Pkg != last.Pkg {
			fmt.Fprintf(w, "%s%s\nbenchmark\tunit\tbase\thead\tchange\tnoise\thave\tneed\tp\toutcome\n", title, row.Pkg)
		}
		last = row
		class := benchunit.ClassOf(row.Unit)
		noise, need, p := "-", "-", "-"
		if row.trial != nil {
			noise = fmt.Sprintf("%.1f%%", 100*row.Noise)
		}
		if !row.Exact {
			need, p = fmt.Sprint(row.Need), fmt.Sprintf("%.2g", row.Chance)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%+.2f%%\t%s\t%d\t%s\t%s\t%s\n", row.Name, row.Unit,
			benchunit.Scale(row.Base, class), benchunit.Scale(row.Head, class), 100*row.Change, noise, row.Have, need, p, row.Outcome)
	}
}

// Publish writes the report to w. If summary is not empty, it also appends the report to that
// file in Markdown.
func (rep *Report) Publish(w io.Writer, summary string) error {
	if _, err := io.WriteString(w, rep.String()); err != nil || summary == "" {
		return err
	}
	f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f, "### Benchmarks: %s\n\n```\n%s```\n\n", rep.Status(), rep); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
