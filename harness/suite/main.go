package suite

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pushdown/harness/argument"
	"pushdown/harness/golden"
)

// Main is the TestMain of a suite. It reads the environment, runs the tests and exits.
// If benchmarks run, it first prints their Unit lines, which tell benchstat the
// properties of their units. If an argument remains after the flags, the environment is
// invalid, or -timeout is too short for a run to save its state, it exits with status 2
// before any test runs. If a signal ends the process before its tests pass, the exit status
// is 75.
func Main(m *testing.M, units ...golden.Unit) {
	os.Exit(run(m, units, func() error { return nil }))
}

// run does what Main documents and returns the exit status. If the function check, which is
// called after the tests, returns an error, the tests have failed.
func run(m *testing.M, units []golden.Unit, check func() error) int {
	if err := argument.Tests(); err != nil {
		return refuse(err)
	}
	if _, err := current(); err != nil {
		return refuse(err)
	}
	if whole := timeout(); whole > 0 && whole < leastTimeout {
		return refuse(fmt.Errorf("-timeout: have %v, want at least %v, or 0 for no limit: a run needs that long to save its state", whole, leastTimeout))
	}
	if value("test.bench") != "" && value("test.list") == "" {
		if err := printUnits(os.Stdout, units); err != nil {
			return refuse(err)
		}
	}
	status := m.Run()
	if signalled() == "" { // otherwise the last lines say how to go on
		fmt.Fprint(os.Stderr, summary(failures.tests))
	}
	if err := check(); err != nil {
		refuse(err)
		status = max(status, 1)
	}
	if status != 0 && signalled() != "" {
		return interruptedStatus
	}
	return status
}

// leastTimeout is the shortest -timeout that Main accepts. A run must build its experiment
// before it can stop; with a shorter timeout, package testing would panic in that time.
const leastTimeout = time.Second

// refuse prints the errors that keep the tests from running, one on each line. It
// returns the exit status of the process.
func refuse(err error) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(os.Stderr, "pushdown: %s\n", strings.TrimSuffix(line, "\n"))
	}
	return 2
}

// value returns the value of a flag.
func value(name string) string { return flag.Lookup(name).Value.String() }

// printUnits prints the Unit lines that benchstat reads, sorted by the name of the
// unit.
func printUnits(w io.Writer, units []golden.Unit) error {
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b golden.Unit) int { return strings.Compare(a.Name, b.Name) })
	for i, u := range units {
		if i > 0 && units[i-1].Name == u.Name {
			return fmt.Errorf("unit %s: have it twice, want it once", u.Name)
		}
		u.Clock = false // benchstat does not know it
		if _, err := fmt.Fprintln(w, u); err != nil {
			return err
		}
	}
	return nil
}
