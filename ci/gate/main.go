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
// the last line of the output also names the status, and lines above it the reasons. Build the command to see its exit
// status: go run replaces every status except 0 by 1.
//
// With -history folder, the command also judges head by earlier commits on its machine, which
// shows many small losses that add up. A machine without history is no fault. Once a loss has been
// accepted, -after with the time of its commit leaves out what was faster. The command
//
//	../gate add origin head.txt
//
// adds a file to such a history, the branch bench of a remote, as package history documents.
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
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: gate [flags] base.txt head.txt\n       gate add remote file...")
		flags.PrintDefaults()
	}
	loss := regression.Flag(flags)
	var h history.Source
	h.Flags(flags)
	summary := flags.String("summary", "", "append the report to this `file` in Markdown")
	if status, ok := argument.Parse(flags, args, "base.txt", "head.txt"); !ok {
		return status
	}
	texts, err := read(flags.Args())
	if err == nil {
		rep := regression.Judge(texts[0], texts[1], *loss)
		h.Judge(rep, texts[1])
		if err = rep.Publish(stdout, *summary); err == nil {
			return int(rep.Status())
		}
	}
	fmt.Fprintf(stderr, "gate: %v\n", err)
	if _, missing := os.Stat(flags.Arg(0)); errors.Is(missing, fs.ErrNotExist) {
		return int(regression.Missing)
	}
	return int(regression.Unusable)
}

// read reads files of benchmark text.
func read(names []string) (texts []regression.Text, err error) {
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, regression.Text{Name: name, Data: data})
	}
	return texts, nil
}

// add adds files to the history. It returns the exit status.
func add(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("gate add", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprintln(stderr, "usage: gate add remote file...") }
	if status, ok := argument.Parse(flags, args, "remote", "file..."); !ok {
		return status
	}
	if err := addFiles(stdout, flags.Arg(0), flags.Args()[1:]); err != nil {
		fmt.Fprintf(stderr, "gate add: %v\n", err)
		return int(regression.Unusable)
	}
	return 0
}

// addFiles adds files to the history in a branch of remote, and prints where they are there.
func addFiles(stdout io.Writer, remote string, names []string) error {
	texts, err := read(names)
	if err != nil {
		return err
	}
	var entries []*history.Entry
	for _, text := range texts {
		e, err := history.Parse(text)
		if err != nil {
			return err
		}
		entries = append(entries, e)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := history.Add(ctx, remote, entries); err != nil {
		return err
	}
	for _, e := range entries {
		fmt.Fprintln(stdout, e.Path())
	}
	return nil
}
