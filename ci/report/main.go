package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pushdown/ci/results"
	"pushdown/harness/argument"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// options are the flags of the command.
type options struct {
	format, out, root, since, state string
	bench                           []string
}

// formats lists the values of -format.
var formats = []string{"html", "junit"}

// run runs the command. It returns the exit status: 0 for success, 1 for an error, and 2 for
// wrong arguments.
func run(stdout, stderr io.Writer, args []string) int {
	var o options
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.format, "format", "html", "html or junit")
	flags.StringVar(&o.out, "o", "", "the `folder` of the site, or the file of another format; default: standard output")
	flags.StringVar(&o.root, "root", "", "`folder` of the repository; empty: the one around the current folder")
	flags.StringVar(&o.since, "since", "", "show what is new since this `commit`")
	flags.StringVar(&o.state, "state", "", "also show the finished runs of this state `folder`")
	flags.Func("bench", "a `file` of benchmark text, or a folder of such files, for the page on speed; may be repeated", func(name string) error {
		o.bench = append(o.bench, name)
		return nil
	})
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if why := o.wrong(); why != "" {
		fmt.Fprintln(stderr, "report:", why)
		return 2
	}
	if err := o.write(stdout); err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return 1
	}
	return 0
}

// wrong says what is wrong with the flags. It returns "" if nothing is.
func (o *options) wrong() string {
	switch {
	case !slices.Contains(formats, o.format):
		return fmt.Sprintf("-format: have %q, want one of %s", o.format, strings.Join(formats, ", "))
	case o.format == "html" && o.out == "":
		return "have no -o, want the folder of the site"
	case o.format != "html" && (o.state != "" || len(o.bench) > 0):
		return fmt.Sprintf("have -state or -bench with -format %s, want them with html only", o.format)
	}
	return ""
}

// write writes the report.
func (o *options) write(stdout io.Writer) (err error) {
	if o.root == "" {
		if o.root, err = results.Root("."); err != nil {
			return err
		}
	}
	r, err := load(o)
	if err != nil {
		return err
	}
	if o.format == "html" {
		return r.writeSite(stdout, o.out)
	}
	w := stdout
	if o.out != "" {
		if err := os.MkdirAll(filepath.Dir(o.out), 0o777); err != nil {
			return err
		}
		f, err := os.Create(o.out)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	return r.writeJUnit(w)
}
