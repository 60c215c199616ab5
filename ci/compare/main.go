package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"pushdown/ci/gate/history"
	"pushdown/ci/gate/regression"
	"pushdown/ci/gate/trial"
	"pushdown/harness/argument"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(status)
}

// settings are the arguments and flags of the command line.
type settings struct {
	base, head string   // revisions
	packages   []string // patterns, as for the go command
	bench      string
	benchtime  string
	rounds     int           // number of rounds before the noise is first estimated
	most       int           // maximum number of rounds of a benchmark
	timeout    time.Duration // time limit of a process
	out        string
	summary    string
	dirty      bool
	gate       regression.Options
	history    history.Source
}

// iterations matches a number of iterations of -benchtime.
var iterations = regexp.MustCompile(`^[1-9][0-9]*x$`)

// parse reads the command line. If it returns neither settings nor an error, it has printed why,
// and status is the exit status.
func parse(stderr io.Writer, args []string) (s *settings, status int, err error) {
	s = &settings{gate: regression.Standard}
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: compare [flags] base head [packages]")
		flags.PrintDefaults()
	}
	flags.StringVar(&s.bench, "bench", ".", "run the benchmarks that match this `pattern`, as for go test")
	flags.StringVar(&s.benchtime, "benchtime", "100ms", "time or number of iterations of a sample, as for go test")
	flags.IntVar(&s.rounds, "rounds", 16, "`samples` of each benchmark and side before the noise is estimated")
	flags.IntVar(&s.most, "most", 160, "take at most this many `samples` of a benchmark and side")
	flags.DurationVar(&s.timeout, "timeout", 10*time.Minute, "time limit of a sample, and of the first run of a package's benchmarks")
	flags.StringVar(&s.out, "out", "", "keep base.txt and head.txt in this `folder`")
	flags.StringVar(&s.summary, "summary", "", "append the report to this `file` in Markdown")
	flags.BoolVar(&s.dirty, "dirty", false, "ignore changes that are not committed")
	s.gate.Flags(flags)
	s.history.Flags(flags)
	if status, ok := argument.Parse(flags, args, "base", "head", "[package...]"); !ok {
		return nil, status, nil
	}
	s.base, s.head, s.packages = flags.Arg(0), flags.Arg(1), flags.Args()[2:]
	if len(s.packages) == 0 {
		s.packages = []string{"."}
	}
	if _, err := regexp.Compile(s.bench); err != nil {
		return nil, 0, fmt.Errorf("have -bench %q, want a regular expression: %w", s.bench, err)
	}
	if d, err := time.ParseDuration(s.benchtime); !iterations.MatchString(s.benchtime) && (err != nil || d <= 0) {
		return nil, 0, fmt.Errorf("have -benchtime %q, want a time such as 100ms or a number of iterations such as 10x", s.benchtime)
	}
	if s.rounds < trial.Rounds {
		return nil, 0, fmt.Errorf("have -rounds %d, want at least %d", s.rounds, trial.Rounds)
	}
	if s.most < s.rounds {
		return nil, 0, fmt.Errorf("have -rounds %d and -most %d, want -most %d or more, or lower -rounds", s.rounds, s.most, s.rounds)
	}
	return s, 0, errors.Join(s.gate.Check(), s.history.Check())
}

// A statusError is an error with the exit status that the command returns for it.
type statusError struct {
	status regression.Status
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }

func (e *statusError) Unwrap() error { return e.err }

// run runs the command and returns its exit status.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	s, status, err := parse(stderr, args)
	if s == nil && err == nil {
		return status
	}
	var rep *regression.Report
	if err == nil {
		rep, err = compare(ctx, stderr, s)
	}
	if err == nil {
		err = rep.Publish(stdout, s.summary)
	}
	if err == nil {
		return int(rep.Status)
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted: nothing is judged")
	}
	fmt.Fprintf(stderr, "compare: %v\n", err)
	var e *statusError
	if errors.As(err, &e) {
		return int(e.status)
	}
	return int(regression.Unusable)
}

// compare builds both commits, runs their benchmarks in turn and judges the results.
func compare(ctx context.Context, progress io.Writer, s *settings) (rep *regression.Report, err error) {
	repo, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.leave(temp)) }()
	for i := range names {
		if err := repo.checkOut(ctx, temp, i); err != nil {
			return nil, err
		}
	}
	if err := sameToolchain(ctx, folder(temp, 1)); err != nil {
		return nil, err
	}
	m := measurement{settings: s, progress: progress}
	for i := range names {
		fmt.Fprintf(progress, "building %s, %s\n", names[i], repo.commits[i])
		if m.sides[i], err = build(ctx, s, temp, i, repo.commits[i]); err != nil {
			return nil, err
		}
	}
	if base, head := m.sides[0].toolchain, m.sides[1].toolchain; base != head {
		return nil, &statusError{regression.Environment, fmt.Errorf("toolchain: have %s for base and %s for head, want the same", base, head)}
	}
	if s.out != "" {
		if err := os.MkdirAll(s.out, 0o777); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, m.keep()) }()
	}
	if rep, err = m.measure(ctx); err == nil {
		s.history.Judge(rep, m.text(1))
	}
	return rep, err
}
