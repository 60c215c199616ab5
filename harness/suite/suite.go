package suite

import (
	"cmp"
	"iter"
	"os"
	"path"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/plot"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
)

// A Suite describes the tables and figures of a task as data. [Suite.Run] trains
// the runs of a table, and package suitetest has the tests that every suite must
// pass.
type Suite struct {
	Name   string // the name of the package and of the folder of its golden files
	Units  []Unit
	Tables []Table
	// Claims has a measure for each claim that this suite decides and that no printed table
	// covers. The measure decides the claim from values that the runs report.
	Claims []verdict.Measure
	// Figures draws the traces of rows. It gets only rows that have traces. If it is
	// nil, the suite has no figures.
	Figures func(rows []Traced) ([]Figure, error)
	// Captions has a sentence for each figure on the page of the suite, by its name.
	Captions map[string]string
	// Agrees returns an error if the trace of a run contradicts the row of the run in a
	// golden file. It is nil if the suite has no figures.
	Agrees func(row Row, trace traces.Run, of golden.Row) error
	// Speed lists the rows that BenchmarkTrain measures.
	Speed []Speed

	disk disk.FS // where results, golden files, traces and parameters are written
}

// A Unit describes one of the numbers that a suite measures.
type Unit struct {
	golden.Unit
	// Training reports whether the number depends on the course of training, so
	// that it cannot be computed from the parameters alone.
	Training bool
}

// Higher returns a unit in which higher values are better.
func Higher(name string) Unit { return Unit{Unit: golden.Unit{Name: name, Better: "higher"}} }

// Lower returns a unit in which lower values are better.
func Lower(name string) Unit { return Unit{Unit: golden.Unit{Name: name, Better: "lower"}} }

// TrainMinutes is the unit of the wall time of training.
var TrainMinutes = Unit{Unit: golden.Unit{Name: "train-min", Better: "lower", Clock: true}, Training: true}

// Fixed returns a copy of u for values that are the same for all seeds.
func (u Unit) Fixed() Unit { u.Exact = true; return u }

// FromTraining returns a copy of u with Training set.
func (u Unit) FromTraining() Unit { u.Training = true; return u }

// A Table is a table, a section or a figure of a paper. Each Table is run by a test of its
// own, which calls [Suite.Run].
type Table struct {
	Test  string // the name of that test
	Paper string // such as resurgence
	Name  string // such as 2, section 6.2 or figure 2
	// At returns the part of the table that is run at a scale.
	At func(Scale) Part
}

// A Part is the part of a table that is run at a scale.
type Part struct {
	Runs     []Runs     // in the order of their length, the shortest first
	Computed []Computed // rows without training
}

// Seeds yields the group of each row, with or without training, and its seeds in ascending order.
func (p Part) Seeds() iter.Seq2[golden.Name, []int] {
	return func(yield func(golden.Name, []int) bool) {
		for _, r := range p.Runs {
			if !yield(r.ID().Group(), r.List()) {
				return
			}
		}
		for _, c := range p.Computed {
			if !yield(c.ID.Group(), Runs{Seeds: c.Seeds}.List()) {
				return
			}
		}
	}
}

// Runs describes the runs of a row, one for each seed.
type Runs struct {
	Row
	Seeds int // the number of seeds
	First int // the lowest seed; 0 means 1. The others follow it
	// Prefixes is the number of seeds whose first updates suitetest repeats; 0 means 1, and
	// -1 none.
	Prefixes int
	// PrefixUpdates is the number of these updates; 0 means [PrefixUpdates].
	PrefixUpdates int
	Keep          Keep
	Traced        bool // whether the traces of the runs are kept for figures
}

// Seeds returns the Runs of each row, with n seeds.
func Seeds[R Row](n int, rows ...R) []Runs {
	list := make([]Runs, len(rows))
	for i, r := range rows {
		list[i] = Runs{Row: r, Seeds: n}
	}
	return list
}

// List returns the seeds in ascending order.
func (r Runs) List() []int {
	list := make([]int, r.Seeds)
	for i := range list {
		list[i] = cmp.Or(r.First, 1) + i
	}
	return list
}

// SmokeRows returns the rows reduced to the size of smoke runs.
func SmokeRows[R interface{ Smoke() R }](rows []R) []R {
	list := make([]R, len(rows))
	for i, r := range rows {
		list[i] = r.Smoke()
	}
	return list
}

// FirstEpochs returns runs that stop after the first epoch, one for each of the given rows,
// with seed 1. Such a run takes minutes where a whole run takes hours. A page shows its
// numbers until the row itself has a result. They have no prefixes
// of their own, because theirs are those of the whole row.
func FirstEpochs[R interface {
	Row
	FirstEpoch() R
}](rows []R) []Runs {
	var list []R
	for _, r := range rows {
		list = append(list, r.FirstEpoch())
	}
	runs := Seeds(1, list...)
	for i := range runs {
		runs[i].Prefixes = -1
	}
	return runs
}

// FirstSeeds returns the seeds whose first updates are repeated.
func (r Runs) FirstSeeds() []int { return r.List()[:max(0, cmp.Or(r.Prefixes, 1))] }

