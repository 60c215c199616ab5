package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"pushdown/harness/argument"
	"pushdown/harness/disk"
	"pushdown/harness/golden"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// options are the flags of the command.
type options struct {
	disk                      disk.FS // where files are written
	write, check, junit, runs bool
	site, root, since, state  string
	bench                     []string
}

// run runs the command. It returns the exit status: 0 for success, 1 for an error or, with
// -check, a page that is out of date, and 2 for wrong arguments.
func run(stdout, stderr io.Writer, args []string) int {
	var o options
	flags := flag.NewFlagSet("pages", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.write, "w", false, "write the pages of the repository")
	flags.BoolVar(&o.check, "check", false, "fail if a page of the repository is not current")
	flags.StringVar(&o.site, "o", "", "write a site into this `folder`")
	flags.BoolVar(&o.junit, "junit", false, "print a JUnit report")
	flags.BoolVar(&o.runs, "jsonl", false, "print a line of JSON for each run")
	flags.StringVar(&o.root, "root", "", "`folder` of the repository; empty: the one around the current folder")
	flags.StringVar(&o.since, "since", "", "with -o or -junit, show what is new since this `commit`")
	flags.StringVar(&o.state, "state", "", "with -o, also show the finished runs of this state `folder`")
	flags.Func("bench", "with -o, a `file` of benchmark text, or a folder of such files, for the page on speed; may be repeated", func(name string) error {
		o.bench = append(o.bench, name)
		return nil
	})
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if why := o.wrong(); why != "" {
		fmt.Fprintln(stderr, "pages:", why)
		return 2
	}
	if err := o.do(stdout); err != nil {
		fmt.Fprintln(stderr, "pages:", err)
		return 1
	}
	return 0
}

// wrong says what is wrong with the flags. It returns "" if nothing is.
func (o *options) wrong() string {
	n := 0
	for _, given := range []bool{o.write, o.check, o.site != "", o.junit, o.runs} {
		if given {
			n++
		}
	}
	switch {
	case n != 1:
		return fmt.Sprintf("have %d of -w, -check, -o, -junit and -jsonl, want one", n)
	case o.since != "" && (o.write || o.check || o.runs):
		return "have -since with -w, -check or -jsonl, want it with -o or -junit"
	case o.site == "" && (o.state != "" || len(o.bench) > 0):
		return "have -state or -bench without -o, want it"
	}
	return ""
}

// do does what the flags say.
func (o *options) do(stdout io.Writer) (err error) {
	if o.root == "" {
		if o.root, err = golden.Root(); err != nil {
			return err
		}
	}
	old := false
	if o.site != "" {
		if old, err = siteIn(o.site); err != nil { // before load, which takes seconds
			return err
		}
	}
	r, err := load(o)
	switch {
	case err != nil:
		return err
	case o.site != "":
		return r.writeSite(stdout, o.site, old)
	case o.junit:
		return r.writeJUnit(stdout)
	case o.runs:
		return r.writeRuns(stdout)
	}
	return r.regenerate(o.disk, o.root, o.check)
}
