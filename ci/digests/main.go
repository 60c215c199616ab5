// Command digests compares the golden files of another commit with those of the
// working tree: the values and the provenance of every row, and every verdict, claim
// and digest.
//
//	go run ./ci/digests HEAD~1
//
// The digests of a run are the points of its trajectory. A golden file may have the
// complete trajectory or a thinned one: some of the points, the validation curve, and the
// SHA-256 of all points. If a trajectory is complete in the commit and thinned in the
// working tree, the command checks three things. The points in the working tree must be
// points of the commit, and no point that thinning always keeps may be missing. The curve
// must have each validation loss of the commit. The SHA-256 must be that of all points of
// the commit.
//
// The command prints how much it compared, and exits with status 1 if anything
// differs, as diff does. A row on one side only is a difference, so results that are new in
// the working tree are listed. Of similar differences of the seeds of a row, only the first is
// printed, and of all of these at most 40; the flag -all prints every difference.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pushdown/ci/results"
	"pushdown/harness/argument"
	"pushdown/harness/golden"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:])) }

// run runs the command. It returns the exit status: 0 if everything is equal, 1 if there
// are differences or the comparison fails, and 2 for wrong arguments.
func run(stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("digests", flag.ContinueOnError)
	flags.SetOutput(stderr)
	root := flags.String("root", ".", "`folder` of the repository")
	all := flags.Bool("all", false, "print every difference")
	if status, ok := argument.Parse(flags, args, "commit"); !ok {
		return status
	}
	differences, err := compare(stdout, *root, flags.Arg(0))
	lines := summed(differences)
	if *all {
		lines = nil
		for _, d := range differences {
			lines = append(lines, d.text)
		}
	}
	for i, line := range lines {
		if i == 40 && !*all {
			fmt.Fprintf(stdout, "and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintln(stdout, line)
	}
	if !*all && (len(lines) < len(differences) || len(lines) > 40) {
		fmt.Fprintln(stdout, "to see every difference: -all")
	}
	if err != nil {
		fmt.Fprintf(stderr, "digests: %v\n", err)
	}
	if err != nil || len(differences) > 0 {
		return 1
	}
	return 0
}

// goldens lists the patterns of the names of golden files. A folder of digests next to a
// golden file is part of that file.
var goldens = []string{"golden/*/*.txt", "suites/*/testdata/trajectory.txt", "suites/*/testdata/prefix.txt"}

// A difference is one between the commit and the working tree.
type difference struct {
	text string
	like string      // equal for similar differences of the seeds of a row; "" for all others
	row  golden.Name // the row, if like is not ""
}

// summed returns the text of the first of similar differences, with the number of the others.
func summed(differences []difference) (lines []string) {
	count := map[string]int{}
	for _, d := range differences {
		count[d.like]++
	}
	seen := map[string]bool{}
	for _, d := range differences {
		if d.like != "" && seen[d.like] {
			continue
		}
		seen[d.like] = true
		text := d.text
		if more := count[d.like] - 1; d.like != "" && more > 0 {
			text += fmt.Sprintf("; and %d more of %s", more, d.row)
		}
		lines = append(lines, text)
	}
	return lines
}

// compare compares the golden files of a commit with those below root, and writes
// the counts to w.
func compare(w io.Writer, root, commit string) (differences []difference, err error) {
	then, err := results.At(root, commit)
	if err != nil {
		return nil, err
	}
	now := os.DirFS(root)
	var both [2][]string           // today's names of the files in the commit and in the working tree
	was := make(map[string]string) // maps today's name to the name in the commit
	for i, fsys := range []fs.FS{then, now} {
		for _, pattern := range goldens {
			names, err := fs.Glob(fsys, pattern)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				today := name
				if path.Base(name) == "paper.txt" {
					today = path.Join(path.Dir(name), golden.FileName("paper"))
				}
				if i == 0 {
					was[today] = name
				}
				both[i] = append(both[i], today)
			}
		}
	}
	for _, name := range both[1] {
		if !slices.Contains(both[0], name) {
			differences = append(differences, difference{text: name + ": only in the working tree"})
		}
	}
	var all counts
	for _, name := range both[0] {
		if !slices.Contains(both[1], name) {
			differences = append(differences, difference{text: name + ": only in the commit"})
			continue
		}
		c := comparison{name: name}
		if c.then, err = golden.ReadFS(then, was[name]); err != nil {
			return differences, err
		}
		if c.now, err = golden.ReadFS(now, name); err != nil {
			return differences, err
		}
		if c.text, err = fs.ReadFile(then, was[name]); err != nil {
			return differences, err
		}
		c.compare()
		fmt.Fprintf(w, "%s: %v\n", name, c.counts)
		all.add(c.counts)
		differences = append(differences, c.differences...)
	}
	if len(both[0]) == 0 {
		return differences, fmt.Errorf("commit %s: have no golden files, want at least 1", commit)
	}
	fmt.Fprintf(w, "all: %v\n%d differences\n", all, len(differences))
	return differences, nil
}

// counts holds the numbers of items that were compared.
type counts struct {
	rows, values, verdicts, claims    int
	trajectories, kept, points, curve int // kept is the number of points in the working tree, curve that of losses
	sums                              int // digests computed from all points of a trajectory
}

func (c *counts) add(d counts) {
	c.rows += d.rows
	c.values += d.values
	c.verdicts += d.verdicts
	c.claims += d.claims
	c.trajectories += d.trajectories
	c.kept += d.kept
	c.points += d.points
	c.curve += d.curve
	c.sums += d.sums
}

// String formats the counts with their names.
func (c counts) String() string {
	return fmt.Sprintf("%d rows with %d values, %d verdicts, %d claims, %d trajectories with %d of %d points, %d losses of curves, %d digests of all points",
		c.rows, c.values, c.verdicts, c.claims, c.trajectories, c.kept, c.points, c.curve, c.sums)
}

// A comparison compares a golden file of the working tree (now) with the same file of
// the commit (then).
type comparison struct {
	name      string
	then, now *golden.File
	text      []byte // the file that then was read from
	counts
	differences []difference
}

// differ records a difference. Differences of the seeds of a row are similar if they have the
// same format and, if there is only one argument, the same argument.
func (c *comparison) differ(what any, format string, args ...any) {
	d := difference{text: fmt.Sprintf("%s: %v: %s", c.name, what, fmt.Sprintf(format, args...))}
	if name, ok := what.(golden.Name); ok {
		d.row = name.Group()
		d.like = c.name + " " + string(d.row) + " " + format
		if len(args) == 1 {
			d.like += fmt.Sprint(args...)
		}
	}
	c.differences = append(c.differences, d)
}

func (c *comparison) compare() {
	if c.then.Suite != c.now.Suite || c.then.Scale != c.now.Scale {
		c.differ("suite and scale", "have %s/%s, want %s/%s", c.now.Suite, c.now.Scale, c.then.Suite, c.then.Scale)
	}
	match(c, "units", c.then.Units, c.now.Units, func(u golden.Unit) string { return u.Name }, equal)
	match(c, "tolerances", c.then.Tolerances, c.now.Tolerances, func(t golden.Tolerance) string { return t.Unit }, equal)
	c.verdicts = match(c, "verdicts", c.then.Verdicts, c.now.Verdicts, func(v golden.Verdict) string { return v.Key }, equal)
	c.claims = match(c, "claims", c.then.Claims, c.now.Claims, func(v golden.ClaimVerdict) string { return v.ID }, equal)
	c.rows = match(c, "rows", c.then.Rows, c.now.Rows, func(r golden.Row) golden.Name { return r.Name },
		func(c *comparison, name golden.Name, then, now golden.Row) {
			c.values += len(then.Values)
			equal(c, name, then.Values, now.Values)
			c.origin(name, then.From, now.From)
		})
	sums := sumsOf(c.text)
	c.trajectories = match(c, "trajectories", c.then.Trajectories, c.now.Trajectories, func(t golden.Trajectory) golden.Name { return t.Name },
		func(c *comparison, name golden.Name, then, now golden.Trajectory) {
			c.origin(name, then.From, now.From)
			c.trajectory(then, now, sums[name])
		})
}

// match calls compare for each pair of items with equal keys, and records a difference
// for each item on one side only. It returns the number of items in the commit.
func match[K comparable, T any](c *comparison, what string, then, now []T, key func(T) K, compare func(c *comparison, name K, then, now T)) int {
	at := make(map[K]T)
	for _, t := range now {
		at[key(t)] = t
	}
	for _, t := range then {
		k := key(t)
		if n, ok := at[k]; ok {
			compare(c, k, t, n)
			delete(at, k)
		} else {
			c.differ(k, "only in the commit (%s)", what)
		}
	}
	for _, t := range now { // ranging over at instead would lose the order
		if _, ok := at[key(t)]; ok {
			c.differ(key(t), "only in the working tree (%s)", what)
		}
	}
	return len(then)
}

func equal[K comparable, T any](c *comparison, name K, then, now T) {
	if !reflect.DeepEqual(then, now) {
		c.differ(name, "have %+v, want %+v", now, then)
	}
}

// origin compares the provenance of a row or trajectory in the commit with that in the
// working tree. Its last parameters are the IDs of the two Provenance lines.
func (c *comparison) origin(name golden.Name, then, now int) {
	of := func(f *golden.File, id int) golden.Provenance {
		i := slices.IndexFunc(f.Provenance, func(p golden.Provenance) bool { return p.ID == id })
		p := f.Provenance[i] // golden.ReadFS has checked that it exists
		p.ID = 0
		return p
	}
	equal(c, name, of(c.then, then), of(c.now, now))
}

// trajectory compares the digests of one run in the commit with those in the working tree.
// The parameter sum is the SHA-256 of all points in the commit. It is needed only if the
// trajectory is complete in the commit and thinned in the working tree.
func (c *comparison) trajectory(then, now golden.Trajectory, sum string) {
	c.kept += len(now.Points)
	if then.Thinned != nil || now.Thinned == nil {
		c.points += len(now.Points)
		equal(c, now.Name, then.Points, now.Points)
		equal(c, now.Name, then.Thinned, now.Thinned)
		if now.Thinned != nil {
			c.curve += len(now.Thinned.Curve)
		}
		return
	}
	c.points += len(then.Points)
	c.sums++
	if have := now.Thinned; have.SHA256 != sum || have.Points != len(then.Points) {
		c.differ(now.Name, "have %d points %s, want %d points %s", have.Points, have.SHA256, len(then.Points), sum)
	}
	kept := now.Points
	var curve []golden.Validation
	rate := -1.0
	for i, p := range then.Points {
		must := i == 0 || p.At == golden.Best || p.At == golden.End || strings.Trim(p.At.String(), "0") == "1"
		if now, ok := p.Scalar("lr"); ok {
			must = must || rate >= 0 && now != rate
			rate = now
		}
		if loss, ok := p.Scalar("valid-loss"); ok {
			loss, _ = strconv.ParseFloat(fmt.Sprintf("%.6g", loss), 64)
			curve = append(curve, golden.Validation{Update: p.At, Loss: loss})
		}
		switch {
		case len(kept) > 0 && kept[0].At == p.At:
			equal(c, now.Name, p, kept[0])
			kept = kept[1:]
		case must:
			c.differ(now.Name, "update %v: have no digest, want %s", p.At, p.SHA256)
		}
	}
	for _, p := range kept {
		c.differ(now.Name, "update %v: have a digest, want none or another order", p.At)
	}
	c.curve += len(curve)
	equal(c, now.Name, curve, now.Thinned.Curve)
}

// sumsOf returns, for each trajectory in a golden file, the SHA-256 of all its points. The
// text of a point is the part of its Trajectory line after the name.
func sumsOf(text []byte) map[golden.Name]string {
	all := make(map[golden.Name]*bytes.Buffer)
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, "Trajectory ")
		name, point, ok2 := strings.Cut(rest, " ")
		if !ok || !ok2 {
			continue
		}
		if all[golden.Name(name)] == nil {
			all[golden.Name(name)] = new(bytes.Buffer)
		}
		all[golden.Name(name)].WriteString(point)
	}
	sums := make(map[golden.Name]string)
	for name, b := range all {
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
	}
	return sums
}
