package suitetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/golden/papers"
	"pushdown/harness/checkpoint"
	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
)

// Run tests a suite. The function shrunken returns small experiments, which together cover
// every cell and every way of training in the suite. Their names begin with test=trajectory.
// If the suite trains nothing, shrunken is nil, and the tests of training are left out.
func Run(t *testing.T, s *suite.Suite, shrunken func(testing.TB) []*train.Experiment) {
	c := &checker{s, shrunken}
	for _, x := range []struct {
		name     string
		test     func(*testing.T)
		training bool
	}{
		{"Trajectory", c.trajectory, true}, {"Interpreter", c.interpreter, true}, {"Seed", c.seed, true}, {"Prefix", c.prefix, false},
		{"Golden", c.golden, false}, {"Trained", c.trained, true},
		{"Traces", c.traces, true}, {"Figures", c.figures, true}, {"Readings", c.readings, false}, {"Names", c.names, false},
		{"Settings", c.settings, true}, {"Hashes", c.hashes, true}, {"Kill", c.kill, true},
	} {
		if shrunken == nil && x.training {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			suite.Summarize(t)
			x.test(t)
		})
	}
}

// A checker runs the tests of a suite.
type checker struct {
	*suite.Suite
	shrunken func(testing.TB) []*train.Experiment
}

// all lists the scales of golden files.
var all = []suite.Scale{suite.Smoke, suite.CI, suite.Paper}

// trajectoryFile is the path of the golden file of the shrunken experiments.
var trajectoryFile = filepath.Join("testdata", "trajectory.txt")

// update reports whether -update was given.
func update() bool { return *golden.Flag() != "" }

