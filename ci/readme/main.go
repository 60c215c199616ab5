// Command readme generates pages of the repository and prints them. With -w it writes
// them to their files instead. With -check it prints nothing, and fails if a file differs
// from its page; a test of this package does the same.
//
//	go run ./ci/readme -w
//
// The pages are:
//
//	golden/<suite>/README.md  the results in the golden files of a suite
//	golden/README.md          how to read the results, and an overview of all tables
//	golden/CLAIMS.md          the claims of the papers
//	golden/numbers.csv        a line for each printed number
//	README.md                 section results: a summary of the results
//	ci/README.md              section environment: the variables of package suite
//
// The pages in golden are generated as a whole. In README.md and ci/README.md only the
// section is generated, and the rest of the page is kept. A section is the text between
// two lines:
//
//	<!-- begin results -->
//	<!-- end results -->
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pushdown/ci/results"
	"pushdown/harness/argument"
	"pushdown/harness/disk"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// run runs the command. It returns the exit status: 0 for success, 1 for an error or, with
// -check, a page that is out of date, and 2 for wrong arguments.
func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("readme", flag.ContinueOnError)
	flags.SetOutput(stderr)
	write := flags.Bool("w", false, "rewrite the pages instead of printing them")
	check := flags.Bool("check", false, "fail if a page is not current")
	root := flags.String("root", "", "`folder` of the repository; empty: the one around the current folder")
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if *write && *check {
		fmt.Fprintln(stderr, "readme: have both -w and -check, want at most one of them")
		return 2
	}
	if err := regenerate(stdout, *root, *write, *check); err != nil {
		fmt.Fprintf(stderr, "readme: %v\n", err)
		return 1
	}
	return 0
}

// errStale is the error of -check for a page that is out of date.
var errStale = errors.New("is not current: run go run ./ci/readme -w")

func regenerate(stdout io.Writer, root string, write, check bool) error {
	if root == "" {
		var err error
		if root, err = results.Root("."); err != nil {
			return err
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return err
	}
	list, err := pages(root, string(readme))
	if err != nil {
		return err
	}
	for _, p := range list {
		name := filepath.Join(root, p.name)
		have, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		switch current := err == nil && string(have) == p.text; {
		case check && !current:
			return fmt.Errorf("%s %w", filepath.ToSlash(p.name), errStale)
		case write && !current:
			if err := disk.WriteFile(name, []byte(p.text)); err != nil {
				return err
			}
		case !check && !write:
			if _, err := io.WriteString(stdout, p.text); err != nil {
				return err
			}
		}
	}
	return nil
}
