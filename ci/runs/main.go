// Command runs lists the runs that have left something in the state folder: those
// that have ended, by their results, and those that have not, by their checkpoints,
// with the epoch, the least validation loss, and the hours that are left at most.
//
//	go run ./ci/runs
//	go run ./ci/runs -state folder
//
// The folder is that of PUSHDOWN_STATE, or else in the user's cache folder. The
// command reads and changes nothing. It ends with status 1 if a file cannot be read.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("runs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	state := flags.String("state", "", "the state `folder`; empty: that of PUSHDOWN_STATE or of the user's cache")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		if err == nil {
			fmt.Fprintf(stderr, "runs: have the argument %q, want none\n", flags.Arg(0))
		}
		return 2
	}
	if *state == "" {
		root, err := checkpoint.RootFromEnv()
		if err != nil {
			fmt.Fprintln(stderr, "runs:", err)
			return 2
		}
		*state = root
	}
	lines, faults := list(*state)
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
	if len(faults) > 0 {
		return 1
	}
	return 0
}

// A line is a run.
type line struct {
	name, text string
	finished   bool
}

// list reads what is there of all contract versions.
func list(root string) (lines []line, faults []error) {
	results, err := filepath.Glob(filepath.Join(root, "contract-*", "results", "*.safetensors"))
	if err != nil {
		return nil, []error{err}
	}
	for _, name := range results {
		r, err := suite.ReadResult(name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		lines = append(lines, line{string(r.Row.Name), ended(r), true})
	}
	states, err := filepath.Glob(filepath.Join(root, "contract-*", "*", "run.safetensors"))
	if err != nil {
		return nil, []error{err}
	}
	for _, name := range states {
		s, err := train.ReadStanding(name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		lines = append(lines, line{s.Name, underWay(s), false})
	}
	return lines, faults
}

// ended describes a result.
func ended(r *suite.Result) string {
	best := math.NaN()
	for _, c := range r.Checks {
		if c.Best {
			best = c.Loss
		}
	}
	updates := ""
	if v, ok := r.Row.Value("updates"); ok {
		updates = fmt.Sprintf("%.0f updates, ", v)
	}
	took := ""
	if v, ok := r.Row.Value("train-min"); ok {
		took = fmt.Sprintf("%.2f h, ", v/60)
	}
	return fmt.Sprintf("ended by %s\t%s%d validations, best %s\t%scommit %s, %s", r.Stopped, updates, len(r.Checks), loss(best), took, r.Origin.Commit, r.Origin.Date)
}

// underWay describes a checkpoint.
func underWay(s train.Standing) string {
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

// loss writes a loss in nats, or a dash for none.
func loss(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.5g", x)
}
