// Command gate reports whether benchmarks have become slower. It compares two files
// of Go benchmark output, base and head, with the same benchmarks on the same
// machine:
//
//	go build -o ../gate ./ci/gate
//	../gate base.txt head.txt
//
// The samples should be interleaved: the n-th sample of a benchmark in one file should be
// measured right before or after the n-th in the other. The command compare measures two
// commits in this way and judges them by the same rules. Package regression documents what is
// compared, package trial the statistics.
//
// The exit status is
//
//	0  no loss, and enough samples to be sure
//	1  a loss: something is slower than base or the history, or allocates more than base
//	2  wrong arguments, or text that is damaged or incomplete
//	3  too few samples: no loss was seen, but one may have been missed
//	4  no baseline, or head lacks a benchmark or measurement of base
//	5  the two sides, or a history, ran in different environments
//
// If several apply, the first of 2, 5, 1, 4, 3 is returned. If both files can be read,
// the last line of the output also names the status. Build the command to see its exit
// status: go run replaces every status except 0 by 1.
//
// # A history of speed
//
// With -history folder, the command also judges head by earlier commits on its machine, which
// shows many small losses that add up:
//
//	../gate add origin head.txt
//	git fetch origin bench && git worktree add --detach ../bench FETCH_HEAD
//	../gate -history ../bench base.txt head.txt
//
// The first of these commands adds a file to the branch bench of a remote. Package history
// documents what the branch has, package regression how head is judged. A machine without history
// is no fault. Once a loss has been accepted, -after with the time of its commit leaves out what
// was faster.
//
// # Other flags
//
// The flag -summary names a file, such as that of GITHUB_STEP_SUMMARY, to which the
// command appends the report in Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"pushdown/ci/gate/history"
	"pushdown/ci/gate/regression"
	"pushdown/harness/argument"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// run runs the command and returns its exit status.
func run(stdout, stderr io.Writer, args []string) int {
	if len(args) > 0 && args[0] == "add" {
		return add(stdout, stderr, args[1:])
	}
	o := regression.Standard
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: gate [flags] base.txt head.txt\n       gate add [flags] remote file...")
		flags.PrintDefaults()
	}
	o.Flags(flags)
	var h history.Source
	h.Flags(flags)
	summary := flags.String("summary", "", "append the report to this `file` in Markdown")
	if status, ok := argument.Parse(flags, args, "base.txt", "head.txt"); !ok {
		return status
	}
	fail := func(s regression.Status, format string, args ...any) int {
		fmt.Fprintf(stderr, "gate: "+format+"\n", args...)
		return int(s)
	}
	if err := errors.Join(o.Check(), h.Check()); err != nil {
		return fail(regression.Unusable, "%v", err)
	}
	var texts [2]regression.Text
	for i, side := range []string{"base", "head"} {
		name := flags.Arg(i)
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return fail(regression.Missing, "%s: no such file, want the benchmark text of %s", name, side)
		}
		if err != nil {
			return fail(regression.Unusable, "%v", err)
		}
		texts[i] = regression.Text{Name: name, Data: data}
	}
	rep := regression.Judge(texts[0], texts[1], o)
	h.Judge(rep, texts[1])
	if err := rep.Publish(stdout, *summary); err != nil {
		return fail(regression.Unusable, "%v", err)
	}
	return int(rep.Status)
}

// add adds files to the history in a branch. It returns the exit status.
func add(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("gate add", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: gate add [flags] remote file...")
		flags.PrintDefaults()
	}
	branch := flags.String("branch", history.Branch, "the `branch` of the history")
	if status, ok := argument.Parse(flags, args, "remote", "file..."); !ok {
		return status
	}
	if err := addFiles(stdout, *branch, flags.Args()); err != nil {
		fmt.Fprintf(stderr, "gate add: %v\n", err)
		return int(regression.Unusable)
	}
	return 0
}

// addFiles adds files, the names of which follow that of the remote.
func addFiles(stdout io.Writer, branch string, args []string) error {
	var entries []*history.Entry
	for _, name := range args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		e, err := history.Parse(regression.Text{Name: name, Data: data})
		if err != nil {
			return err
		}
		for i, other := range entries {
			if other.Path() == e.Path() {
				return fmt.Errorf("%s and %s: have the same commit and machine, want one of them", args[1+i], name)
			}
		}
		entries = append(entries, e)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	changed, err := history.Add(ctx, args[0], branch, entries)
	if err != nil {
		return err
	}
	for _, e := range entries {
		fmt.Fprintln(stdout, e.Path())
	}
	if !changed {
		fmt.Fprintf(stdout, "the branch %s had all of it\n", branch)
	}
	return nil
}
