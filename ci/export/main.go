// Command export writes the strings of a row, so that models made elsewhere can train, validate and
// test on them. Command score scores what they predict.
//
//	go run ./ci/export -list
//	go run ./ci/export -suite dyck -row m6-baseline -seed 1 -o dir
//
// Package exchange describes the files. The row is the name of a group, or an end of it that no other
// row of the suite has: m6-baseline, m6-baseline/task=lr1e-2, table=1/row=lstm. The folder must be
// new or empty. Its path is cleaned first, so that link/../x is x. All seeds of a row have the same
// strings; the seed only enters the manifest.
//
// Rows on text need their corpus, and get numbers in place of its words. Rows without training have no export, except for
// those of the syntactic test set. The exit status is 1 if the data cannot be written and 2 for wrong arguments.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pushdown/ci/git"
	"pushdown/harness/argument"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/suites"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.SetOutput(stderr)
	list := flags.Bool("list", false, "list the suites and their rows, or those of -suite, with the number of our runs, and write nothing")
	name := flags.String("suite", "", "the `suite`")
	row := flags.String("row", "", "the `row`, as -list has it, or an end of its name that no other row has")
	seed := flags.Int("seed", 1, "the `seed` of the run, for the manifest")
	scale := flags.String("scale", string(suite.Paper), "the `scale` of the row: smoke, ci or paper")
	out := flags.String("o", "", "the `folder` that gets the data")
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if *list {
		lines, err := exchange.List(suites.All, *name, suite.Scale(*scale))
		if err != nil {
			fmt.Fprintln(stderr, "export:", err)
			return 2
		}
		fmt.Fprintln(stdout, strings.Join(lines, "\n"))
		return 0
	}
	of, x, err := exchange.Find(suites.All, *name, suite.Scale(*scale), *row)
	if err == nil && *out == "" {
		err = errors.New("-o: have no folder, want one for the data")
	}
	*out = filepath.Clean(*out)
	if err == nil {
		err = golden.CheckModule()
	}
	if err == nil && *seed < 1 {
		err = fmt.Errorf("-seed: have %d, want 1 or more", *seed)
	}
	if err == nil {
		_, err = golden.ParseName(string(x.ID().Group().WithSeed(*seed)))
	}
	if err != nil {
		fmt.Fprintln(stderr, "export:", err)
		return 2
	}
	set, err := x.Exchange()
	if err == nil {
		var m *exchange.Manifest
		m, err = set.Write(*out, exchange.Manifest{Commit: git.Source(), Suite: of.Name, Scale: *scale, Row: x.ID().Group(), Seed: *seed, Settings: x})
		if err == nil {
			describe(stdout, *out, m)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "export:", err)
		return 1
	}
	return 0
}

// describe prints what has been written.
func describe(stdout io.Writer, folder string, m *exchange.Manifest) {
	bytes := int64(0)
	for _, f := range m.Files {
		bytes += f.Bytes
	}
	fmt.Fprintf(stdout, "%s: %d files, %.1f MB, data %s\n", folder, len(m.Files), float64(bytes)/1e6, m.Data)
	for _, s := range m.Splits {
		fmt.Fprintf(stdout, "  %s: %d strings of %d to %d tokens\n", s.Name, s.Strings, s.Shortest, s.Longest)
	}
}
