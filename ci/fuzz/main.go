// Command fuzz runs all fuzz targets of the repository in turn, until together they have
// made a number of executions.
//
//	go run ./ci/fuzz -n 200000
//	go run ./ci/fuzz -n 10000000 -parallel 1    # hours
//
// Each target first makes a few executions, which measure its speed. Then all targets get
// the same time, in slices, so the number of executions of a target is in proportion to its
// speed. At the end the command prints for each target the executions, the executions per
// second, the number of inputs that reached new code, the inputs that the corpus has, and
// the failures.
//
// # Files
//
// The folder given by -cache keeps the corpus: inputs that reached new code in this run or
// an earlier one. Later runs start from them, also after one that was killed, and from the seeds
// in the repository.
//
// # Failures
//
// When an input fails, package testing writes it to the folder testdata/fuzz of the
// package. The command prints the error and the git command that commits the input as a
// seed. It makes no more executions of that target, because they would begin with the same
// failure. When the cause is mended, the next run includes the target again.
//
// The exit status is 1 if a target failed or cannot be built, and 2 for wrong arguments.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"pushdown/harness/argument"
	"pushdown/harness/disk"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Int("n", 200_000, "the `number` of executions of all targets together")
	parallel := flags.Int("parallel", 0, "the number of worker `processes`; 0: as many as the machine has processors")
	slice := flags.Duration("slice", 30*time.Second, "how long a target runs before it is the turn of the next")
	only := flags.String("run", "", "run only targets whose name, such as harness/golden.FuzzParse, matches this `pattern`")
	cache := flags.String("cache", "", "the `folder` of the corpus; default: pushdown/fuzz in the user's cache folder")
	root := flags.String("root", ".", "run in this `folder` of the repository")
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if *n < 1 || *parallel < 0 || *slice <= 0 {
		fmt.Fprintf(stderr, "fuzz: have -n %d -parallel %d -slice %v, want -n of at least 1, -parallel of at least 0 and -slice of more than 0\n", *n, *parallel, *slice)
		return 2
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintf(stderr, "fuzz: -run: %v\n", err)
		return 2
	}
	if *cache == "" {
		user, err := disk.CacheFolder("-cache")
		if err != nil {
			fmt.Fprintf(stderr, "fuzz: %v\n", err)
			return 2
		}
		*cache = filepath.Join(user, "fuzz")
	}
	f := &fuzzer{w: stdout, n: *n, parallel: *parallel, slice: *slice, only: pattern}
	ok, err := f.run(*root, *cache)
	if err != nil {
		fmt.Fprintf(stderr, "fuzz: %v\n", err)
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}
