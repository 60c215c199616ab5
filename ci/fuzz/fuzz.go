package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"pushdown/harness/disk"
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

// A target is a fuzz target. A run of it is a run of one slice.
type target struct {
	folder string // of the package, relative to the root of the module, with forward slashes
	name   string // of the function
	tally
	failed bool
	binary string // the path of its test binary
}

func (t *target) String() string { return t.folder + "." + t.name }

// A tally is what the runs of a target have done so far.
type tally struct {
	Executions  int
	Took        time.Duration
	Interesting int // inputs that reached new code
	Corpus      int // inputs from which the last run started, and those that it found
	Failures    int
}

// speed returns the number of executions per second.
func (t tally) speed() float64 { return float64(t.Executions) / max(t.Took.Seconds(), 1e-9) }

// A fuzzer runs targets until they have made n executions.
type fuzzer struct {
	w        io.Writer
	n        int
	parallel int
	slice    time.Duration
	only     *regexp.Regexp

	root, cache string // absolute paths
	binaries    string // folder of the test binaries
	build256    string // SHA-256 of the test binaries
	targets     []*target
}

// progress is the content of the file progressFile. A run continues another one only if
// everything but the tallies is the same.
type progress struct {
	Executions int    // all that are asked for
	Run        string // the pattern
	Build      string // SHA-256 of the test binaries
	Tallies    map[string]tally
}

const progressFile = "progress.json"

// run runs the targets of the module around a folder, and reports whether none has failed.
func (f *fuzzer) run(folder, cache string) (ok bool, err error) {
	if f.root, err = f.goCommand(folder, "list", "-m", "-f", "{{.Dir}}"); err != nil {
		return false, err
	}
	if f.root = strings.TrimSpace(f.root); f.root == "" {
		return false, fmt.Errorf("%s: have no go.mod in it or above, want the repository", folder)
	}
	if f.cache, err = filepath.Abs(cache); err != nil {
		return false, err
	}
	if err := f.find(); err != nil {
		return false, err
	}
	lock, err := disk.TryLock(filepath.Join(f.cache, ".lock"))
	if err != nil {
		return false, fmt.Errorf("%s: %w, want a folder for this run alone", f.cache, err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	f.binaries = filepath.Join(f.cache, "bin") // a run that was killed leaves them there
	if err := errors.Join(os.RemoveAll(f.binaries), os.MkdirAll(f.binaries, 0o777)); err != nil {
		return false, err
	}
	defer os.RemoveAll(f.binaries)
	for _, t := range f.targets { // all before the first run, which may take long
		if err := f.build(t); err != nil {
			return false, err
		}
	}
	if f.build256, err = f.hashBinaries(); err != nil {
		return false, err
	}
	if err := f.load(); err != nil {
		return false, err
	}
	for t, n := f.next(); t != nil; t, n = f.next() {
		if err := f.fuzz(t, n); err != nil {
			return false, err
		}
		if err := f.save(); err != nil {
			return false, err
		}
	}
	f.report()
	ok = !slices.ContainsFunc(f.targets, func(t *target) bool { return t.Failures > 0 })
	return ok, os.Remove(filepath.Join(f.cache, progressFile))
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
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, base), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
				continue
			}
			if t := (&target{folder: filepath.ToSlash(folder), name: fn.Name.Name}); f.only.MatchString(t.String()) {
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

// hashBinaries returns the SHA-256 of the test binaries.
func (f *fuzzer) hashBinaries() (string, error) {
	h := sha256.New()
	for _, t := range f.targets {
		text, err := os.ReadFile(t.binary)
		if err != nil {
			return "", err
		}
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// load reads the progress of a run with the same arguments and the same code that was killed.
// Targets that failed in it start again from zero executions.
func (f *fuzzer) load() error {
	name := filepath.Join(f.cache, progressFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var p progress
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; delete the file to begin anew, the corpus stays", name, err)
	}
	if p.Executions != f.n || p.Run != f.only.String() || p.Build != f.build256 {
		fmt.Fprintf(f.w, "the run that was interrupted had other arguments or other code: beginning anew, with its corpus\n")
		return nil
	}
	for _, t := range f.targets {
		if before := p.Tallies[t.String()]; before.Failures == 0 {
			t.tally = before
		}
	}
	fmt.Fprintf(f.w, "continuing after %d executions\n", f.sum())
	return nil
}

// save writes the progress of the run.
func (f *fuzzer) save() error {
	p := progress{f.n, f.only.String(), f.build256, map[string]tally{}}
	for _, t := range f.targets {
		p.Tallies[t.String()] = t.tally
	}
	text, err := json.MarshalIndent(p, "", "\t")
	if err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(f.cache, progressFile), text)
}

func (f *fuzzer) sum() (n int) {
	for _, t := range f.targets {
		n += t.Executions
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
		if x.failed {
			continue
		}
		speed += x.speed()
		if t == nil || x.Took < t.Took {
			t = x
		}
	}
	switch {
	case missing <= 0 || t == nil:
		return nil, 0
	case t.Executions == 0:
		return t, max(1, repeats*t.Corpus, min(missing, trial, f.n/len(f.targets)))
	}
	seconds := min(f.slice.Seconds(), max(1, float64(missing)/speed)) // at the end, the rest is divided among all
	return t, max(1, repeats*t.Corpus, min(missing, int(seconds*t.speed())))
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
		made, interesting, t.Corpus = number(last[1]), number(last[2]), number(last[3])
	}
	t.Executions, t.Interesting, t.Took = t.Executions+made, t.Interesting+interesting, t.Took+took
	fmt.Fprintf(f.w, "%v: %d executions in %.1f s, %d inputs reached new code; %d of %d\n", t, made, took.Seconds(), interesting, f.sum(), f.n)
	switch exit := (*exec.ExitError)(nil); {
	case errors.As(err, &exit):
		t.Failures++
		t.failed = true
		f.failure(t, out)
	case err != nil:
		return err
	case made > 0:
	case f.corpus(t, out) >= executions: // the repeated inputs have used up all executions; the next slice is longer
	default:
		return fmt.Errorf("%v: have no executions, want %d:\n%s", t, executions, out)
	}
	return nil
}

// corpus sets the size of the corpus of a target to what the output says, and returns it.
func (f *fuzzer) corpus(t *target, out []byte) int {
	if m := baseline.FindSubmatch(out); m != nil {
		t.Corpus = number(m[1])
	}
	return t.Corpus
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
	sum := tally{}
	for _, t := range append(slices.Clone(f.targets), nil) {
		x, name := sum, "sum"
		if t != nil {
			x, name = t.tally, t.String()
			sum.Executions, sum.Took, sum.Interesting = sum.Executions+t.Executions, sum.Took+t.Took, sum.Interesting+t.Interesting
			sum.Corpus, sum.Failures = sum.Corpus+t.Corpus, sum.Failures+t.Failures
		}
		fmt.Fprintf(w, "%s\t%d\t%.0f\t%d\t%d\t%d\t\n", name, x.Executions, x.speed(), x.Interesting, x.Corpus, x.Failures)
	}
	w.Flush()
}
