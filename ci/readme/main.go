// Command readme prints README.md with its generated parts made anew: the
// tables of results from the golden files, and the table of environment
// variables from package bench. Each part stands between two lines,
//
//	<!-- begin results -->
//	<!-- end results -->
//
// and everything else is kept. With -w it rewrites the file, with -check it
// prints nothing and fails if the file is not current, as a test of this package
// does.
//
//	go run ./ci/readme -w
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// run is the command: 0 if all is well, 1 if not, 2 for wrong arguments.
func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("readme", flag.ContinueOnError)
	flags.SetOutput(stderr)
	write := flags.Bool("w", false, "rewrite README.md instead of printing it")
	check := flags.Bool("check", false, "fail if README.md is not current")
	root := flags.String("root", "", "`folder` of the repository; empty: the one around the current folder")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 || *write && *check {
		fmt.Fprintln(stderr, "readme: have arguments or both -w and -check, need at most one flag")
		return 2
	}
	if err := regenerate(stdout, *root, *write, *check); err != nil {
		fmt.Fprintf(stderr, "readme: %v\n", err)
		return 1
	}
	return 0
}

// errStale is the answer of -check.
var errStale = errors.New("README.md is not current: run go run ./ci/readme -w")

func regenerate(stdout io.Writer, root string, write, check bool) error {
	if root == "" {
		var err error
		if root, err = around("."); err != nil {
			return err
		}
	}
	parts, err := sections(root)
	if err != nil {
		return err
	}
	name := filepath.Join(root, "README.md")
	have, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	want, err := fill(string(have), parts)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case check && want != string(have):
		return errStale
	case check || write && want == string(have):
		return nil
	case write:
		return os.WriteFile(name, []byte(want), 0o666)
	}
	_, err = io.WriteString(stdout, want)
	return err
}

// around returns the folder of the module that dir lies in.
func around(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s: no go.mod in it or above, need the repository", dir)
		}
	}
}
