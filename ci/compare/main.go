package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
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
	revisions [2]string
	packages  []string // patterns, as for the go command
	bench     string
	benchtime string
	most      int           // maximum number of rounds of a benchmark
	timeout   time.Duration // time limit of a process
	out       string
	summary   string
	dirty     bool
	loss      *float64
	history   history.Source
}

// first is the number of rounds before the noise is first estimated.
const first = 16

// parse reads the command line. If it returns no settings, it has printed why, and status is the
// exit status.
func parse(stderr io.Writer, args []string) (s *settings, status int) {
	s = &settings{}
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: compare [flags] base head [packages]")
		flags.PrintDefaults()
	}
	flags.StringVar(&s.bench, "bench", ".", "run the benchmarks that match this `pattern`, as for go test")
	flags.StringVar(&s.benchtime, "benchtime", "100ms", "time or number of iterations of a sample, as for go test")
	flags.IntVar(&s.most, "most", 160, "take at most this many `samples` of a benchmark and side")
	flags.DurationVar(&s.timeout, "timeout", 10*time.Minute, "time limit of a sample, and of the first run of a package's benchmarks")
	flags.StringVar(&s.out, "out", "", "keep base.txt and head.txt in this `folder`")
	flags.StringVar(&s.summary, "summary", "", "append the report to this `file` in Markdown")
	flags.BoolVar(&s.dirty, "dirty", false, "ignore changes that are not committed")
	s.loss = regression.Flag(flags)
	s.history.Flags(flags)
	if status, ok := argument.Parse(flags, args, "base", "head", "[package...]"); !ok {
		return nil, status
	}
	if s.most < trial.Rounds {
		fmt.Fprintf(stderr, "compare: have -most %d, want at least %d\n", s.most, trial.Rounds)
		return nil, int(regression.Unusable)
	}
	s.revisions, s.packages = [2]string{flags.Arg(0), flags.Arg(1)}, flags.Args()[2:]
	if len(s.packages) == 0 {
		s.packages = []string{"."}
	}
	return s, 0
}

// run runs the command and returns its exit status.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	s, status := parse(stderr, args)
	if s == nil {
		return status
	}
	rep, err := compare(ctx, stderr, s)
	if err == nil {
		err = rep.Publish(stdout, s.summary)
	}
	if err == nil {
		return int(rep.Status())
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted: nothing is judged")
	}
	fmt.Fprintf(stderr, "compare: %v\n", err)
	if errors.As(err, new(noBase)) {
		return int(regression.Missing)
	}
	return int(regression.Unusable)
}

// compare builds both commits, runs their benchmarks in turn and judges the results.
func compare(ctx context.Context, progress io.Writer, s *settings) (rep *regression.Report, err error) {
	commits, err := resolve(ctx, s)
	if err == nil && !s.dirty {
		err = clean(ctx, commits)
	}
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave(temp)) }()
	for i, name := range names {
		if err := checkOut(ctx, filepath.Join(temp, name), commits[i]); err != nil {
			return nil, err
		}
	}
	if err := sameToolchain(ctx, filepath.Join(temp, names[1])); err != nil {
		return nil, err
	}
	m := measurement{settings: s, progress: progress}
	for i, name := range names {
		fmt.Fprintf(progress, "building %s, %s\n", name, commits[i])
		if err := m.sides[i].build(ctx, s, filepath.Join(temp, name), commits[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if s.out != "" {
		if err := os.MkdirAll(s.out, 0o777); err != nil {
			return nil, err
		}
		defer func() {
			for i := range names {
				err = errors.Join(err, os.WriteFile(filepath.Join(s.out, m.text(i).Name), m.text(i).Data, 0o666))
			}
		}()
	}
	if rep, err = m.measure(ctx); err == nil {
		s.history.Judge(rep, m.text(1))
	}
	return rep, err
}
