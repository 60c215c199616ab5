package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pushdown/harness/argument"
	"pushdown/harness/suite"
	"pushdown/suites"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

func run(stdout, stderr io.Writer, args []string) int {
	if len(args) == 0 || args[0] != "merge" {
		fmt.Fprintf(stderr, "cluster: have the arguments %q, want merge, its flags and folders\n", args)
		return 2
	}
	flags := flag.NewFlagSet("cluster merge", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "the state `folder` that gets the results")
	name := flags.String("suite", "", "the `suite` of the results, or several, separated by commas")
	scale := flags.String("scale", "paper", "the `scale` of the results: smoke, ci or paper")
	match := flags.String("match", "", "a `regexp`: only the runs whose names it matches must be there")
	partial := flags.Bool("partial", false, "merge although results are missing")
	if status, ok := argument.Parse(flags, args[1:], "[folder...]"); !ok {
		return status
	}
	var m *merger
	var err error
	switch inside := regexp.MustCompile(`(^|/)contract-\d+(/results)?$`); {
	case *out == "":
		err = errors.New("-o: have no folder, want one for the results")
	case inside.MatchString(filepath.ToSlash(filepath.Clean(*out))):
		err = fmt.Errorf("-o: have %s, want the state folder that it is in", *out)
	default:
		m, err = newMerger(*name, suite.Scale(*scale), *match) // builds all experiments, which takes a while
	}
	if err != nil {
		fmt.Fprintln(stderr, "cluster:", err)
		return 2
	}
	refused, err := m.merge(*out, flags.Args(), *partial)
	for _, note := range m.notes {
		fmt.Fprintln(stdout, note)
	}
	if err != nil {
		fmt.Fprintln(stderr, "cluster:", err)
		return 1
	}
	fmt.Fprintf(stdout, "%d of %d results are there, %d were copied to %s\n", m.there(), len(m.wanted), m.copied, *out)
	for _, r := range refused {
		fmt.Fprintln(stderr, "cluster:", r)
	}
	return min(len(refused), 1)
}

// newMerger parses the suites, the scale and the pattern of wanted runs.
func newMerger(names string, scale suite.Scale, match string) (*merger, error) {
	if !slices.Contains([]suite.Scale{suite.Smoke, suite.CI, suite.Paper}, scale) {
		return nil, fmt.Errorf("-scale: have %q, want smoke, ci or paper", scale)
	}
	pattern, err := regexp.Compile(match)
	if err != nil {
		return nil, fmt.Errorf("-match: %w", err)
	}
	m := &merger{known: map[string]suite.Expected{}, wanted: map[string]bool{}, found: map[string]string{}, seen: map[string]bool{}}
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(suites.All, func(s *suite.Suite) bool { return s.Name == name })
		if i < 0 {
			var have []string
			for _, s := range suites.All {
				have = append(have, s.Name)
			}
			return nil, fmt.Errorf("-suite: have %q, want one of %s", name, strings.Join(have, ", "))
		}
		list, err := suites.All[i].Experiments(scale)
		if err != nil {
			return nil, err
		}
		for hash, run := range list {
			m.known[hash] = run
		}
	}
	for _, hash := range slices.Collect(maps.Keys(m.known)) {
		if pattern.MatchString(string(m.known[hash].Name)) {
			m.wanted[hash] = true
		}
	}
	if len(m.wanted) == 0 {
		return nil, fmt.Errorf("-match: have %q, want a pattern that matches runs of %s at scale %s", match, names, scale)
	}
	return m, nil
}
