package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// trial is the number of executions that measure the speed of a target.
const trial = 200

// repeats is the least number of executions of a slice for each input of the corpus. Each
// slice begins with one execution of every input.
const repeats = 5

// unguided lists the targets whose inputs are the seeds of a random generator. A seed next
// to one that reached new code gives an unrelated case, so these targets run without
// coverage instrumentation. They keep no corpus, and are several times as fast.
var unguided = []string{"harness/scan.FuzzGradients", "harness/scan.FuzzSteps"}

// A target is a fuzz target, with what its runs have done so far. A run of it is a run of one slice.
type target struct {
	folder string // of the package, relative to the root of the module, with forward slashes
	name   string // of the function
	binary string // the path of its test binary

	executions  int
	took        time.Duration
	interesting int // inputs that reached new code
	corpus      int // inputs from which the last run started, and those that it found
	failures    int // no run follows one
}

func (t *target) String() string { return t.folder + "." + t.name }

// speed returns the number of executions per second.
func (t *target) speed() float64 { return float64(t.executions) / max(t.took.Seconds(), 1e-9) }

// A fuzzer runs targets until they have made n executions.
type fuzzer struct {
	w        io.Writer
	n        int
	parallel int
	slice    time.Duration
	only     *regexp.Regexp

	root, cache string // absolute paths
	binaries    string // folder of the test binaries
	targets     []*target
}

// run runs the targets of the module around a folder, and reports whether none has failed.
func (f *fuzzer) run(folder, cache string) (ok bool, err error) {
	root, err := f.goCommand(folder, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return false, err
	}
	if f.root = strings.TrimSpace(root); f.root == "" {
		return false, fmt.Errorf("%s: have no go.mod in it or above, want the repository", folder)
	}
	if f.cache, err = filepath.Abs(cache); err != nil {
		return false, err
	}
	if err := f.find(); err != nil {
		return false, err
	}
	if f.binaries, err = os.MkdirTemp("", "fuzz"); err != nil {
		return false, err
	}
	defer os.RemoveAll(f.binaries)
	for _, t := range f.targets { // all before the first run, which may take long
		if err := f.build(t); err != nil {
			return false, err
		}
	}
	for t, n := f.next(); t != nil; t, n = f.next() {
		if err := f.fuzz(t, n); err != nil {
			return false, err
		}
	}
	f.report()
	return !slices.ContainsFunc(f.targets, func(t *target) bool { return t.failures > 0 }), nil
}

// goCommand runs the go command in a folder and returns what it prints.
func (f *fuzzer) goCommand(folder string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out.Bytes(), complaint.Bytes())
	}
	return out.String(), nil
}

// function matches the first line of a fuzz target.
var function = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)

// find finds the targets in the test files of all packages.
func (f *fuzzer) find() error {
	list, err := f.goCommand(f.root, "list", "-f", `{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}{{"\t"}}{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$d}}{{"\t"}}{{.}}{{"\n"}}{{end}}`, "./...")
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		dir, base, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		folder, err := filepath.Rel(f.root, dir)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, base))
		if err != nil {
			return err
		}
		for _, m := range function.FindAllSubmatch(text, -1) {
			if t := (&target{folder: filepath.ToSlash(folder), name: string(m[1])}); f.only.MatchString(t.String()) {
				f.targets = append(f.targets, t)
			}
		}
	}
	if len(f.targets) == 0 {
		return fmt.Errorf("%s: have no fuzz target that matches %q, want one or more", f.root, f.only)
	}
	slices.SortFunc(f.targets, func(a, b *target) int { return cmp.Compare(a.String(), b.String()) })
	return nil
}

func (f *fuzzer) sum() (n int) {
	for _, t := range f.targets {
		n += t.executions
	}
	return n
}

// next returns the target whose turn it is and the number of executions that it makes. It
// returns nil if nothing is left to do. The last slice may go beyond the sum asked for,
// because no slice is shorter than the corpus allows. A target without executions comes first, then the
// one that has run for the shortest time.
func (f *fuzzer) next() (t *target, executions int) {
	missing, speed := f.n-f.sum(), 0.0
	for _, x := range f.targets {
		if x.failures > 0 {
			continue
		}
		speed += x.speed()
		if t == nil || x.took < t.took {
			t = x
		}
	}
	switch {
	case missing <= 0 || t == nil:
		return nil, 0
	case t.executions == 0:
		return t, max(1, repeats*t.corpus, min(missing, trial, f.n/len(f.targets)))
	}
	seconds := min(f.slice.Seconds(), max(1, float64(missing)/speed)) // at the end, the rest is divided among all
	return t, max(1, repeats*t.corpus, min(missing, int(seconds*t.speed())))
}