// FirstUpdates returns the number of updates that are repeated to check that a program still
// trains a run in the same way.
func (r Runs) FirstUpdates() int { return cmp.Or(r.PrefixUpdates, PrefixUpdates) }

// KeepFirst sets Keep to [First] in all runs and returns them.
func KeepFirst(runs []Runs) []Runs {
	for i := range runs {
		runs[i].Keep = First
	}
	return runs
}

// Keep selects the seed of a row whose parameters are kept in the suite's
// testdata/trained. A test measures the kept parameters again.
type Keep int

// The seeds whose parameters are kept.
const (
	None   Keep = iota
	First       // the lowest seed
	Chosen      // the seed with the lowest valid-ce
)

// A Row is a row of a table at one scale: an experiment that is run once for each seed.
type Row interface {
	// ID says where the paper publishes the row.
	ID() RowID
	// Build returns the experiment of a seed.
	Build(seed uint64) (*train.Experiment, error)
	// Measure measures the result of a run. Values in units without Unit.Training must
	// depend only on the parameters and on the validation that selected them, because
	// kept parameters are measured again without training.
	Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*Measured, error)
	// Trace returns the data of the run for figures, a struct for [traces.New], or nil if there
	// is none. The data are kept if Runs.Traced is set.
	Trace(dev kernel.Device, x *train.Experiment, res *train.Result, m *Measured) (any, error)
}

// Measured holds the values that Row.Measure returns for a run.
type Measured struct {
	Values []golden.Value
	Detail any // a value that is passed to the row's Trace
}

// Best returns the last validation that was a new best, or a zero Validation if none was.
func Best(checks []train.Validation) (last train.Validation) {
	for _, c := range checks {
		if c.Best {
			last = c
		}
	}
	return last
}

// Traced is a row with the traces of its runs.
type Traced struct {
	Row  Row
	Runs []traces.Run // sorted by seed
}

// A Figure is a drawing made from traces.
type Figure struct {
	Name    string // the name of its files, without extension
	Drawing plot.Drawing
	Text    []byte // the text of a file beside the drawing, or nil for none
	Shown   bool   // whether the page of the suite shows the figure, drawn from runs at paper scale
}

// Speed describes one benchmark of training.
type Speed struct {
	Row     Row
	Updates int // updates in one iteration
}

// SpeedOf returns a benchmark for each row. Each iteration makes the given number
// of updates.
func SpeedOf[R Row](updates int, rows ...R) []Speed {
	list := make([]Speed, len(rows))
	for i, r := range rows {
		list[i] = Speed{r, updates}
	}
	return list
}

// At returns the parts that are run at a scale, in the order of the tables.
func (s *Suite) At(scale Scale) []Part {
	list := make([]Part, len(s.Tables))
	for i, t := range s.Tables {
		list[i] = t.At(scale)
	}
	return list
}

// Rows returns the Runs of every row of all tables at a scale.
func (s *Suite) Rows(scale Scale) (list []Runs) {
	for _, p := range s.At(scale) {
		list = append(list, p.Runs...)
	}
	return list
}

// Groups returns the set of the names of all rows at a scale.
func (s *Suite) Groups(scale Scale) map[golden.Name]bool {
	all := map[golden.Name]bool{}
	for _, p := range s.At(scale) {
		for group := range p.Seeds() {
			all[group] = true
		}
	}
	return all
}

// table returns the table that the test t runs. The last element of its name is the name of the
// test, also if t is a subtest.
func (s *Suite) table(t testing.TB) Table {
	t.Helper()
	var have []string
	for _, x := range s.Tables {
		if x.Test == path.Base(t.Name()) {
			return x
		}
		have = append(have, x.Test)
	}
	t.Fatalf("suite %s: have no table with the test %s, want one of %q", s.Name, t.Name(), have)
	return Table{}
}

// units returns the units in the form of golden files, without the fields that only
// suites use.
func (s *Suite) units() (list []golden.Unit) {
	for _, u := range s.Units {
		list = append(list, u.Unit)
	}
	return list
}

// Golden returns the results of the suite at a scale in its golden files. If there are none yet, the error wraps
// [fs.ErrNotExist].
func (s *Suite) Golden(scale Scale) (*golden.File, error) {
	folder, err := golden.Folder(s.Name)
	if err != nil {
		return nil, err
	}
	return golden.ReadScale(os.DirFS(folder), string(scale), folder)
}

// NewRun returns a run of the suite without rows, for comparison with a golden file. The
// parameter scale is the scale in that file: a scale of experiments, or "trajectory" for
// the golden file of the shrunken experiments.
func (s *Suite) NewRun(scale string, machine string) *golden.Run {
	return &golden.Run{Suite: s.Name, Scale: scale, Contract: kernel.ContractVersion, Machine: machine, FS: s.disk, Units: s.units()}
}

// Main is the TestMain of the suite. It registers the -update flag, then does what [Main] does with
// the suite's units. The tests also fail if -run asks for rows, as in row=dyck-m5, and selects none.
func (s *Suite) Main(m *testing.M) {
	golden.Flag()
	os.Exit(run(m, append(s.units(), speedUnits...), s.lacking))
}

// Value returns the value in a unit and reports whether there is one.
func (m *Measured) Value(unit string) (float64, bool) {
	return golden.Row{Values: m.Values}.Value(unit)
}
