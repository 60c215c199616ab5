// Command gate tells whether benchmarks have become slower. It compares two files
// of Go benchmark text, of the same benchmarks on the same machine:
//
//	go build -o ../gate ./ci/gate
//	../gate base.txt head.txt
//
// The samples should be interleaved: the n-th of a benchmark in one file should
// have been measured next to the n-th in the other. Command compare does that for
// two commits, and judges as this one does. Package verdict says what is compared
// with what, package trial how.
//
// The exit status is
//
//	0  no loss, and enough samples to say so
//	1  a loss: something is slower, or allocates more
//	2  wrong arguments, or text that is damaged or incomplete
//	3  too few samples: no loss was seen, but one might have been missed
//	4  no baseline, or a benchmark or measurement of one side only
//	5  the two sides did not run in the same environment
//
// and the last line of the output says it, too. Build the command to see the
// status: go run turns each but 0 into 1. Of several, 2, 5, 1, 4 and 3 come first in this order.
//
// With -summary the report is also added to a file in Markdown, such as the one
// that GITHUB_STEP_SUMMARY names.
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

// run is the command. It returns the exit status.
func run(stdout, stderr io.Writer, args []string) int {
	o := verdict.Standard
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: gate [flags] base.txt head.txt")
		flags.PrintDefaults()
	}
	o.Flags(flags)
	summary := flags.String("summary", "", "add the report to this `file` in Markdown")
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
		return fail(verdict.Unusable, "have %s, want 2: the benchmark text of base and of head", verdict.Plural(flags.NArg(), "argument"))
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
