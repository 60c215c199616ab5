// Command score scores what a model made elsewhere predicts for the strings of a row, and shows the
// result beside what the paper prints and what our own runs are.
//
//	go run ./ci/score -data dir predictions.jsonl
//
// The folder is one that command export has written. Package exchange describes the files of predictions,
// and manifest.json says what a record must hold and how each metric is defined. With several files, one
// for each seed of the model, the command shows their mean and standard deviation or, if the
// paper prints a best of k, the median of the bests of k of them, and of fewer the best. All must have the same metrics.
//
// Before it scores anything, the command draws the strings of the row again and refuses a folder that has
// others, and it reads all predictions and refuses them with the file, the line and the field of
// the first fault. The metrics come from the code that measures our own networks. A file whose name ends with .npy is an
// array of NumPy, for rows where a record has one list of numbers: models of texts and the syntactic test set.
//
//	go run ./ci/score -data dir -o golden/external/name.json -who W -framework F -link L predictions.jsonl
//
// This also writes what was measured to a new file, for a row at the scale of the paper. Command pages then
// shows it below the table of the row, as external. It is no golden file: nothing counts it, and no test trains it
// again. The link is an address that begins with https://, or the path of a file in the repository.
//
//	go run ./ci/score -data dir -check golden/external/name.json predictions.jsonl
//
// This looks whether the predictions are those of a kept result, in the same order, and have its values to the last digit.
//
// The exit status is 1
// if something is refused and 2 for wrong arguments.
package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pushdown/ci/git"
	"pushdown/harness/argument"
	"pushdown/harness/disk"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("score", flag.ContinueOnError)
	flags.SetOutput(stderr)
	data := flags.String("data", "", "the `folder` of the data set")
	out := flags.String("o", "", "a new `file` in golden/external that keeps the result")
	check := flags.String("check", "", "a `file` in golden/external whose result this must be")
	var kept exchange.External
	flags.StringVar(&kept.Who, "who", "", "with -o, `who` made the model")
	flags.StringVar(&kept.Framework, "framework", "", "with -o, the `framework` with its version")
	flags.StringVar(&kept.Link, "link", "", "with -o, a `link` to the model: https://... or a file of the repository")
	if status, ok := argument.Parse(flags, args, "file..."); !ok {
		return status
	}
	if *data == "" {
		fmt.Fprintln(stderr, "score: -data: have no folder, want one that command export has written")
		return 2
	}
	if *out == "" && kept.Who+kept.Framework+kept.Link != "" {
		fmt.Fprintln(stderr, "score: have -who, -framework or -link without -o, want it")
		return 2
	}
	text, err := score(*data, flags.Args(), *out, *check, &kept)
	if err != nil {
		fmt.Fprintln(stderr, "score:", err)
		return 1
	}
	fmt.Fprint(stdout, text)
	return 0
}