// status matches the lines in which package testing reports the state of fuzzing.
var status = regexp.MustCompile(`(?m)^fuzz: elapsed: \S+, execs: (\d+) \(\d+/sec\)(?:, new interesting: (\d+) \(total: (\d+)\))?$`)

// baseline matches the lines that say how many inputs the corpus has.
var baseline = regexp.MustCompile(`(?m)^fuzz: elapsed: \S+, gathering baseline coverage: \d+/(\d+) completed`)

// written matches the line that says where package testing has written a failing input.
var written = regexp.MustCompile(`(?m)^\s*Failing input written to (\S+)$`)

// build builds the test binary of a target, unless another target has built it.
func (f *fuzzer) build(t *target) error {
	name, args := strings.ReplaceAll(t.folder, "/", "_")+".test", []string{"test", "-c"}
	if slices.Contains(unguided, t.String()) {
		name = "unguided_" + name
	} else {
		args = append(args, "-fuzz", ".") // instruments the code
	}
	t.binary = filepath.Join(f.binaries, name)
	if _, err := os.Stat(t.binary); err == nil {
		return nil
	}
	_, err := f.goCommand(f.root, append(args, "-o", t.binary, "./"+t.folder)...)
	return err
}

// fuzz makes a number of executions of a target.
func (f *fuzzer) fuzz(t *target, executions int) error {
	args := []string{"-test.run=^$", "-test.fuzz=^" + t.name + "$", "-test.fuzztime=" + strconv.Itoa(executions) + "x",
		"-test.fuzzcachedir=" + filepath.Join(f.cache, filepath.FromSlash(t.folder)), "-test.fuzzminimizetime=1000x",
		"-test.timeout=" + max(10*time.Minute, 20*f.slice).String()}
	if f.parallel > 0 {
		args = append(args, "-test.parallel="+strconv.Itoa(f.parallel))
	}
	cmd := exec.Command(t.binary, args...)
	cmd.Dir = filepath.Join(f.root, filepath.FromSlash(t.folder))
	began := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(began)
	made, interesting := 0, 0
	if m := status.FindAllSubmatch(out, -1); len(m) > 0 {
		last := m[len(m)-1]
		made, interesting, t.corpus = number(last[1]), number(last[2]), number(last[3])
	}
	t.executions, t.interesting, t.took = t.executions+made, t.interesting+interesting, t.took+took
	fmt.Fprintf(f.w, "%v: %d executions in %.1f s, %d inputs reached new code; %d of %d\n", t, made, took.Seconds(), interesting, f.sum(), f.n)
	switch exit := (*exec.ExitError)(nil); {
	case errors.As(err, &exit):
		t.failures++
		f.failure(t, out)
	case err != nil:
		return err
	case made == 0:
		if m := baseline.FindSubmatch(out); m != nil {
			t.corpus = number(m[1])
		}
		if t.corpus < executions { // otherwise the repeated inputs have used up all; the next slice is longer
			return fmt.Errorf("%v: have no executions, want %d:\n%s", t, executions, out)
		}
	}
	return nil
}

func number(digits []byte) int {
	n, _ := strconv.Atoi(string(digits)) // digits that status has matched, or nothing
	return n
}

// failure prints the error of a target, and the command that commits the failing input.
func (f *fuzzer) failure(t *target, out []byte) {
	var text strings.Builder
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "fuzz: ") {
			text.WriteString("\t" + line)
		}
	}
	fmt.Fprintf(f.w, "%v: failed:\n%s", t, text.String())
	m := written.FindSubmatch(out)
	if m == nil {
		fmt.Fprintf(f.w, "%v: no new input is written; a seed fails, or the process was killed:\n\tgo test -run '^%s$' ./%s\n", t, t.name, t.folder)
		return
	}
	file := t.folder + "/" + filepath.ToSlash(string(m[1]))
	fmt.Fprintf(f.w, "to commit the input as a seed:\n\tgit add %s && git commit -m '%s: add a failing input of %s' %s\n",
		file, t.folder[strings.LastIndexByte(t.folder, '/')+1:], t.name, file)
}

// report prints a table of the targets and their sum.
func (f *fuzzer) report() {
	w := tabwriter.NewWriter(f.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "target\texecutions\tper second\tnew\tcorpus\tfailures\t\n")
	print := func(name string, t *target) {
		fmt.Fprintf(w, "%s\t%d\t%.0f\t%d\t%d\t%d\t\n", name, t.executions, t.speed(), t.interesting, t.corpus, t.failures)
	}
	sum := target{}
	for _, t := range f.targets {
		print(t.String(), t)
		sum.executions, sum.took, sum.interesting = sum.executions+t.executions, sum.took+t.took, sum.interesting+t.interesting
		sum.corpus, sum.failures = sum.corpus+t.corpus, sum.failures+t.failures
	}
	print("sum", &sum)
	w.Flush()
}