// read returns the golden file of a scale. It is empty if no run at scale paper has ended yet.
func (c *checker) read(t *testing.T, scale suite.Scale) *golden.File {
	t.Helper()
	g, err := c.Suite.Golden(scale)
	if scale == suite.Paper && errors.Is(err, fs.ErrNotExist) {
		return &golden.File{Suite: c.Name, Scale: string(scale)}
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%v: run the tests at scale %s with -update \"reason\" to write it", err, scale)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// keep compares a text with the file of the given name. With -update it writes the file.
func (c *checker) keep(t *testing.T, name string, text []byte) {
	t.Helper()
	if update() {
		if err := golden.WriteText(name, text); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	lines := func(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }
	if diff := cmp.Diff(lines(text), lines(kept)); diff != "" {
		t.Errorf("%s (-want +have): to write it again: go test ./suites/%s -run '%s' -update \"<reason>\"\n%s", name, c.Name, t.Name(), diff)
	}
}

// shortUpdates is the number of updates of a shrunken experiment with -short.
const shortUpdates = 50

// trajectory trains the shrunken experiments and compares every digest of their
// trajectories. It shows whether a machine keeps the numeric contract. If PUSHDOWN_DEVICE is
// an interpreter, it trains only the first updates.
func (c *checker) trajectory(t *testing.T) {
	if suite.Current().Emulated() {
		if update() {
			t.Fatalf("-update: have PUSHDOWN_DEVICE=%s, which makes only the first updates, want another device", suite.Current().Device)
		}
		c.interpret(t, func(t testing.TB, _ int) kernel.Device { return suite.Open(t) })
		return
	}
	dev := suite.Open(t)
	run := c.NewRun("trajectory", suite.Machine(dev))
	most := 0                         // the number of updates of a run; 0 for all
	if testing.Short() && !update() { // an update of the file needs whole runs
		most = shortUpdates
	}
	var e events
	list := c.shrunken(t)
	for _, x := range list {
		t.Run(x.Name, func(t *testing.T) {
			n := most
			if x.Online.Stream != nil { // an update is only one symbol, so make all updates
				n = 0
			}
			res := Must(train.Run(x, train.Options{Device: dev, Updates: n}))(t)
			e.add(x, res)
			res.Trajectory.Name = golden.Name(x.Name)
			t.Log("\n" + res.Trajectory.String())
			run.Trajectories = append(run.Trajectories, res.Trajectory)
		})
	}
	run.Complete = len(run.Trajectories) == len(list) && most == 0 // -run may have excluded some runs
	if run.Complete {
		e.check(t)
	}
	golden.Check(t, trajectoryFile, run)
}

// events counts the runs in which the learning rate is cut, and the runs whose best
// parameters are found before the last update.
type events struct {
	mayCut, cut       int // runs whose rule can cut the learning rate, and those of them that cut it
	mayReturn, before int // runs that return the best parameters, and those of them whose best come before the end
}

func (e *events) add(x *train.Experiment, res *train.Result) {
	if !res.Complete {
		return
	}
	cut, best := false, 0
	for i, c := range res.Checks {
		cut = cut || i > 0 && c.LR < res.Checks[i-1].LR
		if c.Best {
			best = c.Update
		}
	}
	if x.Plateau.Patience > 0 {
		e.mayCut++
		if cut {
			e.cut++
		}
	}
	if x.Best {
		e.mayReturn++
		if best < res.Updates {
			e.before++
		}
	}
}

// check fails the test if too few of the runs whose rule can cut the learning rate cut it,
// or if too few runs find their best parameters before the end.
func (e *events) check(t *testing.T) {
	t.Helper()
	if e.cut < (e.mayCut+1)/2 || e.before < (e.mayReturn+2)/3 {
		t.Errorf("have a cut of the learning rate in %d of %d runs and the best before the end in %d of %d, want at least half and a third of them: let shrunken rows train longer or faster, until they overfit", e.cut, e.mayCut, e.before, e.mayReturn)
	}
}

// interpreter trains the first updates of the shrunken runs with the GPU's kernels, which
// an interpreter executes on the CPU. Every second run uses CUDA graphs.
func (c *checker) interpreter(t *testing.T) {
	if update() {
		t.Skip("-update: Trajectory writes the digests")
	}
	if suite.Current().Emulated() {
		t.Skip("PUSHDOWN_DEVICE: Trajectory uses the interpreter")
	}
	c.interpret(t, func(t testing.TB, i int) kernel.Device { return suite.OpenEmulated(t, i%2 == 1) })
}

// interpret trains the first updates of the shrunken runs, each on an interpreter that open
// opens. Because that is slow, most runs make a single update. Every fourth run, and every
// run on a stream, makes ten updates, so that more digests are compared.
func (c *checker) interpret(t *testing.T, open func(t testing.TB, i int) kernel.Device) {
	run := c.NewRun("trajectory", "interpreter")
	for i, x := range c.shrunken(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		updates := 1
		if i%4 == 0 && !testing.Short() || x.Online.Stream != nil {
			updates = 10
		}
		t.Run(x.Name, func(t *testing.T) {
			res := Must(train.Run(x, train.Options{Device: open(t, i), Updates: updates}))(t)
			res.Trajectory.Name = golden.Name(x.Name)
			if n := len(res.Trajectory.Points); n < 1 || n < 2 && updates > 1 {
				t.Errorf("have %d digests after %d updates, want one or more", n, updates)
			}
			run.Trajectories = append(run.Trajectories, res.Trajectory)
		})
	}
	golden.Check(t, trajectoryFile, run)
}

// prefix repeats the first updates of the rows at paper scale, with the first seed and, for a row of
// each way to use a seed, also with the second. Unless the long checks are selected, or -update writes
// the digests, the other rows of each way repeat only one update. It compares them with the golden file of that scale, or
// with testdata/prefix.txt for runs that the golden file does not have yet. Runs without training are
// computed whole if the golden file has them; those that take minutes, only if the long checks are
// selected.
func (c *checker) prefix(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: repeats the first updates of every row at paper scale")
	}
	dev := suite.Open(t)
	g := c.read(t, suite.Paper)
	paper, other := c.NewRun(string(suite.Paper), suite.Machine(dev)), c.NewRun("prefix", suite.Machine(dev))
	other.Complete = true
	lacking := map[suite.Missing]int{}                    // the number of runs that cannot be repeated for each reason
	first, second := map[string]bool{}, map[string]bool{} // the ways in which a run of the first, of a second seed uses it
	by := trajectories(g)
	for _, r := range c.Rows(suite.Paper) {
		c.courses(t, r, g.Seeds(r.ID().Group()), by)
		seeds := r.FirstSeeds()
		usual := len(seeds)
		if usual == 1 {
			seeds = r.List()[:min(2, r.Seeds)]
		}
		for i, seed := range seeds {
			x, err := r.Build(uint64(seed))
			if m, ok := errors.AsType[*suite.Missing](err); ok {
				lacking[*m]++
				other.Complete = false
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			w, updates := way(r, x), r.FirstUpdates()
			switch {
			case i >= usual && second[w]:
				continue
			case i >= usual:
				second[w] = true
			case first[w] && !suite.Long() && !update():
				updates = 1
			}
			first[w] = true
			tr := Must(train.Run(x, train.Options{Device: dev, Updates: updates}))(t).Trajectory
			tr.Name = golden.Name(x.Name)
			run := other
			if _, ok := by[tr.Name]; ok {
				run = paper
			}
			run.Trajectories = append(run.Trajectories, tr)
		}
	}
	for _, p := range c.At(suite.Paper) {
		for _, r := range p.Computed {
			for seed := 1; seed <= r.Seeds; seed++ {
				if _, ok := by[r.ID.Group().WithSeed(seed)]; !ok || r.Long && !suite.Long() {
					continue
				}
				res, err := r.Result(dev, suite.Paper, seed)
				if m, ok := errors.AsType[*suite.Missing](err); ok {
					lacking[*m]++
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				paper.Rows, paper.Trajectories = append(paper.Rows, res.Row), append(paper.Trajectories, res.Trajectory)
			}
		}
	}
	byNeed := func(a, b suite.Missing) int { return strings.Compare(a.Need+a.Reason, b.Need+b.Reason) }
	for _, m := range slices.SortedFunc(maps.Keys(lacking), byNeed) {
		t.Run(m.Need, func(t *testing.T) {
			text := fmt.Sprintf("%d runs at paper scale are not repeated: %s", lacking[m], m.Reason)
			if update() { // a file that keeps its old lines must not look as if it was written
				t.Fatalf("-update: have a file that lacks runs, want all: %s; %s", text, m.Remedy)
			}
			suite.Skip(t, m.Need, text, m.Remedy)
		})
	}
	if t.Failed() { // with -update, or PUSHDOWN_REQUIRE lists what is missing
		return
	}
	c.Check(t, paper)
	if len(other.Trajectories) > 0 {
		golden.Check(t, suite.PrefixFile, other)
		return
	}
	switch _, err := os.Stat(suite.PrefixFile); {
	case err != nil || !other.Complete:
	case update():
		if err := disk.Remove(suite.PrefixFile); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("%s: have it, want no such file, because the golden file at paper scale has every run: -update \"<reason>\" removes it", suite.PrefixFile)
	}
}

// trajectories returns the trajectories of a golden file by name.
func trajectories(g *golden.File) map[golden.Name]golden.Trajectory {
	by := map[golden.Name]golden.Trajectory{}
	for _, tr := range g.Trajectories {
		by[tr.Name] = tr
	}
	return by
}

// courses checks that the runs of a row can have gone as the golden rows and trajectories say. The runs of all
// seeds have the experiment of the first, unless the seed also chooses the network.
func (c *checker) courses(t *testing.T, r suite.Runs, rows []golden.Row, by map[golden.Name]golden.Trajectory) {
	t.Helper()
	if len(rows) == 0 {
		return
	}
	x, err := r.Build(uint64(rows[0].Name.Seed()))
	if _, ok := errors.AsType[*suite.Missing](err); ok {
		return
	}
	for _, row := range rows {
		if err == nil {
			_, err = suite.Course(x, row, by[row.Name])
		}
		if err != nil {
			if x, err = r.Build(uint64(row.Name.Seed())); err == nil {
				_, err = suite.Course(x, row, by[row.Name])
			}
		}
		if err != nil {
			t.Error(err)
			err = nil
		}
	}
}

// golden checks that the golden files have the rows and trajectories of the suite, and no
// others. Each row must have all its seeds. At paper scale it may also have none, or the
// first few, if these are too few for any outcome except "open-runs". So no verdict can
// depend on when somebody stopped adding seeds. Units must be those of the suite, no contract later
// than the present one, and the number of updates at least that of the last one with a digest.
func (c *checker) golden(t *testing.T) {
	for _, scale := range all {
		g := c.read(t, scale)
		for _, u := range g.Units {
			if !slices.ContainsFunc(c.Units, func(own suite.Unit) bool { return own.Unit == u }) {
				t.Errorf("scale %s: have %q, want the units of the suite", scale, u)
			}
		}
		updates, by := map[golden.Name]float64{}, trajectories(g)
		for _, tr := range g.Trajectories {
			for _, p := range tr.Points {
				if p.At < golden.Best {
					updates[tr.Name] = float64(p.At)
				}
			}
			c.origin(t, tr.Name, tr.Origin)
		}
		for _, r := range g.Rows {
			c.origin(t, r.Name, r.Origin)
			if n, ok := r.Value("updates"); ok && updates[r.Name] > n {
				t.Errorf("%s: have %v updates, want at least the %v of its digests", r.Name, n, updates[r.Name])
			}
			if err := suite.Contradiction(r, by[r.Name]); err != nil {
				t.Error(err)
			}
		}
		rows, digests := map[golden.Name]bool{}, map[golden.Name]bool{}
		for _, r := range g.Rows {
			rows[r.Name] = true
		}
		for _, tr := range g.Trajectories {
			digests[tr.Name] = true
		}
		for _, p := range c.At(scale) {
			for group, seeds := range p.Seeds() {
				c.seeds(t, scale, group, seeds, rows, digests)
			}
		}
		for what, rest := range map[string]map[golden.Name]bool{"rows": rows, "trajectories": digests} {
			if len(rest) > 0 {
				t.Errorf("scale %s: have %s of %q, want only those of the suite: remove the others by hand", scale, what, slices.SortedFunc(maps.Keys(rest), golden.CompareNames))
			}
		}
	}
}

// origin checks the contract of a row or a trajectory.
func (c *checker) origin(t *testing.T, name golden.Name, o golden.Origin) {
	t.Helper()
	if o.Contract > kernel.ContractVersion {
		t.Errorf("%s: have contract %d, want at most %d", name, o.Contract, kernel.ContractVersion)
	}
}

// seeds checks which of the seeds of a group a golden file has. It deletes them from rows and
// digests, which hold the names in the file.
func (c *checker) seeds(t *testing.T, scale suite.Scale, group golden.Name, seeds []int, rows, digests map[golden.Name]bool) {
	t.Helper()
	var present []int
	for _, seed := range seeds {
		name := group.WithSeed(seed)
		if rows[name] && digests[name] {
			present = append(present, seed)
		}
		delete(rows, name)
		delete(digests, name)
	}
	if !seedsSuffice(scale, seeds, present) {
		t.Errorf("scale %s: %s: have row and trajectory of seeds %v, want all of %v or, at scale paper, none or at most %d of the first", scale, group, present, seeds, verdict.MinSeeds-1)
	}
}

// seedsSuffice reports whether it is no error that a golden file has just the given seeds, in
// ascending order, of those of a row; see checker.golden.
func seedsSuffice(scale suite.Scale, seeds, present []int) bool {
	k := len(present)
	return k == len(seeds) || scale == suite.Paper && k < verdict.MinSeeds && slices.Equal(present, seeds[:k])
}

// trained checks the parameters that are kept in testdata/trained. It measures them again,
// without training, and compares the values with those of the golden files, bit for bit.
// With -short, it compares only the digests of the parameters; at paper scale, it compares
// the values only if the long checks are selected.
func (c *checker) trained(t *testing.T) {
	dev := suite.Open(t)
	names := Must(filepath.Glob(filepath.Join("testdata", "trained", "*")))(t)
	for _, scale := range []suite.Scale{suite.CI, suite.Paper} {
		g := c.read(t, scale)
		for _, r := range c.Rows(scale) {
			seed := r.KeptSeed(g)
			if seed == 0 {
				continue
			}
			name := r.ID().Group().WithSeed(seed)
			row := slices.IndexFunc(g.Rows, func(r golden.Row) bool { return r.Name == name })
			tr := slices.IndexFunc(g.Trajectories, func(tr golden.Trajectory) bool { return tr.Name == name })
			if row < 0 || tr < 0 {
				continue
			}
			names = slices.DeleteFunc(names, func(n string) bool { return n == suite.TrainedFile(r) })
			t.Run(string(scale)+"/"+string(name), func(t *testing.T) {
				file := suite.TrainedFile(r)
				p, f := Must(train.ReadParams(file))(t), Must(checkpoint.Read(file))(t)
				if have := f.Meta["experiment"]; have != string(name) {
					t.Errorf("%s: have parameters of %q, want of %q", file, have, name)
				}
				if have, want := p.Digest(), g.Trajectories[tr].Result(); have != want {
					t.Fatalf("%s: have parameters of digest %s, want %s as the golden file has", file, have, want)
				}
				if testing.Short() || scale == suite.Paper && !suite.Long() {
					return
				}
				c.measure(t, dev, r, seed, p, g.Rows[row], g.Trajectories[tr])
			})
		}
	}
	for _, name := range names {
		t.Errorf("%s: have parameters of no row, want the file removed", name)
	}
}

// readings checks papers.TableInterpretations against the golden file. Each table with a number
// that differs or is undetermined must have a text that says what was tried, and each row of this
// suite that such a text names must have results. A test of package suites checks that the other
// rows are those of other suites.
func (c *checker) readings(t *testing.T) {
	g := c.read(t, suite.Paper)
	own := c.Groups(suite.Paper)
	type table struct{ paper, name string }
	judged := map[table]bool{} // whether a number of the table differs, if only under one reading
	results := verdict.NewResults([]*golden.File{g})
	for _, n := range papers.Published().Numbers {
		if _, ok := results.Verdict(n.Key); ok {
			judged[table{n.Paper, n.Table}] = judged[table{n.Paper, n.Table}] || results.Doubtful(n)
		}
	}
	for _, r := range papers.TableInterpretations() {
		of := table{r.Paper, r.Table}
		if _, here := judged[of]; !here {
			continue
		}
		judged[of] = false
		for _, row := range r.Rows {
			if name := golden.Name("paper=" + r.Paper + "/" + row); own[name] && len(g.Seeds(name)) == 0 {
				t.Errorf("have no golden row %s, want one, since papers.TableInterpretations says that it was tried", name)
			}
		}
	}
	for of, doubtful := range judged {
		if doubtful {
			t.Errorf("table %s of %s has a number that differs or is undetermined: have no text of what was tried, want one in papers.TableInterpretations", of.name, of.paper)
		}
	}
}

// measure measures a run again from p, its kept parameters. It compares the values with
// want, the golden row of the run, and the lines of the trace with those of the kept trace.
func (c *checker) measure(t *testing.T, dev kernel.Device, r suite.Runs, seed int, p *train.Params, want golden.Row, tr golden.Trajectory) {
	t.Helper()
	x, err := r.Build(uint64(seed))
	x = suite.Built(t, x, err)
	res := &train.Result{Params: p, Checks: []train.Validation{Must(validation(dev, x, p, tr))(t)}}
	m := Must(r.Measure(dev, x, res))(t)
	training := map[string]bool{}
	for _, u := range c.Units {
		training[u.Name] = u.Training
	}
	values := func(list []golden.Value) map[string]float64 {
		of := map[string]float64{}
		for _, v := range list {
			if !training[v.Unit] {
				of[v.Unit] = v.Value
			}
		}
		return of
	}
	if diff := cmp.Diff(values(want.Values), values(m.Values)); diff != "" {
		t.Errorf("values (-golden file +measured again):\n%s", diff)
	}
	list := Must(c.Suite.Traces(r))(t)
	i := slices.IndexFunc(list, func(run traces.Run) bool { return run.Seed == seed })
	if i < 0 || !r.Traced {
		return
	}
	again := Must(traces.New(r.ID().Group().WithSeed(seed), Must(r.Trace(dev, x, res, m))(t)))(t)
	was, is := fields(t, list[i]), fields(t, again)
	for name, have := range was {
		want := is[name]
		if list, ok := want.([]any); ok && len(list) != len(have.([]any)) {
			continue // a list of all validations, of which there is one now
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s: %s (-measured again +kept):\n%s", suite.TraceFile(r), name, diff)
		}
	}
}

// fields returns the fields of a trace by name.
func fields(t *testing.T, r traces.Run) (by map[string]any) {
	t.Helper()
	if err := json.Unmarshal(r.Trace, &by); err != nil {
		t.Fatal(err)
	}
	return by
}

// validation computes the loss of the parameters p on the validation set of the experiment.
// It looks in the trajectory for the first point that has the digest of p and a validation
// loss, and returns this point as a train.Validation. It returns an error if there is no such
// point or if the point has a different loss.
func validation(dev kernel.Device, x *train.Experiment, p *train.Params, tr golden.Trajectory) (train.Validation, error) {
	check := train.Validation{Best: true}
	at := slices.IndexFunc(tr.Points, func(pt golden.Point) bool {
		_, validated := pt.Scalar(golden.LossKey)
		return pt.SHA256 == p.Digest() && validated
	})
	if at < 0 {
		return check, fmt.Errorf("%s: have no validation of parameters with the digest %s, want one", tr.Name, p.Digest())
	}
	pt := tr.Points[at]
	check.Update = int(pt.At)
	check.Loss, _ = pt.Scalar(golden.LossKey)
	for _, s := range x.Scalars {
		if v, ok := pt.Scalar(s.Name); ok {
			check.Scalars = append(check.Scalars, v)
		}
	}
	loss, figures, err := x.Validate(dev, p, check.Scalars)
	if err != nil {
		return check, err
	}
	if check.Figures = figures; loss != check.Loss {
		return check, fmt.Errorf("%s: have the validation loss %v, want %v as after update %d", tr.Name, loss, check.Loss, check.Update)
	}
	return check, nil
}

// traces checks the kept traces against the golden file at paper scale. Each trace must
// agree with a golden row. Each golden run of a traced row must have a trace, unless the
// row keeps only the seed with the lowest validation loss (Keep is Chosen).
func (c *checker) traces(t *testing.T) {
	folder := Must(c.TraceFolder())(t)
	files := Must(filepath.Glob(filepath.Join(folder, "*")))(t)
	g := c.read(t, suite.Paper)
	for _, r := range c.Rows(suite.Paper) {
		if !r.Traced {
			continue
		}
		group := r.ID().Group()
		name := filepath.Join(folder, suite.TraceFile(r))
		rows := g.Seeds(group)
		files = slices.DeleteFunc(files, func(n string) bool { return n == name })
		list, err := c.Suite.Traces(r)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(list) != len(rows) && (r.Keep != suite.Chosen || len(list) == 0) {
			t.Errorf("%s: have %d seeds, want %d as the golden file", name, len(list), len(rows))
		}
		for _, run := range list {
			at := slices.IndexFunc(rows, func(row golden.Row) bool { return row.Name == group.WithSeed(run.Seed) })
			if at < 0 {
				t.Errorf("%s: have seed %d, want only seeds of the golden file", name, run.Seed)
			} else if err := c.Agrees(r.Row, run, rows[at]); err != nil {
				t.Errorf("%s: seed %d: %v", name, run.Seed, err)
			}
		}
	}
	for _, name := range files {
		t.Errorf("%s: have traces of no row, want the file removed", name)
	}
}

// figures draws the figures from the kept traces. It compares the figures that are
// shown on the page of results with the files in the repository.
func (c *checker) figures(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws every figure")
	}
	if c.Figures == nil {
		return
	}
	list := Must(c.Figures(Must(c.Kept())(t)))(t)
	folder := Must(c.FigureFolder())(t)
	want := map[string][]byte{}
	for _, f := range list {
		f.Artifacts(t)
		if !f.Shown {
			continue
		}
		if c.Captions[f.Name] == "" {
			t.Errorf("figure %s: have no caption, want one in Captions of the suite", f.Name)
		}
		var svg bytes.Buffer
		if err := plot.SVG(&svg, f.Drawing); err != nil {
			t.Fatal(err)
		}
		want[f.Name+".svg"] = svg.Bytes()
		if f.Text != nil {
			want[f.Name+".txt"] = f.Text
		}
	}
	for name, text := range want {
		c.keep(t, filepath.Join(folder, name), text)
	}
	old := Must(filepath.Glob(filepath.Join(folder, "*")))(t)
	for _, name := range old {
		if want[filepath.Base(name)] == nil {
			t.Errorf("%s: have a figure of no kept traces, want the file removed", name)
		}
	}
}

// kill calls Kill with the first and the last of the shrunken experiments.
func (c *checker) kill(t *testing.T) {
	runs := map[string]func() *train.Experiment{}
	for _, at := range []int{0, len(c.shrunken(t)) - 1} {
		runs[fmt.Sprint("run", at)] = func() *train.Experiment { return c.shrunken(t)[at] }
	}
	Kill(t, runs)
}

// names checks that every table has its test, that rows name known papers, that units have the direction of
// the printed numbers, and that no two trained rows have the same name or file. Package suite tests
// that each name belongs to exactly one shard.
func (c *checker) names(t *testing.T) {
	var tests []byte
	for _, name := range Must(filepath.Glob("*_test.go"))(t) {
		tests = append(tests, Must(os.ReadFile(name))(t)...)
	}
	for _, x := range c.Tables {
		if !bytes.Contains(tests, []byte("func "+x.Test+"(t *testing.T) ")) {
			t.Errorf("table %s of %s: have no test %s, want one that calls Suite.Run", x.Name, x.Paper, x.Test)
		}
		for _, scale := range all {
			for group := range x.At(scale).Seeds() {
				if !strings.HasPrefix(string(group), "paper="+x.Paper+"/") {
					t.Errorf("table %s of %s: have the row %s, want rows of the paper", x.Name, x.Paper, group)
				}
			}
		}
	}
	for _, u := range c.Units {
		if higher, published := papers.Published().Unit(u.Name); published && u.Better != "" && higher != (u.Better == "higher") {
			t.Errorf("unit %s: have the better direction %s, want that of units.csv", u.Name, u.Better)
		}
	}
	for _, scale := range all {
		groups, files := map[golden.Name]bool{}, map[string]bool{}
		for _, r := range c.Rows(scale) {
			if paper := r.ID().Paper; !papers.Published().Paper(paper) {
				t.Errorf("%s: have the paper %q, want one of the papers with tables", r.ID().Group(), paper)
			}
			group, file := r.ID().Group(), r.ID().File()
			if groups[group] || files[file] {
				t.Errorf("scale %s: two rows are named %s or %s, want names of their own", scale, group, file)
			}
			groups[group], files[file] = true, true
		}
	}
}

// settings compares the seeds and settings of every row at paper scale with
// testdata/settings.txt, a line for each row. Digests do not show all changes: some settings,
// such as the largest number of epochs, change no digest, and the digests of some rows need a
// corpus that is not part of the repository.
func (c *checker) settings(t *testing.T) {
	var have []byte
	for _, r := range c.Rows(suite.Paper) {
		seeds := strconv.Itoa(r.Seeds)
		if r.First > 1 {
			seeds += fmt.Sprintf(" from %d", r.First)
		}
		have = fmt.Appendf(have, "%s %s\n", seeds, Must(json.Marshal(r.Row))(t))
	}
	c.keep(t, filepath.Join("testdata", "settings.txt"), have)
}

// hashes compares the hash of the first row of each table at paper scale with the hash
// in testdata/hashes.txt. Saved states and results are found by their hash. So a hash
// must not change, for example when a field of an experiment is renamed.
func (c *checker) hashes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds experiments at paper scale")
	}
	name := filepath.Join("testdata", "hashes.txt")
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	kept := map[string]string{} // the hashes in the file, by name
	for line := range strings.Lines(string(text)) {
		hash, of, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		kept[of] = hash
	}
	for _, p := range c.At(suite.Paper) {
		if len(p.Runs) == 0 {
			continue
		}
		x, err := p.Runs[0].Build(1)
		if m, ok := errors.AsType[*suite.Missing](err); ok {
			if !t.Run(p.Runs[0].ID().Row, func(t *testing.T) { suite.Skip(t, m.Need, m.Reason, m.Remedy) }) {
				return
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		hash := Must(x.Hash())(t)
		switch want := kept[x.Name]; {
		case want == "" && update():
			text = fmt.Appendf(text, "%s %s\n", hash, x.Name)
		case want == "":
			t.Errorf("%s: have no hash of %s, want one: -update \"<reason>\" adds it", name, x.Name)
		case want != hash:
			t.Errorf("%s: %s has the hash %s, want %s: states and results of its runs would not be found again; if that is meant, remove the line", name, x.Name, hash, want)
		}
	}
	if update() {
		if err := golden.WriteText(name, text); err != nil {
			t.Fatal(err)
		}
	}
}
