// Command gate reports whether benchmarks have become slower. It compares two files
// of Go benchmark output, base and head, with the same benchmarks on the same
// machine:
//
//	go build -o ../gate ./ci/gate
//	../gate base.txt head.txt
//
// The samples should be interleaved: the n-th sample of a benchmark in one file should be
// measured right before or after the n-th in the other. The command compare measures two
// commits in this way and judges them by the same rules. Package verdict documents what is
// compared, package trial the statistics.
//
// The exit status is
//
//	0  no loss, and enough samples to be sure
//	1  a loss: something is slower, or allocates more
//	2  wrong arguments, or text that is damaged or incomplete
//	3  too few samples: no loss was seen, but one may have been missed
//	4  no baseline, or head lacks a benchmark or measurement of base
//	5  the two sides ran in different environments
//
// If several apply, the first of 2, 5, 1, 4, 3 is returned. If both files can be read,
// the last line of the output also names the status. Build the command to see its exit
// status: go run replaces every status except 0 by 1.
//
// The flag -summary names a file, such as that of GITHUB_STEP_SUMMARY, to which the
// command appends the report in Markdown.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"pushdown/ci/gate/verdict"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// run runs the command and returns its exit status.
func run(stdout, stderr io.Writer, args []string) int {
	o := verdict.Standard
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: gate [flags] base.txt head.txt")
		flags.PrintDefaults()
	}
	o.Flags(flags)
	summary := flags.String("summary", "", "append the report to this `file` in Markdown")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return int(verdict.Unusable)
	}
	fail := func(s verdict.Status, format string, args ...any) int {
		fmt.Fprintf(stderr, "gate: "+format+"\n", args...)
		return int(s)
	}
	if flags.NArg() != 2 {
		return fail(verdict.Unusable, "have %s, want 2: the files with the benchmark output of base and of head", verdict.Plural(flags.NArg(), "argument"))
	}
	if err := o.Check(); err != nil {
		return fail(verdict.Unusable, "%v", err)
	}
	var texts [2]verdict.Text
	for i, side := range []string{"base", "head"} {
		name := flags.Arg(i)
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return fail(verdict.Missing, "%s: no such file, want the benchmark text of %s", name, side)
		}
		if err != nil {
			return fail(verdict.Unusable, "%v", err)
		}
		texts[i] = verdict.Text{Name: name, Data: data}
	}
	rep := verdict.Judge(texts[0], texts[1], o)
	if err := rep.Publish(stdout, *summary); err != nil {
		return fail(verdict.Unusable, "%v", err)
	}
	return int(rep.Status)
}
