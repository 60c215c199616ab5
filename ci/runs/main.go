// Command runs lists the training runs in the state folder. It finds the finished
// runs by their results and the unfinished ones by their checkpoints. For an
// unfinished run it prints the epoch, the smallest validation loss, and an upper
// bound on the hours left.
//
//	go run ./ci/runs
//	go run ./ci/runs -state folder
//
// Without -state the folder is the value of PUSHDOWN_STATE, or else a folder in the
// user's cache folder. If a run has a result, its checkpoints are not listed, whatever
// build they are from. The command changes no files. Its exit status is 1 if a file
// cannot be read and 2 for wrong arguments or a missing state folder.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"pushdown/harness/argument"
	"pushdown/harness/checkpoint"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("runs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	state := flags.String("state", "", "the state `folder`; default: PUSHDOWN_STATE, or a folder in the user's cache")
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if *state == "" {
		root, err := checkpoint.RootFromEnv()
		if err != nil {
			fmt.Fprintln(stderr, "runs:", err)
			return 2
		}
		*state = root
	}
	if _, err := os.ReadDir(*state); err != nil {
		fmt.Fprintln(stderr, "runs: state folder:", err)
		return 2
	}
	lines, faults := list(os.DirFS(*state), *state)
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(golden.CompareNames(golden.Name(a.name), golden.Name(b.name)), cmp.Compare(a.text, b.text))
	})
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	finished := 0
	for _, l := range lines {
		if l.finished {
			finished++
		}
		fmt.Fprintf(w, "%s\t%s\n", l.name, l.text)
	}
	w.Flush()
	fmt.Fprintf(stdout, "%d runs have ended, %d have not, in %s\n", finished, len(lines)-finished, *state)
	for _, err := range faults {
		fmt.Fprintln(stderr, "runs:", err)
	}
	return min(len(faults), 1)
}

// A line describes a run in the output.
type line struct {
	name, text string
	finished   bool
}

// list returns a line for each run in the state folder and the errors of files that cannot
// be read. Runs of every contract version are listed. The parameter root is the path of
// the state folder, and folder is the same folder as a file system.
func list(folder fs.FS, root string) (lines []line, faults []error) {
	done := map[string]bool{} // contract/hash of finished experiments
	each := func(pattern string, read func(name, path string) (line, error)) {
		names, _ := fs.Glob(folder, pattern) // the patterns are well-formed
		for _, name := range names {
			l, err := read(name, filepath.Join(root, filepath.FromSlash(name)))
			switch {
			case err == nil && l.name != "":
				lines = append(lines, l)
			case err != nil && !errors.Is(err, fs.ErrNotExist): // a run that ends meanwhile removes its checkpoint
				faults = append(faults, err)
			}
		}
	}
	each("contract-*/results/*.safetensors", func(name, file string) (line, error) {
		r, err := suite.ReadResult(file)
		if err != nil {
			return line{}, fmt.Errorf("%w; to train this run again, delete that file: other runs keep their results", err)
		}
		contract, _, _ := strings.Cut(name, "/")
		done[contract+"/"+strings.TrimSuffix(path.Base(name), ".safetensors")] = true
		return line{string(r.Row.Name), ended(r), true}, nil
	})
	each("contract-*/*/run.safetensors", func(name, file string) (line, error) {
		experiment, _, _ := strings.Cut(path.Base(path.Dir(name)), "-") // the folder is <experiment>-<build>
		if done[path.Dir(path.Dir(name))+"/"+experiment] {
			return line{}, nil
		}
		s, err := train.ReadProgress(file)
		if err != nil {
			return line{}, fmt.Errorf("%w; to train this run from the start, delete that file: no other run uses it", err)
		}
		return line{s.Name, underWay(s), false}, nil
	})
	return lines, faults
}

// ended describes a finished run.
func ended(r *suite.Result) string {
	best := math.NaN()
	for _, c := range r.Checks {
		if c.Best {
			best = c.Loss
		}
	}
	updates, took := "", ""
	if v, ok := r.Row.Value("updates"); ok {
		updates = fmt.Sprintf("%.0f updates, ", v)
	}
	if v, ok := r.Row.Value("train-min"); ok {
		took = fmt.Sprintf("%.2f h, ", v/60)
	}
	return fmt.Sprintf("scale %s, ended by %s\t%s%d validations, best %s\t%scommit %s, %s", r.Scale, r.Stopped, updates, len(r.Checks), loss(best), took, r.Origin.Commit, r.Origin.Date)
}

// underWay describes an unfinished run.
func underWay(s train.SavedProgress) string {
	epochs := fmt.Sprintf("epoch %.2f", s.Epoch)
	if s.Epochs > 0 {
		epochs += fmt.Sprintf(" of at most %.0f", s.Epochs)
	}
	left := "time left unknown"
	if d, ok := s.Left(); ok {
		left = "at most " + hours(d) + " left"
	}
	return fmt.Sprintf("%s\t%d updates, %d validations, best %s\t%s so far, %s", epochs, s.Updates, s.Checks, loss(s.Best), hours(s.Took), left)
}

func hours(d time.Duration) string { return fmt.Sprintf("%.2f h", d.Hours()) }

// loss formats a loss in nats, or "-" for NaN.
func loss(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.5g", x)
}