// score returns the table for the files of predictions. It completes kept, and writes it to the file
// out, and compares it with the file check, unless these names are empty.
func score(folder string, files []string, out, check string, kept *exchange.External) (string, error) {
	m, err := exchange.ReadManifest(folder)
	if err != nil {
		return "", err
	}
	if err := golden.CheckModule(); err != nil {
		return "", err
	}
	of, row, err := exchange.Find(suites.All, m.Suite, suite.Scale(m.Scale), string(m.Row))
	if err != nil {
		return "", fmt.Errorf("%s: %w", folder, err)
	}
	if out != "" && m.Scale != string(suite.Paper) {
		return "", fmt.Errorf("-o: have scale %s, want paper: the others mean nothing", m.Scale)
	}
	if out != "" {
		if err := checkNew(out, kept.Link); err != nil {
			return "", fmt.Errorf("-o %s: %w", out, err)
		}
	}
	set, err := row.Exchange()
	if err != nil {
		return "", err
	}
	if err := set.Check(folder, m); err != nil {
		return "", err
	}
	origin := golden.Here("")
	kept.Suite, kept.Row, kept.Data = m.Suite, m.Row, m.Data
	kept.Contract, kept.Commit, kept.Date = kernel.ContractVersion, cmp.Or(git.Source(), origin.Commit), origin.Date
	for _, name := range files {
		run, err := scoreFile(set, m.Data, name)
		if err != nil {
			return "", err
		}
		if at := slices.IndexFunc(kept.Runs, func(r exchange.ExternalRun) bool { return r.Predictions == run.Predictions }); at >= 0 {
			return "", fmt.Errorf("%s: have the same bytes as %s, want a file of another run for each argument", name, files[at])
		}
		if len(kept.Runs) > 0 {
			if have, want := slices.Sorted(maps.Keys(run.Values)), slices.Sorted(maps.Keys(kept.Runs[0].Values)); !slices.Equal(have, want) {
				return "", fmt.Errorf("%s: have values of %q, want %q as %s has", name, have, want, files[0])
			}
		}
		kept.Runs = append(kept.Runs, run)
	}
	if check != "" {
		want, err := exchange.ReadExternal(os.DirFS(filepath.Dir(check)), filepath.Base(check), suites.All)
		if err == nil {
			err = kept.Same(want)
		}
		if err != nil {
			return "", fmt.Errorf("-check %s: %w", check, err)
		}
	}
	theirs := kept.File(of)
	theirs.Scale = m.Scale
	ours, err := of.Golden(suite.Scale(m.Scale))
	if errors.Is(err, fs.ErrNotExist) {
		ours, err = &golden.File{Suite: m.Suite, Scale: m.Scale}, nil
	}
	if err == nil && out != "" {
		err = keep(out, kept)
	}
	if err != nil {
		return "", err
	}
	results := verdict.NewResults([]*golden.File{ours})
	scale := m.Scale
	if scale != string(suite.Paper) {
		scale += ", which is not the paper's: no outcome is shown"
	}
	text := fmt.Sprintf("%s, scale %s\n%s", m.Row, scale, verdict.External(results, ours, theirs, m.Row))
	if check != "" {
		text += "\nthe same as " + check + "\n"
	}
	return text, nil
}

// checkNew returns an error unless a kept result may have the name, which nothing has, and the link is an address or names a file.
func checkNew(name, link string) error {
	folder, err := filepath.Rel(filepath.FromSlash(exchange.ExternalFolder), filepath.Dir(name))
	if err != nil || folder != "." {
		return fmt.Errorf("have a file elsewhere, want one in %s, and to run in the folder that has go.mod", exchange.ExternalFolder)
	}
	if _, err := os.Lstat(name); err == nil {
		return errors.New("have such a file, want a new one")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.FromSlash(link)); err != nil && !strings.HasPrefix(link, "https://") {
		return fmt.Errorf("-link: have %.80q, want https://... or a file of the repository", link)
	}
	return nil
}

// keep writes a result to a new file.
func keep(name string, e *exchange.External) error {
	if _, err := e.Check(filepath.ToSlash(name), suites.All); err != nil {
		return fmt.Errorf("-o %s: %w", name, err)
	}
	text, err := e.Text()
	if err == nil {
		err = disk.MkdirAll(filepath.Dir(name))
	}
	if err != nil {
		return err
	}
	return disk.WriteFile(name, text)
}

// scoreFile scores a file of predictions.
func scoreFile(set *exchange.Set, data, name string) (run exchange.ExternalRun, err error) {
	f, err := disk.FS{}.Open(name)
	if err != nil {
		return run, err
	}
	hash := sha256.New()
	var p *exchange.Predictions
	if from := io.TeeReader(f, hash); strings.HasSuffix(name, ".npy") {
		p, err = exchange.ReadArray(from, name, set)
	} else {
		p, err = exchange.Read(from, name, set, data)
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		return run, err
	}
	values, err := set.Score(p)
	if err != nil {
		return run, fmt.Errorf("%s: %w", name, err)
	}
	run = exchange.ExternalRun{Predictions: hex.EncodeToString(hash.Sum(nil)), Values: map[string]float64{}}
	for _, v := range values {
		if math.IsInf(v.Value, 0) || math.IsNaN(v.Value) {
			return run, fmt.Errorf("%s: %s: have %v, want a finite number: the losses are too large", name, v.Unit, v.Value)
		}
		run.Values[v.Unit] = v.Value
	}
	return run, nil
}
