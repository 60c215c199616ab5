// Command score scores what a model made elsewhere predicts for the strings of a row, and shows the
// result beside what the paper prints and what our own runs are.
//
//	go run ./ci/score -data dir predictions.jsonl
//
// The folder is one that command export has written. Package exchange describes the files of predictions,
// and manifest.json says what a record must hold and how each metric is defined. With several files, one
// for each seed of the model, the command shows their mean and standard deviation, or the best if the
// paper prints a best.
//
// Before it scores anything, the command draws the strings of the row again and refuses a folder that has
// others, and it reads all predictions and refuses them with the file, the line and the field of
// the first fault. The metrics come from the code that measures our own networks. The exit status is 1
// if something is refused and 2 for wrong arguments.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"pushdown/harness/argument"
	"pushdown/harness/disk"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("score", flag.ContinueOnError)
	flags.SetOutput(stderr)
	data := flags.String("data", "", "the `folder` of the data set")
	if status, ok := argument.Parse(flags, args, "file..."); !ok {
		return status
	}
	if *data == "" {
		fmt.Fprintln(stderr, "score: -data: have no folder, want one that command export has written")
		return 2
	}
	text, err := score(*data, flags.Args())
	if err != nil {
		fmt.Fprintln(stderr, "score:", err)
		return 1
	}
	fmt.Fprint(stdout, text)
	return 0
}

// score returns the table for the files of predictions.
func score(folder string, files []string) (string, error) {
	m, err := exchange.ReadManifest(folder)
	if err != nil {
		return "", err
	}
	of, row, err := exchange.Find(suites.All, m.Suite, suite.Scale(m.Scale), string(m.Row))
	if err != nil {
		return "", fmt.Errorf("%s: %w", folder, err)
	}
	set, err := row.Exchange()
	if err != nil {
		return "", err
	}
	if err := set.Check(folder, m); err != nil {
		return "", err
	}
	theirs := &golden.File{Suite: m.Suite, Scale: m.Scale}
	for _, x := range set.Metrics {
		at := slices.IndexFunc(of.Units, func(u suite.Unit) bool { return u.Name == x.Unit })
		theirs.Units = append(theirs.Units, of.Units[at].Unit)
	}
	for i, name := range files {
		values, err := scoreFile(set, m.Data, name)
		if err != nil {
			return "", err
		}
		theirs.Rows = append(theirs.Rows, golden.Row{Name: m.Row.WithSeed(i + 1), Values: values})
	}
	ours, err := of.Golden(suite.Scale(m.Scale))
	if errors.Is(err, fs.ErrNotExist) {
		ours, err = &golden.File{Suite: m.Suite, Scale: m.Scale}, nil
	}
	if err != nil {
		return "", err
	}
	results := verdict.NewResults([]*golden.File{ours})
	return fmt.Sprintf("%s, scale %s\n%s", m.Row, m.Scale, verdict.External(results, ours, theirs, m.Row)), nil
}

// scoreFile scores a file of predictions.
func scoreFile(set *exchange.Set, data, name string) ([]golden.Value, error) {
	f, err := disk.FS{}.Open(name)
	if err != nil {
		return nil, err
	}
	p, err := exchange.Read(f, name, set, data)
	if err = cmp.Or(err, f.Close()); err != nil {
		return nil, err
	}
	values, err := set.Score(p)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return values, err
}
