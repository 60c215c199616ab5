package suite

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
)

// Main is the TestMain of a suite: it reads the environment, prints the Unit
// lines of the suite's benchmarks if benchmarks run, runs the tests and exits.
// A wrong environment ends it with status 2 before any test.
func Main(m *testing.M, units ...golden.Unit) {
	if !flag.Parsed() {
		flag.Parse()
	}
	if _, err := current(); err != nil {
		os.Exit(refuse(os.Stderr, err))
	}
	if benchmarksRun() {
		if err := printUnits(os.Stdout, units); err != nil {
			os.Exit(refuse(os.Stderr, err))
		}
	}
	os.Exit(m.Run())
}

// refuse prints why nothing runs, a fault per line, and returns the exit
// status.
func refuse(w io.Writer, err error) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "pushdown: %s\n", strings.TrimSuffix(line, "\n"))
	}
	return 2
}

// benchmarksRun reports whether the command line asks for benchmarks to run.
func benchmarksRun() bool {
	value := func(name string) string {
		if f := flag.Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	return value("test.bench") != "" && value("test.list") == ""
}

// printUnits prints the lines that tell benchstat what each unit is, by name.
func printUnits(w io.Writer, units []golden.Unit) error {
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b golden.Unit) int { return strings.Compare(a.Name, b.Name) })
	for i, u := range units {
		if err := checkUnit(u.Name); err != nil {
			return err
		}
		if i > 0 && units[i-1].Name == u.Name {
			return fmt.Errorf("unit %s: have it twice, want it once", u.Name)
		}
		line := "Unit " + u.Name
		switch u.Better {
		case "higher", "lower":
			line += " better=" + u.Better
		case "":
		default:
			return fmt.Errorf("unit %s: better: have %q, want higher, lower or nothing", u.Name, u.Better)
		}
		if u.Exact {
			line += " assume=exact"
		}
		if u.Better == "" && !u.Exact {
			return fmt.Errorf("unit %s: have neither a better direction nor exact, want one", u.Name)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
